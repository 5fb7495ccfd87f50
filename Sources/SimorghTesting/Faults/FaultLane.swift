// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// One direction of a connection that is relayed badly: when its bytes may pass, and how it ends; without a socket or a clock.
package struct FaultLane: Sendable {
    package enum Action: Equatable, Sendable {
        /// Pass these on.
        case write(ByteBuffer)
        /// Pass on that no more comes.
        case finish
        case cut(FaultProxy.Cut.Ending)
        /// Ask again at that time.
        case wake(NIODeadline)
        /// There is room for more.
        case read
    }

    private enum Content: Sendable {
        case bytes(ByteBuffer)
        case end
        case cut(FaultProxy.Cut.Ending)
    }

    /// How many bytes wait before a path at most, in the buffers of those who pass them on.
    package static let smallestHold = 256 * 1024
    /// How many bytes are on their way at most, however long and wide the path is.
    package static let largestHold = 64 * 1024 * 1024

    private let faults: FaultProxy.Faults
    /// How many bytes are on their way at most, as many as the path holds; no more is read then.
    private let hold: Int
    private var queue: CircularBuffer<(content: Content, due: NIODeadline)> = []
    private var held = 0
    private var taken = 0
    /// When the last byte has passed of those that were taken.
    private var free = NIODeadline.uptimeNanoseconds(0)
    private var isWaking = false
    private var isReading = false
    private var isOver = false

    package init(_ faults: FaultProxy.Faults) {
        self.faults = faults
        hold = Self.hold(faults)
    }

    /// Returns how many bytes a path holds: what its bandwidth brings in the time that a byte is on its way.
    private static func hold(_ faults: FaultProxy.Faults) -> Int {
        let seconds = Double(time(faults.delay).nanoseconds) / 1e9
        guard seconds > 0 else { return smallestHold }
        let path = faults.bytesPerSecond.map { seconds * Double(max(1, $0)) } ?? .infinity
        return min(largestHold, smallestHold + Int(min(path, Double(largestHold))))
    }

    /// The connection stands.
    package mutating func began(now: NIODeadline) -> [Action] {
        if faults.cut?.bytes == 0 { cut(at: now + Self.time(faults.delay)) }
        return pass(now)
    }

    /// Bytes came.
    package mutating func received(_ bytes: ByteBuffer, now: NIODeadline) -> [Action] {
        isReading = false
        guard !isOver else { return [] }
        var bytes = bytes
        while !isOver, let part = bytes.readSlice(length: min(bytes.readableBytes, step)), part.readableBytes > 0 {
            taken += part.readableBytes
            held += part.readableBytes
            let due = max(now + Self.time(faults.delay), free)
            free = due + passing(part.readableBytes)
            queue.append((.bytes(part), due))
            if let cut = faults.cut, taken >= cut.bytes { self.cut(at: free) }
        }
        return pass(now)
    }

    /// No more comes.
    package mutating func ended(now: NIODeadline) -> [Action] {
        guard !isOver else { return [] }
        isOver = true
        queue.append((.end, max(now + Self.time(faults.delay), free)))
        return pass(now)
    }

    /// The time has come that was asked for.
    package mutating func woke(now: NIODeadline) -> [Action] {
        isWaking = false
        return pass(now)
    }

    /// Bytes were taken by who they are for.
    package mutating func wrote(_ count: Int, now: NIODeadline) -> [Action] {
        held -= count
        return pass(now)
    }

    /// How many bytes there are until something happens.
    private var step: Int {
        var step = Int.max
        // Ten steps a second are smooth enough.
        if let rate = faults.bytesPerSecond { step = min(step, max(1, rate / 10)) }
        if let pauses = faults.pauses { step = min(step, pauses.bytes - taken % pauses.bytes) }
        if let cut = faults.cut { step = min(step, max(1, cut.bytes - taken)) }
        return step
    }

    /// How long bytes take to pass that were just counted.
    private func passing(_ count: Int) -> TimeAmount {
        var time = TimeAmount.zero
        if let rate = faults.bytesPerSecond {
            time = .nanoseconds(Int64(min(1e18, Double(count) / Double(max(1, rate)) * 1e9)))
        }
        if let pauses = faults.pauses, taken.isMultiple(of: pauses.bytes) { time = time + Self.time(pauses.duration) }
        return time
    }

    private mutating func cut(at time: NIODeadline) {
        guard let cut = faults.cut else { return }
        isOver = true
        queue.append((.cut(cut.ending), time))
    }

    private mutating func pass(_ now: NIODeadline) -> [Action] {
        var actions: [Action] = []
        while let first = queue.first, first.due <= now {
            queue.removeFirst()
            switch first.content {
            case .bytes(let bytes): actions.append(.write(bytes))
            case .end: actions.append(.finish)
            case .cut(let ending): actions.append(.cut(ending))
            }
        }
        if let first = queue.first, !isWaking {
            isWaking = true
            actions.append(.wake(first.due))
        }
        if !isOver, !isReading, held < hold {
            isReading = true
            actions.append(.read)
        }
        return actions
    }

    private static func time(_ duration: Duration) -> TimeAmount {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
        return .nanoseconds(Int64(min(max(0, nanoseconds), 1e18)))
    }
}
