// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a file of an ``HSTSStore`` that could not be read or written.
public struct HSTSFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file cannot be read, or is not a regular file.
        case unreadable
        /// The file has a line that does not follow the format, or is too large; it is not replaced.
        case damaged
        /// Other users of the machine can write to the file, and could remove hosts from it.
        case writableByOthers
        /// The file cannot be written; the previous file is unchanged.
        case unwritable
    }

    /// The kind of failure.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// The number of the line that does not follow the format, from 1; `nil` for other failures.
    public let line: Int?
    /// A sentence for a person that describes the failure.
    public let description: String

    init(_ reason: Reason, path: String, line: Int? = nil, message: String) {
        self.reason = reason
        self.path = path
        self.line = line
        description = "\(path)\(line.map { ":\($0):" } ?? "") \(message)"
    }

    /// Creates the error of a failure to read or write the file.
    init(_ error: PrivateFile.FileError, path: String, isWriting: Bool = false) {
        let kind = isWriting ? Reason.unwritable : .unreadable
        switch error {
        case .invalidPath: self.init(kind, path: path, message: "is not a valid path")
        case .notRegular: self.init(kind, path: path, message: "is not a regular file")
        case .tooLarge: self.init(.damaged, path: path, message: "is too large")
        case .writableByOthers:
            self.init(
                .writableByOthers, path: path,
                message: "belongs to another user or can be written by others: use chmod 600")
        case .system(let code):
            self.init(
                kind, path: path,
                message: "could not be \(isWriting ? "written" : "read"): \(String(cString: strerror(code)))")
        }
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension HSTSFileError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
