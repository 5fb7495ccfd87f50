// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An error for credentials of AWS that could not be obtained.
///
/// Retries do not repeat a request because of it: for five seconds the source would fail again with the same error.
public struct AWSCredentialsError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The source has no credentials.
        case notFound
        /// A file cannot be read, or it is larger than 1 MiB.
        case unreadable
        /// A file, a variable or a response does not have the expected form.
        case malformed
        /// The profile or the environment names a role, a sign-in or a program, which are not supported.
        case unsupported
        /// The address of an endpoint is not on this machine or its local network, and has no `https`.
        case untrustedEndpoint
        /// The endpoint could not be reached, or it rejected the request.
        case unavailable
        /// The credentials have expired, and the source has no newer ones.
        case expired
    }

    /// The kind of failure.
    public let reason: Reason
    private let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// A sentence for a person that describes the failure; contains no credential.
    public var description: String { message }
}

extension AWSCredentialsError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
