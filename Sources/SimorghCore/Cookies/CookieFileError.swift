// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a cookie file that could not be read or written.
public struct CookieFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file exists but cannot be read, or is not a regular file.
        case unreadable
        /// The file is not a valid cookie file, or is incomplete.
        case damaged
        /// The file cannot be written; the previous file is unchanged.
        case unwritable
    }

    /// The kind of failure.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// A sentence for a person that describes the failure; contains no cookie.
    public let description: String

    init(_ reason: Reason, path: String, message: String) {
        self.reason = reason
        self.path = path
        description = "\(path) \(message)"
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension CookieFileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
