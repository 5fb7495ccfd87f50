// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Why a redirect could not be followed: what ``TransportError/underlying`` holds then.
public struct RedirectFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What stands against it.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// There were more than ``RedirectPolicy/limit``.
        case tooMany
        /// There were more than the limit, and they led in a circle.
        case loop
        /// It leads from `https` to `http`.
        case downgrade
        /// It leads to a scheme that is not of HTTP.
        case unsupportedScheme
        /// The `Location` is no URL that can be asked: control characters, credentials, a host that is none.
        case invalidLocation
        /// The method stays, and the body can be sent only once.
        case bodyCannotBeSentAgain
    }

    /// What stands against it.
    public let reason: Reason
    /// The status of the redirect.
    public let statusCode: Int
    /// The URL that answered.
    public let from: String
    /// The `Location` it gave, as it was sent but for a key of ours; no message repeats it, as it may hold a credential.
    public let location: String
    /// The redirects that were followed before.
    public let history: [Redirection]
    /// What happened, in a sentence for a person.
    public let description: String

    package init(
        _ reason: Reason, _ message: String, statusCode: Int, from: String, location: String, history: [Redirection]
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
        }
    }

    /// This failure as that of an exchange.
    package var transportError: TransportError {
        TransportError(code, phase: .head, message: description, requestMayHaveBeenSent: true, underlying: self)
    }
}
