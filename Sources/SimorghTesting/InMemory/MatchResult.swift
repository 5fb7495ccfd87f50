// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The result of matching a condition against a request: a match, or the reasons against it and how close it comes.
package struct MatchResult: Sendable, Equatable {
    /// The segments that matched the placeholders of a pattern.
    package var parameters: [String: String]
    /// The reasons why the request does not match, one for each part; empty for a match.
    package var misses: [String]
    /// The similarity, from 0 to 1.
    package var closeness: Double
    /// The specificity of the condition.
    package var rank = Rank()

    /// The specificity of a condition: if several match, the greatest wins.
    package struct Rank: Sendable, Equatable, Comparable {
        /// True if the path has placeholders.
        package var isOpen = false
        /// The number of literal segments in such a path.
        package var exact = 0
        /// The number of placeholders for one segment in it.
        package var placeholders = 0
        /// True if it has no placeholder for the rest of the path.
        package var isWhole = false
        /// The number of conditions on the query and header fields, and of custom functions.
        package var conditions = 0

        package init(conditions: Int = 0) { self.conditions = conditions }

        private var order: (Int, Int, Int, Int) {
            isOpen ? (0, exact, placeholders, isWhole ? 1 : 0) : (1, 0, 0, 0)
        }

        package static func < (left: Rank, right: Rank) -> Bool {
            left.order == right.order ? left.conditions < right.conditions : left.order < right.order
        }

        /// Returns the rank of two conditions that both have to match.
        func and(_ other: Rank) -> Rank {
            var both = isOpen ? self : other
            both.conditions = conditions + other.conditions
            return both
        }
    }

    package var isMatch: Bool { misses.isEmpty }

    package static func match(_ parameters: [String: String] = [:], rank: Rank = Rank()) -> MatchResult {
        MatchResult(parameters: parameters, misses: [], closeness: 1, rank: rank)
    }

    package static func miss(_ reason: String, closeness: Double = 0) -> MatchResult {
        MatchResult(parameters: [:], misses: [reason], closeness: min(closeness, 0.99))
    }

    /// Combines the results of two conditions that both have to match.
    package func and(_ other: MatchResult) -> MatchResult {
        MatchResult(
            parameters: parameters.merging(other.parameters) { $1 }, misses: misses + other.misses,
            closeness: (closeness + other.closeness) / 2, rank: rank.and(other.rank))
    }

    /// Returns the similarity of two texts, from 0 to 1: one minus the share of edited characters.
    ///
    /// Only the first 200 count.
    package static func similarity(of left: String, to right: String) -> Double {
        let (left, right) = (Array(left.unicodeScalars.prefix(200)), Array(right.unicodeScalars.prefix(200)))
        guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty ? 1 : 0 }
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in 1...right.count {
                let changed = diagonal + (scalar == right[column - 1] ? 0 : 1)
                diagonal = row[column]
                row[column] = min(changed, min(diagonal, row[column - 1]) + 1)
            }
        }
        return 1 - Double(row[right.count]) / Double(max(left.count, right.count))
    }
}
