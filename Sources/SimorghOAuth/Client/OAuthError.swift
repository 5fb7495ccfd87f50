// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An error of a sign-in, or of a request for a token.
///
/// Neither the error nor its description holds a token, a code, a client secret or a body of the server.
public struct OAuthError: Error, Sendable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The server answered with an error; see ``OAuthError/code``.
        case rejected
        /// There is no refresh token, or the server rejected it: the user has to sign in again.
        case signInRequired
        /// The user or the server denied access (`access_denied`).
        case denied
        /// The user did not complete the sign-in in time.
        case expired
        /// The response does not follow the standard, or has an unexpected type of token.
        case invalidResponse
        /// The server could not be reached; see ``OAuthError/underlying``.
        case unreachable
        /// A URL is invalid, or would send secrets without TLS to another machine.
        case insecureURL
        /// The `state` of the redirect is not that of the request: the response belongs to another sign-in.
        case stateMismatch
        /// The issuer is not the server that was asked (RFC 8414, section 3.3, and RFC 9207).
        case issuerMismatch
        /// The server has no endpoint for the operation, or does not support what the client requires.
        case unsupported
        /// The listener for the redirect could not be opened, or failed.
        case listenerFailed
        /// A key cannot be read, or could not sign.
        case signingFailed
    }

    /// The kind of failure.
    public let reason: Reason
    /// The error code of the server, such as `invalid_grant`; `nil` if the server sent none.
    public let code: String?
    /// The status of the response; `nil` without a response.
    public let statusCode: Int?
    /// The error that caused this one; `nil` without a cause.
    public let underlying: (any Error)?
    /// A sentence for a person that describes the failure.
    public let description: String

    package init(
        _ reason: Reason, message: String, code: String? = nil, statusCode: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        self.reason = reason
        self.code = code
        self.statusCode = statusCode
        self.underlying = underlying
        description = message
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension OAuthError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

extension OAuthError {
    static func invalidResponse(_ message: String, status: Int? = nil) -> OAuthError {
        OAuthError(
            .invalidResponse, message: "the authorization server sent an invalid response: \(message)",
            statusCode: status)
    }

    static func insecureURL(_ name: String, _ message: String) -> OAuthError {
        OAuthError(.insecureURL, message: "the \(name) cannot be used: \(message)")
    }

    /// Returns the error of a response that is neither a success nor an error of the standard.
    static func unexplained(_ status: Int) -> OAuthError {
        OAuthError(
            .invalidResponse, message: "the authorization server answered \(status) without an OAuth error",
            statusCode: status)
    }

    static func unsupported(_ message: String) -> OAuthError { OAuthError(.unsupported, message: message) }
}
