// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An error for a `.netrc` file that could not be read.
public struct NetrcError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The file does not exist, cannot be read, or is not a regular file.
        case unreadable
        /// The text does not follow the format.
        case malformed
        /// The text, an item or the number of machines is too large.
        case tooLarge
    }

    /// The kind of failure.
    public let reason: Reason
    /// The path of the file; `nil` for a text.
    public internal(set) var path: String?
    /// The number of the line, from 1; `nil` if the failure has no line.
    public let line: Int?
    private let message: String

    init(_ reason: Reason, path: String? = nil, line: Int? = nil, message: String) {
        self.reason = reason
        self.path = path
        self.line = line
        self.message = message
    }

    /// A sentence for a person that describes the failure; contains no part of the file.
    public var description: String {
        let place = [path, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
        return place.isEmpty ? message : "\(place): \(message)"
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension NetrcError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
