// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// A request as a command for curl, to be pasted into a POSIX shell.
package struct CurlText: Sendable {
    /// A larger body is not written out, but taken from a file, in bytes.
    package static let longestBody = 64 * 1024
    /// The file that stands for a body that cannot be written out.
    package static let placeholder = "body.bin"

    /// The options after `curl`, each with its value, not quoted; the URL is the last.
    private var options: [[String]] = []
    /// What is piped into it: the bytes of a body that no argument can hold.
    package private(set) var input: Data?

    package init(_ request: TransportRequest, showing rules: RedactionRules) {
        let redactor = Redactor(rules, request)
        add(request.head.method, hasBody: !request.body.isEmpty)
        add(request.options)
        // Without this curl would take braces and brackets of the URL for patterns, and shorten its path.
        options += [["--globoff"], ["--path-as-is"]]
        let fields = request.head.headerFields
        for field in fields where field.name.canonicalName != "content-length" {
            add("--header", Self.header(field.name.rawName, redactor.field(field)))
        }
        if !fields.contains(.contentType), !request.body.isEmpty {
            // An empty one keeps curl from adding its own.
            add("--header", request.body.contentType.map { "Content-Type: \($0)" } ?? "Content-Type:")
        }
        add(request.body, fields[.contentType] ?? request.body.contentType, redactor)
        options.append([redactor.url(request.urlString)])
    }

    /// The command.
    ///
    /// - Parameter isPretty: Whether each option has a line of its own.
    /// - Returns: The command, quoted.
    package func text(isPretty: Bool) -> String {
        let feed = input.map { "printf \(ShellQuoting.printf($0)) | " } ?? ""
        let words = options.map { $0.map(ShellQuoting.quoted).joined(separator: " ") }
        return feed + (["curl"] + words).joined(separator: isPretty ? " \\\n  " : " ")
    }

    /// The arguments after `curl`, not quoted.
    package var arguments: [String] { options.flatMap { $0 } }

    private mutating func add(_ option: String, _ value: String) { options.append([option, value]) }

    private mutating func add(_ method: HTTPRequest.Method, hasBody: Bool) {
        switch method {
        case .get where !hasBody: break
        case .post where hasBody: break
        case .head: options.append(["--head"])
        default: add("--request", method.rawValue)
        }
    }

    private mutating func add(_ options: TransportOptions) {
        switch options.httpVersion {
        case .automatic: break
        case .http1Only: self.options.append(["--http1.1"])
        case .http2Only: self.options.append(["--http2"])
        case .http2PriorKnowledge: self.options.append(["--http2-prior-knowledge"])
        }
        if options.decompresses { self.options.append(["--compressed"]) }
    }

    private mutating func add(_ body: RequestBody, _ type: String?, _ redactor: Redactor) {
        guard !body.isEmpty else { return }
        guard let bytes = body.bytes, bytes.count <= Self.longestBody else {
            add("--data-binary", "@\(Self.placeholder)")
            return
        }
        let kind = ShownBody.Kind(type, bytes.prefix(512))
        if kind != .binary, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
            let shown: String =
                switch kind {
                case .json: redactor.json(bytes)
                case .form: redactor.form(text)
                case .text, .binary: redactor.text(text)
                }
            add("--data-raw", shown)
        } else if redactor.rules.isOn {
            // Nobody can say what is in it.
            add("--data-binary", "@\(Self.placeholder)")
        } else {
            input = bytes
            add("--data-binary", "@-")
        }
    }

    /// A field as curl wants it: an empty one would remove the field unless it ends in a semicolon.
    package static func header(_ name: String, _ value: String) -> String {
        value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
}
