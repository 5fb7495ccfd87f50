// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
public import SimorghSupport
public import SimorghTesting

/// The requests that an OpenAPI document (3.0 or 3.1) allows, and its responses to them.
///
/// ```swift
/// let contract = try OpenAPIContract(contentsOf: "openapi.json")
/// let server = ContractServer(contract)
/// let user = try await server.client().call(.get, "users/7").json()  // The example of the document.
/// ```
/// A request has to have a path, a method, parameters and a body that the document describes; see
/// ``check(_:)``. The document is JSON, or YAML with the package's trait `YAML`. References have to point into the
/// document itself.
public struct OpenAPIContract: Sendable {
    /// The limits beyond which a document is rejected.
    public struct Limits: Sendable, Hashable {
        /// The largest size of a document, in bytes.
        ///
        /// Default: 16 MiB.
        public var bytes = 16 * 1024 * 1024
        /// The largest number of paths.
        ///
        /// Default: 10,000.
        public var paths = 10_000
        /// The largest number of values of a YAML document, in which each use of an alias counts.
        ///
        /// Default: 500,000.
        public var values = 500_000

        /// Creates the default limits.
        public init() {}
    }

    /// The largest number of servers of a document; further ones are ignored.
    private static let maximumServers = 100
    /// The largest size of a server's URL with the default values of its variables, in bytes.
    private static let maximumURLBytes = 4096

    let document: OpenAPIDocument
    private let paths: [OpenAPIPath]
    /// The URLs of the servers, with the default values of their variables, and without a final slash.
    ///
    /// One that is relative to the address of the document, such as `.`, is empty: that address is not known.
    private let serverURLs: [String]

    /// Reads a document from a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limits: The limits.
    /// - Throws: ``ContractDocumentError``; the system's error if the file cannot be read.
    public init(contentsOf path: String, limits: Limits = Limits()) throws {
        let file: Data
        do {
            file = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw ContractDocumentError("the document \(path) cannot be read: \(error)")
        }
        try self.init(file, limits: limits)
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: JSON, or with the package's trait `YAML` also YAML, in UTF-8.
    ///   - limits: The limits.
    /// - Throws: ``ContractDocumentError``.
    public init(_ bytes: Data, limits: Limits = Limits()) throws {
        guard bytes.count <= limits.bytes else {
            throw ContractDocumentError("the document has \(bytes.count) bytes, more than the limit of \(limits.bytes)")
        }
        document = OpenAPIDocument(root: try Self.parse(bytes, limits: limits))
        paths = try Self.paths(of: document, limits: limits)
        serverURLs = try Self.serverURLs(of: document)
    }

    private static func parse(_ bytes: Data, limits: Limits) throws -> JSON {
        let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        guard first == UInt8(ascii: "{") else { return try YAMLDocument.json(from: bytes, limits: limits) }
        do {
            return try JSON(parsing: bytes)
        } catch {
            throw ContractDocumentError("the document is not valid JSON: \(error)")
        }
    }

    private static func paths(of document: OpenAPIDocument, limits: Limits) throws -> [OpenAPIPath] {
        // In YAML, a version without quotes is a number.
        let version = document.root.openapi.string ?? document.root.openapi.double.map { "\($0)" } ?? ""
        guard ["3.0", "3.1"].contains(version) || version.hasPrefix("3.0.") || version.hasPrefix("3.1.") else {
            throw ContractDocumentError(
                document.root.swagger.isNull
                    ? "the document does not begin with openapi: 3.0 or 3.1"
                    : "the document is of Swagger 2.0: convert it to OpenAPI 3.1")
        }
        let items = document.root.paths.object ?? [:]
        guard items.count <= limits.paths else {
            throw ContractDocumentError("the document has \(items.count) paths, more than the limit of \(limits.paths)")
        }
        return try items.map { template, item in
            OpenAPIPath(template, item: try document.resolved(item))
        }.sorted { ($1.rank, $1.literals, $0.template) < ($0.rank, $0.literals, $1.template) }
    }

    /// The base URL of the document's first server; `https://api.test` if it has no absolute URL.
    public var baseURL: String {
        let url = serverURLs.first ?? ""
        return url.contains("://") ? url : "https://api.test" + url
    }

    private static func serverURLs(of document: OpenAPIDocument) throws(ContractDocumentError) -> [String] {
        var urls: [String] = []
        for server in (document.root.servers.array ?? []).prefix(maximumServers) {
            guard let template = server.url.string else { continue }
            var url = try expanded(template, variables: server.variables)
            while url.hasSuffix("/") { url.removeLast() }
            urls.append(url.contains("://") || url.hasPrefix("/") ? url : "")
        }
        return urls
    }

    /// Returns a server's URL with the default values of its variables, which are not expanded again.
    private static func expanded(_ template: String, variables: JSON) throws(ContractDocumentError) -> String {
        let variables = variables.object ?? [:]
        var url = ""
        var rest = template[...]
        while url.utf8.count <= maximumURLBytes, let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            url.append(contentsOf: rest[..<open])
            let name = String(rest[rest.index(after: open)..<close])
            if let variable = variables[name] {
                url.append(variable.default.string ?? "")
            } else {
                url.append(contentsOf: rest[open...close])
            }
            rest = rest[rest.index(after: close)...]
        }
        url.append(contentsOf: rest)
        guard url.utf8.count <= maximumURLBytes else {
            throw ContractDocumentError(
                "the URL of a server is longer than \(maximumURLBytes) bytes: shorten it, or its defaults")
        }
        return url
    }

