// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import SimorghCore
public import SimorghSupport

/// A status code as an error, thrown by `Plugins.StatusCode`.
public struct StatusCode: Error, Sendable, Hashable {
    /// The status code; -1 if there was no response.
    public let rawValue: Int

    /// The error of a call without a response.
    public static let none = StatusCode(-1)

    /// Creates an error.
    ///
    /// - Parameter rawValue: The code.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// The class of the code (RFC 9110, section 15).
    public var kind: HTTPResponse.Status.Kind { HTTPResponse.Status(code: max(0, rawValue)).kind }
}

extension StatusCode: CustomStringConvertible {
    /// The code and its reason phrase, such as `404 Not Found`.
    public var description: String {
        guard (0...999).contains(rawValue) else { return "no status" }
        let phrase = HTTPResponse.Status(code: rawValue).reasonPhrase
        return phrase.isEmpty ? "\(rawValue)" : "\(rawValue) \(phrase)"
    }
}

extension StatusCode: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
