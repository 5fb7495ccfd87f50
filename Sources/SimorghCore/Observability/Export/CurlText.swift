// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// A request as a curl command for a POSIX shell.
package struct CurlText: Sendable {
    /// The largest body to include in the command, in bytes.
    ///
    /// A larger one is read from a file.
    package static let maximumBodyBytes = 64 * 1024
    /// The name of the file that replaces a body that cannot be included.
    package static let placeholder = "body.bin"

    /// The options after `curl`, each with its value, unquoted; the URL is the last one.
    private var options: [[String]] = []
    /// The input that is piped into curl: the bytes of a body that an argument cannot contain.
    package private(set) var input: Data?

    package init(_ request: TransportRequest, showing rules: RedactionRules) {
        let redactor = Redactor(rules, request: request)
        add(request.head.method, hasBody: !request.body.isEmpty)
        add(request.options)
        // Without these options curl would expand braces and brackets in the URL as patterns, and shorten its path.
        options += [["--globoff"], ["--path-as-is"]]
        let fields = request.head.headerFields
        for field in fields where field.name.canonicalName != "content-length" {
            add("--header", value: Self.header(name: field.name.rawName, value: redactor.field(field)))
        }
        if !fields.contains(.contentType), !request.body.isEmpty {
            // An empty field prevents curl from adding its own.
            add("--header", value: request.body.contentType.map { "Content-Type: \($0)" } ?? "Content-Type:")
        }
        add(request.body, type: fields[.contentType] ?? request.body.contentType, redactor: redactor)
        options.append([redactor.url(request.urlString)])
    }

    /// Returns the command.
    ///
    /// - Parameter isPretty: True to put each option on its own line.
    /// - Returns: The quoted command.
    package func text(isPretty: Bool) -> String {
        let feed = input.map { "printf \(ShellQuoting.printf($0)) | " } ?? ""
        let words = options.map { $0.map(ShellQuoting.quoted).joined(separator: " ") }
        return feed + (["curl"] + words).joined(separator: isPretty ? " \\\n  " : " ")
    }

    /// The arguments after `curl`, unquoted.
    package var arguments: [String] { options.flatMap { $0 } }

    private mutating func add(_ option: String, value: String) { options.append([option, value]) }

    private mutating func add(_ method: HTTPRequest.Method, hasBody: Bool) {
        switch method {
        case .get where !hasBody: break
        case .post where hasBody: break
        case .head: options.append(["--head"])
        default: add("--request", value: method.rawValue)
        }
    }

    private mutating func add(_ options: TransportOptions) {
        switch options.httpVersion {
        case .automatic: break
        case .http1Only: self.options.append(["--http1.1"])
        case .http2Only: self.options.append(["--http2"])
        case .http2PriorKnowledge: self.options.append(["--http2-prior-knowledge"])
        case .http3: self.options.append(["--http3"])
        }
        if options.decompresses { self.options.append(["--compressed"]) }
    }

    private mutating func add(_ body: RequestBody, type: String?, redactor: Redactor) {
        guard !body.isEmpty else { return }
        guard let bytes = body.bytes, bytes.count <= Self.maximumBodyBytes else {
            add("--data-binary", value: "@\(Self.placeholder)")
            return
        }
        let kind = RedactedBody.Kind(type: type, start: bytes.prefix(512))
        if kind != .binary, !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
            let shown: String =
                switch kind {
                case .json: redactor.json(bytes)
                case .form: redactor.form(text)
                case .text, .binary: redactor.text(text)
                }
            // The pipe keeps control characters out of the command, which is often pasted, and each carriage return.
            if ShellQuoting.needsPipe(shown) {
                input = Data(shown.utf8)
                add("--data-binary", value: "@-")
            } else {
                add("--data-raw", value: shown)
            }
        } else if redactor.rules.isOn {
            // Secrets in binary data cannot be found.
            add("--data-binary", value: "@\(Self.placeholder)")
        } else {
            input = bytes
            add("--data-binary", value: "@-")
        }
    }

    /// Returns a field in curl's syntax: without the semicolon, an empty value would remove the field.
    package static func header(name: String, value: String) -> String {
        value.isEmpty ? "\(name);" : "\(name): \(value)"
    }
}

extension TransportRequest {
    /// Returns the request as a curl command for a POSIX shell, which a colleague or the server's operators can run.
    ///
    /// It omits `Content-Length` and the settings of the connection: timeouts, route and trust. A body in memory is
    /// part of the command. A streamed body, a body of more than 64 KiB and, unless redaction is off, a body that is
    /// not text are read from the file `body.bin`.
    ///
    /// - Parameters:
    ///   - rules: The redaction rules. By default credentials are redacted, and must be filled in before the command
    ///     runs.
    ///   - prettyPrinted: True to put each option on its own line. Default: false.
    /// - Returns: The command.
    public func cURL(showing rules: RedactionRules = .standard, prettyPrinted: Bool = false) -> String {
        CurlText(self, showing: rules).text(isPretty: prettyPrinted)
    }
}