    /// Throws unless the document allows a request.
    ///
    /// The check compares the path below that of a server, the method, the required parameters and their types, the
    /// names of query items, the media type of the body, and a JSON or form body with its schema. It applies these
    /// keywords of a schema: `type`, `nullable`, `enum`, `const`, `required`, `properties`, `additionalProperties`,
    /// `items`, `minimum`, `maximum`, `minLength`, `maxLength`, `minItems`, `maxItems`, `allOf`, `anyOf`, `oneOf` (as
    /// `anyOf`) and `$ref`.
    ///
    /// It ignores other keywords, the servers of a path or an operation, security requirements, the contents of other
    /// media types, parameters that are objects or have the style `label` or `matrix`, and the header fields `Accept`,
    /// `Content-Type` and `Authorization`. With `patternProperties` a schema allows further members. The query item of
    /// an API key is always allowed.
    ///
    /// - Parameter request: The request, with its whole body.
    /// - Throws: ``ContractViolationError``; ``ContractDocumentError`` if the document's part for the request is not
    ///   valid, as with references in a cycle.
    public func check(_ request: RecordedRequest) throws { _ = try operation(for: request) }

    /// Returns the operation for a request that the document allows.
    func operation(for request: RecordedRequest) throws -> OpenAPIOperation {
        let candidates = pathCandidates(of: request.path)
        let match = paths.lazy.compactMap { path -> (path: OpenAPIPath, segments: [String: String])? in
            for candidate in candidates {
                if let segments = path.match(candidate) { return (path, segments) }
            }
            return nil
        }.first
        guard let match else {
            throw violation(of: request, problem: "the document has no path \(request.path)\(hint(for: candidates))")
        }
        guard let operation = OpenAPIOperation(match.path, method: request.method, document: document) else {
            let methods = match.path.methods.map { $0.uppercased() }.joined(separator: ", ")
            throw violation(
                of: request,
                problem: "\(match.path.template) has no \(request.method.rawValue), only \(methods)")
        }
        var check = RequestCheck(operation, document: document, bodySize: request.body.count)
        try check.check(request, segments: match.segments)
        guard check.problems.isEmpty else {
            throw ContractViolationError(request: request.shown, operation: operation.name, problems: check.problems)
        }
        return operation
    }

    /// Returns the operation of a method and a template.
    func operation(_ method: HTTPRequest.Method, template: String) throws -> OpenAPIOperation {
        let path = paths.first { $0.template == template }
        guard let operation = path.flatMap({ OpenAPIOperation($0, method: method, document: document) }) else {
            throw ContractDocumentError("the document has no operation \(method.rawValue) \(template)")
        }
        return operation
    }

    private func violation(of request: RecordedRequest, problem: String) -> ContractViolationError {
        ContractViolationError(request: request.shown, operation: nil, problems: [problem])
    }

    /// Returns the path of a request without that of each server that it is below of.
    private func pathCandidates(of path: String) -> [String] {
        var candidates: [String] = []
        for url in serverURLs.isEmpty ? [""] : serverURLs {
            let prefix = url.contains("://") ? (try? BaseURL(url))?.pathPrefix ?? "" : url
            guard path.hasPrefix(prefix) else { continue }
            let rest = String(path.dropFirst(prefix.count))
            if rest.isEmpty || rest.hasPrefix("/") { candidates.append(rest.isEmpty ? "/" : rest) }
        }
        return candidates
    }

    private func hint(for candidates: [String]) -> String {
        guard let path = candidates.first else {
            return "; the servers are \(serverURLs.joined(separator: ", "))"
        }
        let nearest = paths.prefix(200).map { ($0.template, MatchResult.similarity(of: $0.template, to: path)) }
            .max { $0.1 < $1.1 }
        return nearest.map { "; the nearest is \($0.0)" } ?? "; it has no paths"
    }
}
