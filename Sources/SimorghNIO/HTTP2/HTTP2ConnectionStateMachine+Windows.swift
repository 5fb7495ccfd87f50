// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Receive windows that adapt to the path's bandwidth-delay product.
///
/// A server sends at most a stream's window per round trip, so a window of 512 KiB allows 5 MB/s at 100 ms. A larger
/// window is memory that fills if the reader stops, and a granted window cannot be revoked. Therefore:
///
/// - A stream begins with the bandwidth-delay product at ``presumedRate``, if that is at least twice `streamWindow`.
/// - Its window doubles when the reader consumed more than half of it within one round trip: the reader keeps up, and
///   the path may carry more. The window does not grow if it covers the rest of the body.
/// - One grant takes at most half of the connection's remaining allowance, so that the next stream gets some, too. One
///   sixteenth of the allowance is reserved for growth, so that new streams cannot use it up.
/// - Unread bytes of a body whose stream has ended count until they are read or discarded.
extension HTTP2ConnectionStateMachine {
    /// The assumed bandwidth of a path before any measurement, in bytes per second: 1 Gbit/s.
    package static var presumedRate: Int { 125_000_000 }
    /// The consumed bytes of a body after which a WINDOW_UPDATE is sent; half of a window if that is less.
    private static var update: Int { 256 * 1024 }

    /// Notes that the connection is open and that the preface was sent.
    ///
    /// - Parameters:
    ///   - roundTrip: The round-trip time as measured by the handshake; `nil` if it is not known.
    ///   - now: The time.
    package mutating func opened(after roundTrip: Duration?, now: NIODeadline) {
        if let roundTrip, roundTrip > .zero { self.roundTrip.record(TimeAmount(clamping: roundTrip), now: now) }
        settingsSent = now
    }

    /// Returns the receive window of a new stream.
    func initialWindow() -> Int {
        guard let time = roundTrip.estimate else { return limits.streamWindow }
        let path = Double(time.nanoseconds) / 1e9 * Double(Self.presumedRate)
        // A WINDOW_UPDATE for less than a doubling is not worth a frame.
        guard path >= 2 * Double(limits.streamWindow) else { return limits.streamWindow }
        return affordableWindow(from: limits.streamWindow, upTo: path, leaving: limits.connectionWindow / 16)
    }

    /// Returns the wanted window within the limits of the stream and of the connection, and at least the current one.
    private func affordableWindow(from window: Int, upTo wanted: Double, leaving reserve: Int = 0) -> Int {
        let left = max(0, limits.connectionWindow - extraWindows)
        // Subtracted rather than added: the sum may exceed an integer of 32 bits.
        let room = max(0, limits.effectiveStreamWindow - window)
        let bound = window + min(room, left / 2, max(0, left - reserve))
        return max(window, Int(min(wanted, Double(bound))))
    }

    /// Sends a WINDOW_UPDATE for a new stream, if its window is larger than the initial one.
    package mutating func widen(_ id: UInt32) {
        // In most sessions no window was enlarged.
        guard extraWindows > 0, let window = streams[id]?.window, window > limits.streamWindow else { return }
        output.writeWindowUpdate(window - limits.streamWindow, stream: id)
    }

    /// Returns the consumed bytes of a body to the window, and enlarges the window if the reader keeps up.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The bytes consumed.
    ///   - byReader: True if the reader keeps up: its buffer is nearly empty, or it took the bytes from a full buffer.
    ///   - now: The time.
    package mutating func consumed(_ id: UInt32, count: Int, byReader: Bool = true, now: NIODeadline) {
        guard var stream = streams[id] else { return }
        stream.unreported += count
        if byReader { stream.taken += count }
        let growth = growth(of: &stream, now: now)
        if growth > 0 || stream.unreported >= min(stream.window / 2, Self.update) {
            let increment = stream.unreported + growth
            output.writeWindowUpdate(increment, stream: id)
            stream.window += growth
            extraWindows += growth
            stream.receiveWindow += increment
            stream.unreported = 0
            if let probe = roundTrip.probe(now: now) { output.writePing(probe, isAnswer: false) }
        }
        streams[id] = stream
    }

    /// Returns the bytes by which a window grows.
    ///
    /// The count of consumed bytes restarts after each round trip, or as soon as it exceeds half of the window.
    private func growth(of stream: inout Stream, now: NIODeadline) -> Int {
        guard let time = roundTrip.estimate, let began = stream.intervalBegan else { return 0 }
        let isOver = now - began > time
        let tookHalf = !isOver && stream.taken > stream.window / 2
        if isOver || tookHalf { (stream.taken, stream.intervalBegan) = (0, now) }
        // The bytes that the peer may send without growth, once the WINDOW_UPDATE for the consumed bytes has arrived.
        let granted = stream.receiveWindow + stream.unreported
        guard tookHalf, stream.length.map({ $0 > granted }) ?? true else { return 0 }
        let growth = affordableWindow(from: stream.window, upTo: 2 * Double(stream.window)) - stream.window
        return growth
    }

    /// Counts the unread bytes of a body whose stream has ended: they take memory just as a window does.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The bytes beyond the 512 KiB that every reader may buffer; 0 when they were read or discarded.
    package mutating func keepsUnread(_ id: UInt32, count: Int) {
        guard count > 0 || !unread.isEmpty else { return }
        extraWindows += count - (unread[id] ?? 0)
        unread[id] = count > 0 ? count : nil
    }
}
