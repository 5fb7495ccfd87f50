// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Shares what is missing of a file out to connections.
///
/// A connection that is free gets a gap, or the second half of what another still has to fetch: of the largest rest, and at
/// the end of the one that would take longest.
package struct SegmentPlanner: Sendable {
    /// A part that a connection fetches.
    package struct Segment: Sendable, Hashable, Identifiable {
        package let id: Int
        /// Where it began.
        package let start: Int64
        /// The byte that comes next.
        package fileprivate(set) var position: Int64
        /// The byte after its last one; a split moves it towards the beginning.
        package fileprivate(set) var end: Int64
        /// When it was handed out.
        fileprivate let since: Duration

        package var rest: Int64 { end - position }
    }

    /// The smallest part worth a request of its own.
    package let minimum: Int64
    /// How many connections there may be.
    package var limit: Int
    private var gaps: [Range<Int64>]
    private var active: [Int: Segment] = [:]
    private var nextID = 0

    /// A tail that takes longer than this is shared, however small.
    private static let patience: Duration = .seconds(2)
    /// What is not shared in any case: it comes sooner than an answer to another request.
    private static let tail: Int64 = 64 * 1024
    /// What is there sooner than this is not shared, however large: most of it may be on its way, and would come twice.
    private static let haste: Duration = .milliseconds(200)

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - missing: What is to be fetched, in order.
    ///   - limit: How many connections there may be.
    ///   - minimum: The smallest part worth a request of its own.
    package init(missing: [Range<Int64>], limit: Int, minimum: Int64) {
        gaps = missing.filter { !$0.isEmpty }.reversed()
        self.limit = max(1, limit)
        self.minimum = max(1, minimum)
    }

    /// What is missing in as many pieces of about the same size as there may be connections, so that each asks for what it
    /// will read, and no more.
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

    /// The parts that connections fetch now, in the order of the file.
    package var segments: [Segment] { active.values.sorted { $0.position < $1.position } }
    /// Whether nothing is missing any more.
    package var isDone: Bool { gaps.isEmpty && active.isEmpty }
    /// How many bytes are missing.
    package var missing: Int64 {
        gaps.reduce(0) { $0 + Int64($1.count) } + active.values.reduce(0) { $0 + $1.rest }
    }

    /// Which bytes are missing, in the order of the file: of a part that is fetched now, those from its next one on.
    package var missingRanges: [Range<Int64>] {
        let rests = active.values.filter { $0.rest > 0 }.map { $0.position..<$0.end }
        return (gaps + rests).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Hands out a part.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - most: The most bytes to take from another connection.
    /// - Returns: The part; `nil` where another connection would help nobody.
    package mutating func next(now: Duration, atMost most: Int64 = .max) -> Segment? {
        guard active.count < limit else { return nil }
        if let gap = gaps.popLast() { return begin(gap, now) }
        guard let victim = largest(now) ?? slowest(now) else { return nil }
        // Its first half stays, rounded up, so that it never has nothing left.
        let middle = victim.end - max(1, min(victim.rest / 2, most))
        active[victim.id]?.end = middle
        return begin(middle..<victim.end, now)
    }

    private mutating func begin(_ range: Range<Int64>, _ now: Duration) -> Segment {
        let segment = Segment(
            id: nextID, start: range.lowerBound, position: range.lowerBound, end: range.upperBound, since: now)
        nextID += 1
        active[segment.id] = segment
        return segment
    }

    private func largest(_ now: Duration) -> Segment? {
        let largest = active.values.max { ($0.rest, $1.id) < ($1.rest, $0.id) }
        guard let largest, largest.rest / 2 >= minimum else { return nil }
        let isTimed = largest.position > largest.start && now > largest.since
        return isTimed && Self.estimate(largest, now) < Self.haste ? nil : largest
    }

    private func slowest(_ now: Duration) -> Segment? {
        let timed = active.values.filter { $0.rest / 2 >= Self.tail }.map { ($0, Self.estimate($0, now)) }
        guard let slowest = timed.max(by: { ($0.1, $1.0.id) < ($1.1, $0.0.id) }), slowest.1 > Self.patience else {
            return nil
        }
        return slowest.0
    }

    /// How long a part will take at the speed that it had until now.
    private static func estimate(_ segment: Segment, _ now: Duration) -> Duration {
        let spent = max(.zero, now - segment.since)
        let got = segment.position - segment.start
        // What has not begun may take as long again as it has taken to get nothing.
        guard got > 0 else { return spent }
        return spent * min(Double(segment.rest) / Double(got), 1e9)
    }

    /// Takes bytes in.
    ///
    /// - Parameters:
    ///   - count: How many came.
    ///   - id: For which part.
    /// - Returns: Where they belong; fewer than came where the part ends before, and empty for a part that is not fetched any more.
    package mutating func received(_ count: Int, for id: Int) -> Range<Int64> {
        guard let segment = active[id] else { return 0..<0 }
        let end = segment.position + min(Int64(max(0, count)), segment.rest)
        active[id]?.position = end
        return segment.position..<end
    }

    /// Lets a part take the gaps that follow it, as far as its answer goes.
    ///
    /// - Parameters:
    ///   - id: The part.
    ///   - end: The byte after the last one of its answer.
    package mutating func widen(_ id: Int, upTo end: Int64) {
        while let segment = active[id], segment.rest > 0,
            let index = gaps.firstIndex(where: { $0.lowerBound == segment.end }),
            gaps[index].upperBound <= end
        {
            active[id]?.end = gaps.remove(at: index).upperBound
        }
    }

    /// Whether a part has all its bytes; also for one that is not fetched any more.
    package func isFinished(_ id: Int) -> Bool { (active[id]?.rest ?? 0) == 0 }

    /// Takes a part back; what it did not get is a gap again.
    package mutating func ended(_ id: Int) {
        guard let segment = active.removeValue(forKey: id), segment.rest > 0 else { return }
        let gap = segment.position..<segment.end
        let index = gaps.firstIndex { $0.lowerBound < gap.lowerBound } ?? gaps.count
        gaps.insert(gap, at: index)
    }
}
