// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Receive windows that follow the path.
///
/// A server sends no more than a stream's window in one round trip, so a window of 512 KiB allows 5 MB/s at 100 ms. A
/// larger one is memory that a reader who stops may fill, and a window once given cannot be taken back. Therefore:
///
/// - A stream begins with what a path of ``presumedRate`` holds, if that is at least twice `streamWindow`.
/// - It grows to twice its size when its reader took more than half of it within one round trip: the reader keeps up, and
///   the path may carry more. A stream does not grow if its window covers the rest of its body.
/// - No single grant takes more than half of what is left of the connection's bound, so that the next one gets something, too.
///   One sixteenth of the bound is reserved for growth, so that new streams cannot use up all of it.
/// - What lies unread of a body whose stream has ended counts until it is read or given up.
extension HTTP2Session {
    /// The bytes per second that a path is taken to carry before it has shown it: 1 Gbit/s.
    package static var presumedRate: Int { 125_000_000 }
    /// The most consumed bytes of a body that the peer is not told of; half of a window if that is less.
    private static var update: Int { 256 * 1024 }

    /// Notes that the connection is open and that the preface is sent.
    ///
    /// - Parameters:
    ///   - roundTrip: The time to the server and back, as the handshake took; `nil` if it is not known.
    ///   - now: The time.
    package mutating func opened(after roundTrip: Duration?, now: NIODeadline) {
        if let roundTrip, roundTrip > .zero { self.roundTrip.took(TimeAmount(clamping: roundTrip), now: now) }
        settingsSent = now
    }

    /// Returns the window that a new stream begins with.
    func initialWindow() -> Int {
        guard let time = roundTrip.shortest else { return limits.streamWindow }
        let path = Double(time.nanoseconds) / 1e9 * Double(Self.presumedRate)
        // A WINDOW_UPDATE for less than a doubling is not worth a frame.
        guard path >= 2 * Double(limits.streamWindow) else { return limits.streamWindow }
        return affordableWindow(from: limits.streamWindow, upTo: path, leaving: limits.connectionWindow / 16)
    }

    /// Returns the wanted window within the bounds of the stream and of the connection, and at least the one that there is.
    private func affordableWindow(from window: Int, upTo wanted: Double, leaving reserve: Int = 0) -> Int {
        let left = max(0, limits.connectionWindow - extraWindows)
        let bound = min(limits.largestStreamWindow, window + min(left / 2, max(0, left - reserve)))
        return max(window, Int(min(wanted, Double(bound))))
    }

    /// Tells the peer of a new stream's window, if that is larger than the one of every stream.
    package mutating func widen(_ id: UInt32) {
        // Mostly no window was enlarged.
        guard extraWindows > 0, let window = streams[id]?.window, window > limits.streamWindow else { return }
        output.writeWindowUpdate(window - limits.streamWindow, stream: id)
    }

    /// Gives back the window of a body's consumed bytes, and enlarges the window if the reader keeps up.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The bytes.
    ///   - byReader: True if the reader keeps up: little lies unread, or it took the bytes from a full buffer.
    ///   - now: The time.
    package mutating func consumed(_ id: UInt32, _ count: Int, byReader: Bool = true, now: NIODeadline) {
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
    /// What the reader takes is counted anew after each round trip, or as soon as it is more than half of the window.
    private func growth(of stream: inout Stream, now: NIODeadline) -> Int {
        guard let time = roundTrip.shortest, let began = stream.intervalBegan else { return 0 }
        let isOver = now - began > time
        let tookHalf = !isOver && stream.taken > stream.window / 2
        if isOver || tookHalf { (stream.taken, stream.intervalBegan) = (0, now) }
        // What the peer may send without growth, once it is told of what was consumed.
        let granted = stream.receiveWindow + stream.unreported
        guard tookHalf, stream.length.map({ $0 > granted }) ?? true else { return 0 }
        let growth = affordableWindow(from: stream.window, upTo: 2 * Double(stream.window)) - stream.window
        return growth
    }

    /// Counts what lies unread of a body whose stream has ended, since it is memory as much as a window is.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The bytes beyond the 512 KiB that every reader may have in its buffer; 0 when it was read or given up.
    package mutating func keepsUnread(_ id: UInt32, _ count: Int) {
        guard count > 0 || !unread.isEmpty else { return }
        extraWindows += count - (unread[id] ?? 0)
        unread[id] = count > 0 ? count : nil
    }
}
