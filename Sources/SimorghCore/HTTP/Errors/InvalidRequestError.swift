// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error for a request that cannot be sent as described; no byte of it has been sent.
public struct InvalidRequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of invalid request.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The base URL and the path do not form a URL on the base URL's host.
        case invalidURL
        /// A header field's name is not a token, or its value contains CR, LF, NUL or another control character.
        case invalidHeader
        /// The method is not a token (RFC 9110, section 9.1).
        case invalidMethod
        /// The body or the query could not be encoded.
        case encodingFailed
        /// Both a body and multipart fields are set.
        case conflictingBodyTypes
        /// A file to send is missing, or cannot be read.
        case unreadableFile
        /// The JSON to send is not valid.
        case invalidJSON
        /// A GraphQL document does not contain the operation to send.
        case invalidOperation
        /// This process already runs the same resumable upload; two at once would interfere with each other.
        case uploadUnderWay
    }

    /// The kind of fault.
    public let reason: Reason
    /// A description of the fault, its location, and the remedy; contains no credential.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - reason: The kind of fault.
    ///   - message: A description of the fault for a person.
    public init(_ reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
