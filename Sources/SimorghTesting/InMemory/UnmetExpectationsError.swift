// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error for requests without a stub or responses that were not used.
public struct UnmetExpectationsError: Error, Sendable, CustomStringConvertible {
    /// The requests without a stub, one line each.
    ///
    /// Of their queries only the names are shown.
    public let unmatched: [String]
    /// The rules with unused responses, one line each.
    public let unused: [String]

    /// Both lists, in a sentence.
    public var description: String {
        var parts: [String] = []
        if !unmatched.isEmpty {
            parts.append("requests without a stub: \(unmatched.joined(separator: ", "))")
        }
        if !unused.isEmpty { parts.append("unused responses: \(unused.joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }

    package static func check(
        _ unmatched: [RecordedRequest], registry: StubRegistry, additional: [String] = []
    ) throws {
        let unused = registry.unusedResponses + additional
        guard !unmatched.isEmpty || !unused.isEmpty else { return }
        throw UnmetExpectationsError(unmatched: unmatched.map(\.shown), unused: unused)
    }
}
