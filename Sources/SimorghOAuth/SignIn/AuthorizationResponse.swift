// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The redirect that ends a sign-in with a browser (RFC 6749, section 4.1.2), as a value that is checked.
package struct AuthorizationResponse: Sendable {
    /// The longest URL of a redirect, in bytes.
    static let maximumBytes = 16 * 1024
    private static let names: Set<String> = ["state", "code", "error", "error_description", "iss"]

    private let path: Substring
    /// The first value of each parameter.
    private let values: [String: String]
    /// A parameter that occurs more than once, which makes the response invalid (RFC 6749, section 3.1).
    private let repeated: String?

    /// Parses a URL, or a path with a query.
    ///
    /// - Parameter url: The URL.
    /// - Throws: An error if it is too long.
    package init(_ url: String) throws(OAuthError) {
        guard url.utf8.count <= Self.maximumBytes else { throw .invalidResponse("the redirect is longer than 16 KiB") }
        let reference = url.prefix { $0 != "#" }
        let (path, query) = reference.halves(at: "?").map { ($0.before, $0.behind) } ?? (reference, "")
        self.path = path
        var values: [String: String] = [:]
        var repeated: String?
        for part in query.split(separator: "&") {
            let (name, value) = part.halves(at: "=").map { ($0.before, $0.behind) } ?? (part, "")
            let key = Self.decoded(name)
            guard Self.names.contains(key) else { continue }
            if values[key] == nil { values[key] = Self.decoded(value) } else { repeated = key }
        }
        self.values = values
        self.repeated = repeated
    }

    private static func decoded(_ text: Substring) -> String {
        String(decoding: PercentEncoding.decoded(Array(text.replacing("+", with: " ").utf8)), as: UTF8.self)
    }

    /// Returns the code.
    ///
    /// - Parameters:
    ///   - request: The sign-in.
    ///   - server: The server.
    /// - Returns: The code.
    /// - Throws: An error if the response belongs to another sign-in, or is an error of the server.
    func code(for request: AuthorizationRequest, of server: OAuthServer) throws(OAuthError) -> String {
        let expected = request.redirectURI.prefix { $0 != "?" && $0 != "#" }
        guard path == expected || path.hasPrefix("/") && path == Self.path(of: expected) else {
            throw .invalidResponse("the redirect went to another URL")
        }
        // Checked before all else: nothing in a response to another request can be believed.
        guard belongs(to: request) else {
            throw OAuthError(
                .stateMismatch,
                message: "the redirect does not belong to this sign-in (state): it may be an attack; begin again")
        }
        if let repeated { throw .invalidResponse("the redirect has \(repeated) more than once") }
        try checkIssuer(server)
        if let error = values["error"] {
            guard
                let failure = EndpointErrorResponse(
                    code: error, description: values["error_description"], secrets: [request.state])
            else { throw .invalidResponse("the redirect has an invalid error code") }
            throw failure.error(status: nil)
        }
        guard let code = values["code"], !code.isEmpty else { throw .invalidResponse("the redirect has no code") }
        return code
    }

    /// Returns true if the response has the state of a sign-in, which only the server and the browser know.
    func belongs(to request: AuthorizationRequest) -> Bool {
        values["state"].map { Self.isSame($0, request.state) } ?? false
    }

    /// The error code that the response claims, with the characters of the standard; `nil` without one.
    var claimedError: String? {
        values["error"].flatMap { EndpointErrorResponse(code: $0, description: nil, secrets: [])?.code }
    }

    /// Returns the part of a URL after its host.
    private static func path(of url: Substring) -> Substring? {
        guard let rest = url.firstRange(of: "://").map({ url[$0.upperBound...] }) else { return nil }
        return rest.firstIndex(of: "/").map { rest[$0...] }
    }

    /// Checks that the server that was asked has answered (RFC 9207, section 2.4).
    private func checkIssuer(_ server: OAuthServer) throws(OAuthError) {
        guard let issuer = values["iss"] else {
            guard !server.namesIssuer else {
                throw OAuthError(
                    .issuerMismatch, message: "the redirect does not name its issuer, which this server always does")
            }
            return
        }
        guard let expected = server.issuer else { return }
        guard issuer == expected else {
            throw OAuthError(
                .issuerMismatch,
                message: "the redirect is from another authorization server than the one that was asked")
        }
    }

    /// Compares in constant time for texts of the same length.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
