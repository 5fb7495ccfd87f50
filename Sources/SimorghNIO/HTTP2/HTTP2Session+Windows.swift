// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Receive windows that follow the path.
///
/// A server sends no more than a stream's window in one round trip, so a window of 512 KiB allows 5 MB/s at 100 ms. A
/// larger one is memory that a reader who stops may fill, and a window once given cannot be taken back. Therefore:
///
/// - A stream begins with what a path of ``presumedRate`` holds, as far as the server is away.
/// - It grows to twice its size when more than half of it was consumed within one round trip: by a reader that keeps up, over
///   a path that would carry more.
/// - No stream gets more than half of what is left of the connection's bound, so that the next one gets something, too; nor
///   is one given more that has as much as is left of its body.
extension HTTP2Session {
    /// What a path is taken to carry before it has shown it, in bytes per second: 1 Gbit/s.
    package static var presumedRate: Int { 125_000_000 }
    /// How many consumed bytes of a body the peer is told of at once: with more, it would wait for the next.
    private static var report: Int { 256 * 1024 }

    /// The connection stands, and our first words go out.
    ///
    /// - Parameters:
    ///   - handshake: How long it took: a round trip, and what the two ends had to compute.
    ///   - now: The time.
    package mutating func opened(after handshake: Duration, now: NIODeadline) {
        roundTrip.took(TimeAmount(clamping: handshake), now: now)
        settingsSent = now
    }

    /// The window that a new stream begins with.
    func initialWindow() -> Int {
        guard let time = roundTrip.shortest else { return limits.streamWindow }
        let path = Double(time.nanoseconds) / 1e9 * Double(Self.presumedRate)
        return affordableWindow(from: limits.streamWindow, upTo: path)
    }

    /// The window that a stream may grow to: as large as is wanted, as far as the bounds allow.
    private func affordableWindow(from window: Int, upTo wanted: Double) -> Int {
        let share = max(0, limits.connectionWindow - extraWindows) / 2
        let bound = min(max(limits.streamWindow, limits.maximumStreamWindow), window + share)
        return max(window, Int(min(wanted, Double(bound))))
    }

    /// A stream needs no larger window than its body is long: the rest of what it was granted is for others.
    func windowNeeded(by stream: Stream) -> Int {
        min(stream.window, max(limits.streamWindow, stream.length ?? .max))
    }

    /// Bytes of a body were consumed: the peer may send as many again, and more if that was all it could send.
    ///
    /// - Parameters:
    ///   - id: The stream.
    ///   - count: How many bytes.
    ///   - now: The time.
    package mutating func consumed(_ id: UInt32, _ count: Int, now: NIODeadline) {
        guard var stream = streams[id] else { return }
        stream.unreported += count
        stream.pace += count
        let growth = growth(of: &stream, now: now)
        if growth > 0 || stream.unreported >= min(stream.window / 2, Self.report) {
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

    /// By how much a window grows: a round trip begins anew when it is over, and when the window has grown.
    private func growth(of stream: inout Stream, now: NIODeadline) -> Int {
        guard let time = roundTrip.shortest, let since = stream.paceSince,
            stream.length.map({ $0 > stream.receiveWindow }) ?? true
        else { return 0 }
        let isOver = now - since > time
        let isWanted = !isOver && stream.pace > stream.window / 2
        if isOver || isWanted { (stream.pace, stream.paceSince) = (0, now) }
        guard isWanted else { return 0 }
        return affordableWindow(from: stream.window, upTo: 2 * Double(stream.window)) - stream.window
    }
}
