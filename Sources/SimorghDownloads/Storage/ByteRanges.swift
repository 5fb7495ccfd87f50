// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A set of byte positions of a file, as ordered ranges that neither overlap nor touch.
package struct ByteRanges: Sendable, Hashable {
    /// The ranges.
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    /// Creates a set from pairs of a start and an end, in any order; `nil` for an odd number of ends or an invalid
    /// range.
    package init?(ends: [Int64]) {
        guard ends.count.isMultiple(of: 2) else { return nil }
        for index in stride(from: 0, to: ends.count, by: 2) {
            guard ends[index] >= 0, ends[index] <= ends[index + 1] else { return nil }
            insert(ends[index]..<ends[index + 1])
        }
    }

    /// The ranges as pairs of a start and an end.
    package var ends: [Int64] { ranges.flatMap { [$0.lowerBound, $0.upperBound] } }

    /// The number of bytes.
    package var count: Int64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// The end of the range that starts at zero, or zero without such a range.
    package var prefix: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    /// The end of the last range.
    package var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Adds a range; it may overlap existing ones.
    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // The usual case: the bytes that follow the last range, or an earlier one.
        let first = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        var last = first
        var merged = range
        while last < ranges.count, ranges[last].lowerBound <= range.upperBound {
            merged = min(merged.lowerBound, ranges[last].lowerBound)..<max(merged.upperBound, ranges[last].upperBound)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: CollectionOfOne(merged))
    }

    /// Removes all positions from an offset on.
    package mutating func cut(at end: Int64) {
        ranges = ranges.compactMap { range in
            let end = min(range.upperBound, end)
            return range.lowerBound < end ? range.lowerBound..<end : nil
        }
    }

    /// Returns the missing ranges of a file of the given length.
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

    /// Returns true if the set is exactly the whole file of the given length.
    package func covers(_ total: Int64) -> Bool { total == 0 ? ranges.isEmpty : ranges == [0..<total] }
}
