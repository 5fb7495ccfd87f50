// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What a condition says of a request: whether it is meant, and if not, why not and how far off it is.
package struct Verdict: Sendable, Equatable {
    /// What stands in the places of a pattern.
    package var parameters: [String: String]
    /// Why the request is not meant, one reason for each thing; empty where it is.
    package var misses: [String]
    /// How near it came, from 0 to 1.
    package var closeness: Double
    /// How exactly it says what is meant.
    package var rank = Rank()

    /// How exact a condition is: of several that match, the greatest is meant most.
    package struct Rank: Sendable, Equatable, Comparable {
        /// Whether the path has places that anything may stand in.
        package var isOpen = false
        /// The segments of such a path that are written out.
        package var exact = 0
        /// The places in it that stand for one segment.
        package var places = 0
        /// Whether it has no place for all the rest.
        package var isWhole = false
        /// What is asked of the query, of the header fields, and by the user's own functions.
        package var conditions = 0

        package init(conditions: Int = 0) { self.conditions = conditions }

        private var order: (Int, Int, Int, Int) {
            isOpen ? (0, exact, places, isWhole ? 1 : 0) : (1, 0, 0, 0)
        }

        package static func < (left: Rank, right: Rank) -> Bool {
            left.order == right.order ? left.conditions < right.conditions : left.order < right.order
        }

        /// Both are asked for.
        func and(_ other: Rank) -> Rank {
            var both = isOpen ? self : other
            both.conditions = conditions + other.conditions
            return both
        }
    }

    package var isMatch: Bool { misses.isEmpty }

    package static func match(_ parameters: [String: String] = [:], _ rank: Rank = Rank()) -> Verdict {
        Verdict(parameters: parameters, misses: [], closeness: 1, rank: rank)
    }

    package static func miss(_ reason: String, closeness: Double = 0) -> Verdict {
        Verdict(parameters: [:], misses: [reason], closeness: min(closeness, 0.99))
    }

    /// Both have to hold.
    package func and(_ other: Verdict) -> Verdict {
        Verdict(
            parameters: parameters.merging(other.parameters) { $1 }, misses: misses + other.misses,
            closeness: (closeness + other.closeness) / 2, rank: rank.and(other.rank))
    }

    /// How alike two texts are, from 0 to 1: one less the share of characters to change; of long ones only the beginning.
    package static func likeness(_ left: String, _ right: String) -> Double {
        let (left, right) = (Array(left.unicodeScalars.prefix(200)), Array(right.unicodeScalars.prefix(200)))
        guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty ? 1 : 0 }
        var row = Array(0...right.count)
        for (index, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in 1...right.count {
                let changed = diagonal + (scalar == right[place - 1] ? 0 : 1)
                diagonal = row[place]
                row[place] = min(changed, min(diagonal, row[place - 1]) + 1)
            }
        }
        return 1 - Double(row[right.count]) / Double(max(left.count, right.count))
    }
}
