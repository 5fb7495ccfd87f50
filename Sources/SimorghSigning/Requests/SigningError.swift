// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An error for a request that cannot be signed; the request has not been sent.
///
/// It reaches the caller as the cause of ``/SimorghCore/NetworkError/responseError(_:)``.
public struct SigningError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The region, the service, the key identifier or another setting of the signer is invalid.
        case invalidSetting
        /// The body cannot be hashed before it is sent, and the service or the connection requires its hash.
        case bodyNotSignable
        /// The request has no value for a part that the signature must cover, or one that cannot be signed.
        case missingComponent
        /// The URL is not a complete URL of http or https.
        case invalidURL
        /// The connection is not encrypted, although the signature does not cover the body.
        case insecure
    }

    /// The kind of failure.
    public let reason: Reason
    private let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// A sentence for a person that describes the failure; contains no key and no signature.
    public var description: String { message }
}

extension SigningError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
