// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Distributes the missing bytes of a file among connections.
///
/// A free connection gets a gap, or the second half of another connection's remaining bytes: of the largest remainder,
/// and near the end of the one that would take longest.
package struct SegmentPlanner: Sendable {
    /// A range that one connection fetches.
    package struct Segment: Sendable, Hashable, Identifiable {
        package let id: Int
        /// The first byte.
        package let start: Int64
        /// The next byte to receive.
        package fileprivate(set) var position: Int64
        /// The byte after the last one; a split moves it towards the start.
        package fileprivate(set) var end: Int64
        /// The time at which it was assigned.
        fileprivate let since: Duration

        package var rest: Int64 { end - position }
    }

    /// The smallest segment worth a request of its own, in bytes.
    package let minimum: Int64
    /// The largest number of connections.
    package var limit: Int
    private var gaps: [Range<Int64>]
    private var active: [Int: Segment] = [:]
    private var nextID = 0

    /// A remainder that takes longer than this is split, however small it is.
    private static let slowRemainderDuration: Duration = .seconds(2)
    /// The smallest remainder to split, in bytes: less arrives sooner than the response to another request.
    private static let minimumSplitBytes: Int64 = 64 * 1024
    /// A remainder that arrives sooner than this is not split: most of it may be in flight and would be received twice.
    private static let minimumRemainderDuration: Duration = .milliseconds(200)

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - missing: The missing ranges, in order.
    ///   - limit: The largest number of connections.
    ///   - minimum: The smallest segment worth a request of its own, in bytes.
    package init(missing: [Range<Int64>], limit: Int, minimum: Int64) {
        gaps = missing.filter { !$0.isEmpty }.reversed()
        self.limit = max(1, limit)
        self.minimum = max(1, minimum)
    }

    /// Splits the missing ranges into about as many equal pieces as there may be connections.
    ///
    /// Each connection then requests exactly the bytes that it will read.
    package static func shares(of missing: [Range<Int64>], among limit: Int, minimum: Int64) -> [Range<Int64>] {
        let total = missing.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        let size = max(max(1, minimum), (total + Int64(max(1, limit)) - 1) / Int64(max(1, limit)))
        return missing.flatMap { gap -> [Range<Int64>] in
            let length = gap.upperBound - gap.lowerBound
            let count = max(1, length / size)
            return (0..<count).map { index in
                gap.lowerBound + length / count
                    * index..<(index == count - 1 ? gap.upperBound : gap.lowerBound + length / count * (index + 1))
            }
        }
    }

    /// The segments being fetched, in the order of the file.
    package var segments: [Segment] { active.values.sorted { $0.position < $1.position } }
    /// True if no byte is missing.
    package var isDone: Bool { gaps.isEmpty && active.isEmpty }
    /// The number of missing bytes.
    package var missing: Int64 {
        gaps.reduce(0) { $0 + Int64($1.count) } + active.values.reduce(0) { $0 + $1.rest }
    }

    /// The missing ranges, in the order of the file; of a segment being fetched, the bytes from its position on.
    package var missingRanges: [Range<Int64>] {
        let rests = active.values.filter { $0.rest > 0 }.map { $0.position..<$0.end }
        return (gaps + rests).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Assigns a segment.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - maximum: The largest number of bytes to take over from another connection.
    /// - Returns: The segment; `nil` if another connection would not help.
    package mutating func next(now: Duration, atMost maximum: Int64 = .max) -> Segment? {
        guard active.count < limit else { return nil }
        if let gap = gaps.popLast() { return begin(gap, at: now) }
        guard let victim = largest(at: now) ?? slowest(at: now) else { return nil }
        // The first half stays, rounded up, so that it is never empty.
        let middle = victim.end - max(1, min(victim.rest / 2, maximum))
        active[victim.id]?.end = middle
        return begin(middle..<victim.end, at: now)
    }

    private mutating func begin(_ range: Range<Int64>, at now: Duration) -> Segment {
        let segment = Segment(
            id: nextID, start: range.lowerBound, position: range.lowerBound, end: range.upperBound, since: now)
        nextID += 1
        active[segment.id] = segment
        return segment
    }

    private func largest(at now: Duration) -> Segment? {
        let largest = active.values.max { ($0.rest, $1.id) < ($1.rest, $0.id) }
        guard let largest, largest.rest / 2 >= minimum else { return nil }
        let isTimed = largest.position > largest.start && now > largest.since
        return isTimed && Self.estimate(largest, at: now) < Self.minimumRemainderDuration ? nil : largest
    }

    private func slowest(at now: Duration) -> Segment? {
        let splittable = active.values.filter { $0.rest / 2 >= Self.minimumSplitBytes }
        let timed = splittable.map { ($0, Self.estimate($0, at: now)) }
        guard let slowest = timed.max(by: { ($0.1, $1.0.id) < ($1.1, $0.0.id) }),
            slowest.1 > Self.slowRemainderDuration
        else { return nil }
        return slowest.0
    }

    /// Returns the time that a segment will take at its speed so far.
    private static func estimate(_ segment: Segment, at now: Duration) -> Duration {
        let spent = max(.zero, now - segment.since)
        let got = segment.position - segment.start
        // A segment with no bytes yet is estimated to need as long again as it has already waited.
        guard got > 0 else { return spent }
        return spent * min(Double(segment.rest) / Double(got), 1e9)
    }

    /// Counts received bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - id: The segment.
    /// - Returns: Their range in the file: shorter than `count` if the segment ends before, and empty if it is no
    ///   longer fetched.
    package mutating func received(_ count: Int, for id: Int) -> Range<Int64> {
        guard let segment = active[id] else { return 0..<0 }
        let end = segment.position + min(Int64(max(0, count)), segment.rest)
        active[id]?.position = end
        return segment.position..<end
    }

    /// Extends a segment over the gaps that follow it, as far as its response reaches.
    ///
    /// - Parameters:
    ///   - id: The segment.
    ///   - end: The byte after the last one of its response.
    package mutating func widen(_ id: Int, upTo end: Int64) {
        while let segment = active[id], segment.rest > 0,
            let index = gaps.firstIndex(where: { $0.lowerBound == segment.end }),
            gaps[index].upperBound <= end
        {
            active[id]?.end = gaps.remove(at: index).upperBound
        }
    }

    /// Returns true if a segment is complete or no longer fetched.
    package func isFinished(_ id: Int) -> Bool { (active[id]?.rest ?? 0) == 0 }

    /// Returns a segment to the plan; its missing bytes become a gap again.
    package mutating func ended(_ id: Int) {
        guard let segment = active.removeValue(forKey: id), segment.rest > 0 else { return }
        let gap = segment.position..<segment.end
        let index = gaps.firstIndex { $0.lowerBound < gap.lowerBound } ?? gaps.count
        gaps.insert(gap, at: index)
    }
}
