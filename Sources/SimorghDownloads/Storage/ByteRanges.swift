// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which bytes of a file are there: ranges in order, none of which touch.
package struct ByteRanges: Sendable, Hashable {
    /// The ranges.
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    /// Ranges in any order, as pairs of a beginning and an end; `nil` for an odd number of ends, and for what is no range.
    package init?(ends: [Int64]) {
        guard ends.count.isMultiple(of: 2) else { return nil }
        for index in stride(from: 0, to: ends.count, by: 2) {
            guard ends[index] >= 0, ends[index] <= ends[index + 1] else { return nil }
            insert(ends[index]..<ends[index + 1])
        }
    }

    /// The ranges as pairs of a beginning and an end.
    package var ends: [Int64] { ranges.flatMap { [$0.lowerBound, $0.upperBound] } }

    /// How many bytes are there.
    package var count: Int64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// Up to where there is no gap.
    package var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// Where the last range ends.
    package var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Adds bytes; those that are there already stay.
    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // The usual case: the next bytes of the last range, or of one before it.
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        var last = first
        var merged = range
        while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
            merged = min(merged.lowerBound, ranges[last].lowerBound)..<max(merged.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: CollectionOfOne(merged))
    }

    /// Forgets what lies at and behind an end.
    package mutating func cut(at end: Int64) {
        ranges = ranges.compactMap { range in
            let end = min(range.upperBound, end)
            return range.lowerBound < end ? range.lowerBound..<end : nil
        }
    }

    /// What is missing of a whole.
    package func missing(of total: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position: Int64 = 0
        for range in ranges where position < total {
            if range.lowerBound > position { gaps.append(position..<min(range.lowerBound, total)) }
            position = max(position, range.upperBound)
        }
        if position < total { gaps.append(position..<total) }
        return gaps
    }

    /// Whether all of a whole is there, and nothing else.
    package func covers(_ total: Int64) -> Bool { total == 0 ? ranges.isEmpty : ranges == [0..<total] }
}
