// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a response that failed the verification of its digest.
///
/// It reaches the caller as the cause in ``/SimorghCore/NetworkError/responseError(_:)``, or of an error of a streamed body.
public struct ContentDigestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The content is not the one that the server hashed.
        case mismatch
        /// The response has no digest by a known algorithm, although one is required.
        case missing
        /// The field is malformed.
        case malformedField
    }

    /// The kind of fault.
    public let reason: Reason
    /// The field; for a missing digest, the one that was looked for last.
    public let field: ContentDigest.Field
    /// The digest that the server sent.
    public let expected: ContentDigest?
    /// The digest of the received content.
    public let actual: ContentDigest?

    init(
        _ reason: Reason, field: ContentDigest.Field, expected: ContentDigest? = nil, actual: ContentDigest? = nil
    ) {
        self.reason = reason
        self.field = field
        self.expected = expected
        self.actual = actual
    }

    /// A message with both digests.
    public var description: String {
        switch reason {
        case .mismatch:
            "the content has the digest \(actual?.description ?? ""), but \(field.rawValue) is"
                + " \(expected?.description ?? "")"
        case .missing: "the response has no digest by sha-256 or sha-512, which is required"
        case .malformedField: "the field \(field.rawValue) of the response is malformed (RFC 9530)"
        }
    }
}

extension ContentDigestError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
