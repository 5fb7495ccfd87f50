// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Receive windows that follow the path.
///
/// A server sends no more than a stream's window in one round trip, so a window of 512 KiB allows 5 MB/s at 100 ms. A
/// larger one is memory that a reader who stops may fill, and a window once given cannot be taken back. Therefore:
///
/// - A stream begins with what a path of ``presumedRate`` holds, if the server is so far away that this is much more.
/// - It grows to twice its size when its reader took more than half of it within one round trip: the reader keeps up, and
///   the path may carry more. A stream does not grow if its window covers the rest of its body.
/// - No stream gets more than half of what is left of the connection's bound, so that the next one gets something, too. A
///   sixteenth of the bound is only for streams that grow: many that wait for their first bytes leave something to one that
///   reads.
/// - What lies unread of a body whose stream has ended counts until it is read or given up.
extension HTTP2Session {
    /// The bytes per second that a path is taken to carry before it has shown it: 1 Gbit/s.
    package static var presumedRate: Int { 125_000_000 }
    /// The number of consumed bytes of a body after which the peer gets a WINDOW_UPDATE; with more, it would have to wait.
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
        // A frame for less than twice as much is not worth it.
        guard path >= 2 * Double(limits.streamWindow) else { return limits.streamWindow }
        return affordableWindow(from: limits.streamWindow, upTo: path, leaving: limits.connectionWindow / 16)
    }

    /// Returns the window that a stream may have: as large as is wanted, as far as the bounds allow.
    private func affordableWindow(from window: Int, upTo wanted: Double, leaving reserve: Int = 0) -> Int {
        let left = max(0, limits.connectionWindow - extraWindows)
        let bound = min(limits.largestStreamWindow, window + min(left / 2, max(0, left - reserve)))
        return max(window, Int(min(wanted, Double(bound))))
    }

    /// Tells the peer of a new stream's window, if that is larger than the one of every stream.
    package mutating func widen(_ id: UInt32) {
        // With a server that is near no stream has more.
        guard extraWindows > 0, let window = streams[id]?.window, window > limits.streamWindow else { return }
        output.writeWindowUpdate(window - limits.streamWindow, stream: id)
    }

    /// Gives back the window of a body's consumed bytes, and more if that was all the peer could send.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The bytes.
    ///   - byReader: True if the reader took them; false if they wait in its buffer.
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

    /// Returns the bytes by which a window grows; the next round trip begins when this one is over, and behind a growth.
    private func growth(of stream: inout Stream, now: NIODeadline) -> Int {
        guard let time = roundTrip.shortest, let began = stream.roundTripBegan else { return 0 }
        let roundTripIsOver = now - began > time
        let tookHalf = !roundTripIsOver && stream.taken > stream.window / 2
        if roundTripIsOver || tookHalf { (stream.taken, stream.roundTripBegan) = (0, now) }
        // What the peer may send without growth, once it is told of what was consumed.
        let granted = stream.receiveWindow + stream.unreported
        guard tookHalf, stream.length.map({ $0 > granted }) ?? true else { return 0 }
        let growth = affordableWindow(from: stream.window, upTo: 2 * Double(stream.window)) - stream.window
        // A peer that pads a short body has a larger grant than its share says.
        return max(0, min(growth, limits.largestStreamWindow - granted))
    }

    /// Counts what lies unread of a body whose stream has ended, since it is memory as much as a window is.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: The bytes beyond those that every reader has at hand; 0 when it was read or given up.
    package mutating func keepsUnread(_ id: UInt32, _ count: Int) {
        guard count > 0 || !unread.isEmpty else { return }
        extraWindows += count - (unread[id] ?? 0)
        unread[id] = count > 0 ? count : nil
    }
}
