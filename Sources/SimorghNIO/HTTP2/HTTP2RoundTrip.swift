// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// How far away the peer of a connection is: the shortest round trip of late.
///
/// The handshake is the first measurement, the answer to our settings the second. While much comes, a ping a second is more of
/// them. An answer that waits behind data says more than the path's length, so that the shortest time counts, for ten seconds:
/// a path may become longer.
package struct HTTP2RoundTrip: Sendable, Equatable {
    /// How long a measurement holds against longer ones.
    package static let memory = TimeAmount.seconds(10)
    /// How long after a measurement the next ping goes out.
    package static let pause = TimeAmount.seconds(1)
    /// The numbers of these pings have a bit that those of keep-alive never reach.
    private static let mark: UInt64 = 1 << 63

    /// The shortest round trip of late; `nil` before the first one.
    package private(set) var shortest: TimeAmount?
    private var measuredShortest = NIODeadline.uptimeNanoseconds(0)
    private var measured = NIODeadline.uptimeNanoseconds(0)
    private var probes: UInt64 = 0
    /// When the ping went out that was not answered yet.
    private var sent: NIODeadline?

    package init() {}

    /// A round trip was measured.
    package mutating func took(_ time: TimeAmount, now: NIODeadline) {
        measured = now
        let time = max(time, .nanoseconds(1))
        if let shortest, time > shortest, now - measuredShortest < Self.memory { return }
        shortest = time
        measuredShortest = now
    }

    /// Returns the data of a ping to send, if it is time for one.
    package mutating func probe(now: NIODeadline) -> UInt64? {
        guard sent == nil, now - measured >= Self.pause else { return nil }
        sent = now
        probes += 1
        return Self.mark | probes
    }

    /// A ping was answered.
    ///
    /// - Returns: Whether it was the one that ``probe(now:)`` has asked for.
    package mutating func answered(_ data: UInt64, now: NIODeadline) -> Bool {
        guard let sent, data == Self.mark | probes else { return false }
        self.sent = nil
        took(now - sent, now: now)
        return true
    }
}
