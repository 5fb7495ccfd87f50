// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// One direction of a faulty connection, without a socket or a clock: decides when its bytes pass, and how it ends.
package struct FaultDirectionStateMachine: Sendable {
    package enum Action: Equatable, Sendable {
        /// Forward these bytes.
        case write(ByteBuffer)
        /// Forward the end of the stream.
        case finish
        case cut(FaultProxy.Cut.Ending)
        /// Call again at the given time.
        case startTimer(NIODeadline)
        /// Read more: there is room.
        case read
    }

    private enum Content: Sendable {
        case bytes(ByteBuffer)
        case end
        case cut(FaultProxy.Cut.Ending)
    }

    /// The size of the relay's buffer in addition to the path's capacity, in bytes.
    package static let minimumBufferSize = 256 * 1024
    /// The maximum number of buffered bytes, even for a long and wide path.
    package static let maximumBufferSize = 64 * 1024 * 1024

    private let faults: FaultProxy.Faults
    /// The maximum number of bytes in flight: the path's capacity.
    ///
    /// Reading stops when it is reached.
    private let bufferSize: Int
    private var queue: CircularBuffer<(content: Content, due: NIODeadline)> = []
    private var bufferedBytes = 0
    private var receivedBytes = 0
    /// The number of bytes that count as received before the first one, for the pauses.
    private let offset: Int
    /// The time at which the last received byte has passed.
    private var nextFreeTime = NIODeadline.uptimeNanoseconds(0)
    private var isTimerRunning = false
    private var isReading = false
    private var isOver = false

    /// Creates a direction.
    ///
    /// - Parameters:
    ///   - faults: The faults.
    ///   - offset: The number of bytes by which the first pause is earlier than the next ones.
    package init(_ faults: FaultProxy.Faults, offset: Int = 0) {
        self.faults = faults
        self.offset = offset
        bufferSize = Self.bufferSize(for: faults)
    }

    /// Returns the capacity of a path in bytes: its bandwidth-delay product plus ``minimumBufferSize``.
    private static func bufferSize(for faults: FaultProxy.Faults) -> Int {
        let seconds = Double(time(faults.delay).nanoseconds) / 1e9
        guard seconds > 0 else { return minimumBufferSize }
        let path = faults.bytesPerSecond.map { seconds * Double(max(1, $0)) } ?? .infinity
        return min(maximumBufferSize, minimumBufferSize + Int(min(path, Double(maximumBufferSize))))
    }

    /// Starts the direction, because the connection is established.
    package mutating func connectionOpened(now: NIODeadline) -> [Action] {
        if faults.cut?.bytes == 0 { cut(at: now + Self.time(faults.delay)) }
        return pass(now)
    }

    /// Handles received bytes.
    package mutating func didReceive(_ bytes: ByteBuffer, now: NIODeadline) -> [Action] {
        isReading = false
        guard !isOver else { return [] }
        var bytes = bytes
        while !isOver, let part = bytes.readSlice(length: min(bytes.readableBytes, step)), part.readableBytes > 0 {
            receivedBytes += part.readableBytes
            bufferedBytes += part.readableBytes
            let due = max(now + Self.time(faults.delay), nextFreeTime)
            nextFreeTime = due + passing(part.readableBytes)
            queue.append((.bytes(part), due))
            if let cut = faults.cut, receivedBytes >= cut.bytes { self.cut(at: nextFreeTime) }
        }
        return pass(now)
    }

    /// Handles the end of the stream.
    package mutating func didReachEnd(now: NIODeadline) -> [Action] {
        guard !isOver else { return [] }
        isOver = true
        queue.append((.end, max(now + Self.time(faults.delay), nextFreeTime)))
        return pass(now)
    }

    /// Handles the requested wake-up.
    package mutating func timerFired(now: NIODeadline) -> [Action] {
        isTimerRunning = false
        return pass(now)
    }

    /// Notes that the receiver has accepted bytes.
    package mutating func didWrite(_ count: Int, now: NIODeadline) -> [Action] {
        bufferedBytes -= count
        return pass(now)
    }

    /// The number of bytes until the next event.
    private var step: Int {
        var step = Int.max
        // Ten steps per second are smooth enough.
        if let rate = faults.bytesPerSecond { step = min(step, max(1, rate / 10)) }
        if let pauses = faults.pauses { step = min(step, pauses.bytes - (receivedBytes + offset) % pauses.bytes) }
        if let cut = faults.cut { step = min(step, max(1, cut.bytes - receivedBytes)) }
        return step
    }

    /// Returns the time that the bytes just counted take to pass.
    private func passing(_ count: Int) -> TimeAmount {
        var time = TimeAmount.zero
        if let rate = faults.bytesPerSecond {
            time = .nanoseconds(Int64(min(1e18, Double(count) / Double(max(1, rate)) * 1e9)))
        }
        if let pauses = faults.pauses, (receivedBytes + offset).isMultiple(of: pauses.bytes) {
            time = time + Self.time(pauses.duration)
        }
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
        if let first = queue.first, !isTimerRunning {
            isTimerRunning = true
            actions.append(.startTimer(first.due))
        }
        if !isOver, !isReading, bufferedBytes < bufferSize {
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
