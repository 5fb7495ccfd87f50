// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A file of cookies could not be read or written.
public struct CookieFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file is there and cannot be read, or is no regular file.
        case unreadable
        /// The file is not one of cookies, or only a part of one.
        case damaged
        /// The file cannot be written; the one before it is untouched.
        case unwritable
    }

    /// What went wrong.
    public let reason: Reason
    /// The file.
    public let path: String
    /// What happened, in a sentence for a person; names no cookie.
    public let description: String

    init(_ reason: Reason, _ path: String, _ message: String) {
        self.reason = reason
        self.path = path
        description = "\(path) \(message)"
    }
}
