// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The response of a token endpoint (RFC 6749, sections 5.1 and 5.2).
package struct TokenResponse: Sendable {
    /// The longest accepted token, in bytes.
    static let maximumTokenBytes = 64 * 1024
    /// The longest accepted lifetime, in seconds: ten years.
    private static let longestLifetime = 315_360_000.0

    private let status: Int
    private let body: JSON
    private let secrets: [String]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - body: The body.
    ///   - secrets: The secrets of the request.
    package init(status: Int, body: Data, secrets: [String] = []) {
        self.status = status
        self.body = (try? JSON(parsing: body)) ?? .null
        self.secrets = secrets
    }

    /// The error that the server answered; `nil` if the response is not an error.
    ///
    /// Some servers send errors with status 200.
    var failure: EndpointErrorResponse? { EndpointErrorResponse(body, secrets: secrets) }

    /// Returns the tokens.
    ///
    /// - Parameters:
    ///   - sent: The time before the request was sent. The lifetime is counted from it by this machine's clock, so that
    ///     the clock of the server does not matter.
    ///   - type: The required type of token, `Bearer` or `DPoP`.
    ///   - isRefresh: True if the request had a refresh token.
    ///   - isExchange: True if the request was a token exchange, which can issue a token of type `N_A`.
    /// - Returns: The tokens.
    /// - Throws: The error of the server, or of a response that is not valid.
    package func token(
        sentAt sent: Date, type: String = "Bearer", isRefresh: Bool = false, isExchange: Bool = false
    ) throws(OAuthError) -> OAuthToken {
        if let failure { throw failure.error(status: status, isRefresh: isRefresh) }
        guard status == 200 else { throw .unexplained(status) }
        guard body.object != nil else { throw .invalidResponse("the body is not a JSON object", status: status) }
        guard let value = try text("access_token") else {
            throw .invalidResponse("access_token is missing", status: status)
        }
        // A token with other characters could not be sent in a header field (RFC 6750, section 2.1).
        guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidResponse("access_token has characters that a header field cannot carry", status: status)
        }
        guard let tokenType = try text("token_type") else {
            throw .invalidResponse("token_type is missing", status: status)
        }
        // A proof of possession must not be downgraded to a bearer token, and a bearer token is all that others support.
        let isAccessToken = !isExchange || tokenType.uppercased() != "N_A"
        guard !isAccessToken || tokenType.lowercased() == type.lowercased() else {
            throw .invalidResponse("token_type is not \(type)", status: status)
        }
        let expiration = try lifetime().map { sent.addingTimeInterval($0) }
        let token = AccessToken(value, expiration: expiration, refreshToken: try text("refresh_token"))
        return OAuthToken(
            token, scopes: try text("scope").map { $0.split(separator: " ").map(String.init) },
            idToken: try text("id_token"), issuedTokenType: try text("issued_token_type"), isAccessToken: isAccessToken)
    }

    private func lifetime() throws(OAuthError) -> Double? {
        let seconds: Double?
        switch body["expires_in"] {
        case .null: return nil
        case .number(let number): seconds = number.double
        // Sent by some servers, against the standard.
        case .string(let text): seconds = Double(text)
        default: seconds = nil
        }
        guard let seconds, seconds.isFinite, seconds >= 0 else {
            throw .invalidResponse("expires_in is not a number of seconds", status: status)
        }
        return min(seconds, Self.longestLifetime)
    }

    private func text(_ name: String) throws(OAuthError) -> String? {
        switch body[name] {
        case .null: return nil
        case .string(let text) where text.utf8.count <= Self.maximumTokenBytes: return text.isEmpty ? nil : text
        default: throw .invalidResponse("\(name) is not a text, or longer than 64 KiB", status: status)
        }
    }
}
