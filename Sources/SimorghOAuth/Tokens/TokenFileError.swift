// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An error of a ``FileTokenStore``.
public struct TokenFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file cannot be read, or is not a regular file.
        case unreadable
        /// The file is not one that the store wrote.
        case damaged
        /// Other users of the machine can read or change the file.
        case exposed
        /// The file cannot be written; the previous file is unchanged.
        case unwritable
        /// Another process has had exclusive access for longer than the store waits, or the lock cannot be acquired.
        case locked
    }

    /// The kind of failure.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// A sentence for a person that describes the failure; contains no token.
    public let description: String

    init(_ reason: Reason, path: String, message: String) {
        self.reason = reason
        self.path = path
        description = "\(path) \(message)"
    }

    init(_ error: PrivateFile.FileError, path: String, isWriting: Bool = false) {
        let kind = isWriting ? Reason.unwritable : .unreadable
        switch error {
        case .invalidPath: self.init(kind, path: path, message: "is not a valid path")
        case .notRegular: self.init(kind, path: path, message: "is not a regular file")
        case .tooLarge: self.init(.damaged, path: path, message: "is too large for a file with a token")
        case .writableByOthers:
            self.init(
                .exposed, path: path, message: "belongs to another user or can be written by others: use chmod 600")
        case .system(let code):
            self.init(
                kind, path: path,
                message: "could not be \(isWriting ? "written" : "read"): \(String(cString: strerror(code)))")
        }
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension TokenFileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
