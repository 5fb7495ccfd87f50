// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A request that cannot be sent as it was described; nothing has left this machine.
public struct InvalidRequest: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The base URL or the path gives no URL that stays on the base's host.
        case invalidURL
        /// A header field's name or value holds what no field may: CR, LF, NUL, or a name that is not a token.
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
        /// The same resumable upload is being made in this process; two at once would undo each other's work.
        case uploadUnderWay
    }

    /// What is wrong.
    public let reason: Reason
    /// What exactly, where, and what to do about it; names no credential.
    public let message: String

    /// Creates a refusal.
    ///
    /// - Parameters:
    ///   - reason: What is wrong.
    ///   - message: What exactly, for a person.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
