// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A redirect that could not be followed: the ``TransportError/underlying`` error.
public struct RedirectError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why a redirect could not be followed.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// There were more redirects than ``RedirectPolicy/limit``.
        case tooMany
        /// There were more redirects than the limit, and a URL occurred twice.
        case loop
        /// The redirect leads from `https` to `http`.
        case downgrade
        /// The redirect leads to a scheme other than HTTP.
        case unsupportedScheme
        /// The `Location` is invalid: it has control characters or an invalid host, or there are several of them.
        case invalidLocation
        /// The redirect keeps the method, and the body can be sent only once.
        case bodyCannotBeSentAgain
        /// The redirect leads a write with a condition, such as `If-Match`, to another origin, where it has no meaning.
        case conditionForAnotherOrigin
    }

    /// The reason.
    public let reason: Reason
    /// The status code of the redirect.
    public let statusCode: Int
    /// The URL that sent the redirect.
    public let from: String
    /// The `Location` as received, except for a redacted API key of the client.
    ///
    /// Messages do not include it, since it may hold a credential.
    public let location: String
    /// The redirects that were followed before.
    public let history: [Redirection]
    /// A description of the failure.
    public let description: String

    package init(
        _ reason: Reason, message: String, statusCode: Int, from: String, location: String, history: [Redirection]
    ) {
        self.reason = reason
        description = message
        self.statusCode = statusCode
        self.from = from
        self.location = location
        self.history = history
    }

    private var code: TransportError.Code {
        switch reason {
        case .tooMany, .loop: .httpTooManyRedirects
        case .downgrade: .appTransportSecurityRequiresSecureConnection
        case .unsupportedScheme: .unsupportedURL
        case .invalidLocation: .redirectToNonExistentLocation
        case .bodyCannotBeSentAgain: .requestBodyStreamExhausted
        case .conditionForAnotherOrigin: .badServerResponse
        }
    }

    /// This failure as a transport error.
    package var transportError: TransportError {
        TransportError(code, phase: .head, message: description, requestMayHaveBeenSent: true, underlying: self)
    }
}
