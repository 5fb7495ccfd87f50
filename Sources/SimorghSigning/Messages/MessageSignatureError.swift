// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a message whose signature is missing, invalid, or does not cover enough (RFC 9421).
public struct MessageSignatureError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The message has no signature with the expected label, tag or key.
        case missing
        /// A field, a parameter or a key does not have the required form.
        case malformed
        /// The fields or the number of components exceed their limit.
        case tooLarge
        /// The signature uses a component, a parameter or an algorithm that is not supported.
        case unsupported
        /// The key of the signature is unknown.
        case unknownKey
        /// The signature names another algorithm than that of its key.
        case algorithmMismatch
        /// The message does not have a component that the signature covers.
        case missingComponent
        /// The signature does not cover a component that must be covered.
        case notCovered
        /// The signature has expired, is too old, or has a date in the future.
        case notCurrent
        /// The content is not the one whose digest was signed.
        case digestMismatch
        /// The signature does not belong to the message and the key.
        case invalidSignature
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

extension MessageSignatureError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
