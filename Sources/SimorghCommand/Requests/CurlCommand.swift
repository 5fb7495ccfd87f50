// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// A request as a curl command for a POSIX shell.
///
/// curl's own `User-Agent` and `Accept-Encoding` are kept unless the user set them.
package struct CurlCommand: Sendable {
    /// The arguments after `curl`, not quoted.
    package private(set) var arguments: [String] = []

    /// Creates the command.
    ///
    /// - Parameters:
    ///   - request: The request that the arguments describe.
    ///   - wire: The request as the library sends it: the URL encoded, the header fields validated.
    package init(_ request: RequestDescription, transportRequest wire: TransportRequest) {
        var head = wire.head
        request.apply(to: &head)
        add(method: request.method, hasBody: request.body != .none)
        if request.isVerbose { arguments.append("--verbose") }
        if let timeout = request.timeout { add("--max-time", value: Self.seconds(timeout)) }
        if let certificates = request.certificates { add("--cacert", value: certificates) }
        switch request.httpVersion {
        case .automatic: break
        case .http1Only: arguments.append("--http1.1")
        case .http2Only: arguments.append("--http2")
        case .http2PriorKnowledge: arguments.append("--http2-prior-knowledge")
        case .http3: arguments.append("--http3")
        }
        arguments += request.connection.curlArguments
        if let output = request.output { add("--output", value: output) }
        if let path = request.etagSave { add("--etag-save", value: path) }
        add(session: request)
        // Otherwise curl expands braces and brackets in the URL, and normalizes its path.
        arguments += ["--globoff", "--path-as-is"]
        if !head.headerFields.contains(.acceptEncoding), !head.headerFields.contains(.range) {
            arguments.append("--compressed")
        }
        // curl chooses its own boundary.
        if case .parts = request.body { head.headerFields[.contentType] = nil }
        for field in head.headerFields where !Self.isOurs(field) {
            add("--header", value: CurlText.header(name: field.name.rawName, value: field.value))
        }
        add(request.body, encoded: wire.body)
        arguments.append(wire.urlString)
    }

    /// The command on one line, quoted.
    package var text: String { (["curl"] + arguments.map(ShellQuoting.quoted)).joined(separator: " ") }

    private mutating func add(_ option: String, value: String) { arguments += [option, value] }

    private mutating func add(method: RequestMethod, hasBody: Bool) {
        switch method {
        case .get where !hasBody: break
        case .post where hasBody: break
        case .head: arguments.append("--head")
        default: add("--request", value: method.rawValue)
        }
    }

    private mutating func add(session request: RequestDescription) {
        switch request.credential {
        case .basic(let username, let password): add("--user", value: "\(username):\(password)")
        case .digest(let username, let password):
            arguments.append("--digest")
            add("--user", value: "\(username):\(password)")
        case .bearer(let token): add("--oauth2-bearer", value: token)
        case .sigV4(let signature):
            add("--aws-sigv4", value: signature.curlArgument)
            if let user = signature.user { add("--user", value: "\(user.accessKeyID):\(user.secretAccessKey)") }
        case nil: break
        }
        // curl would retry any method.
        if request.retries > 0, request.method.isIdempotent { add("--retry", value: "\(request.retries)") }
        if request.followsRedirects { arguments.append("--location") }
        if let jar = request.cookieJar {
            add("--cookie", value: jar)
            add("--cookie-jar", value: jar)
        }
        if let file = request.netrcFile { add("--netrc-file", value: file) }
        if let file = request.hstsFile { add("--hsts", value: file) }
    }

    /// Adds a part for curl's `--form`: a text may begin with any character, and a quoted text may contain any.
    private mutating func add(_ part: FormPart) {
        switch part.content {
        case .text(let value): add("--form-string", value: "\(part.name)=\(value)")
        case .file(let path, let type, let fileName):
            let type = type ?? MimeTypeDetector.detectMimeType(fromFile: path)?.mime ?? "application/octet-stream"
            var form = "\(part.name)=@\(Self.quoted(path));type=\(type)"
            if let fileName { form += ";filename=\(Self.quoted(fileName))" }
            add("--form", value: form)
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }

    private mutating func add(_ body: RequestDescription.Body, encoded: RequestBody) {
        switch body {
        case .none: break
        case .json, .form, .text: add("--data-raw", value: String(decoding: encoded.bytes ?? Data(), as: UTF8.self))
        case .jsonSource(.file(let path)), .source(.file(let path)), .upload(let path):
            add("--data-binary", value: "@\(path)")
        case .jsonSource(.standardInput), .source(.standardInput): add("--data-binary", value: "@-")
        case .parts(let parts): for part in parts { add(part) }
        }
    }

    /// Returns true for a header field that each program sends on its own.
    private static func isOurs(_ field: HTTPField) -> Bool {
        field.name == .accept && field.value == "*/*"
            || field.name == .userAgent && field.value == RequestExchange.userAgent
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(Double(seconds) + Double(attoseconds) / 1e18)"
    }
}
#endif
