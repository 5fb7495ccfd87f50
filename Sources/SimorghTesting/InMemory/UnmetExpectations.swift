// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a test had prepared did not happen, or something else did.
public struct UnmetExpectations: Error, Sendable, CustomStringConvertible {
    /// The requests that nothing was prepared for, one line each; of their queries the names alone.
    public let unmatched: [String]
    /// The rules with answers that nobody asked for, one line each.
    public let unused: [String]

    /// Both lists, in a sentence.
    public var description: String {
        var parts: [String] = []
        if !unmatched.isEmpty {
            parts.append("requests that nothing was prepared for: \(unmatched.joined(separator: ", "))")
        }
        if !unused.isEmpty { parts.append("answers that nobody asked for: \(unused.joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }

    package static func check(_ unmatched: [RecordedRequest], _ book: AnswerBook, _ more: [String] = []) throws {
        let unused = book.leftOver + more
        guard !unmatched.isEmpty || !unused.isEmpty else { return }
        throw UnmetExpectations(unmatched: unmatched.map(\.shown), unused: unused)
    }
}
