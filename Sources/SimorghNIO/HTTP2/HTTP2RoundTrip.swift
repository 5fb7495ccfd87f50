// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// The round-trip time of a connection.
///
/// The handshake is the first measurement, and the acknowledgment of our SETTINGS is the second. The response to a
/// request without a body counts if it took less time. While bodies arrive, a PING is sent with a WINDOW_UPDATE if the
/// last measurement is at least a second old. A response takes longer if it is queued behind data. Therefore a longer
/// time counts only after ten seconds without a shorter one, and then raises the estimate by at most a quarter: a path
/// can become longer, but queueing delay is not part of the path.
package struct HTTP2RoundTrip: Sendable, Equatable {
    /// The time for which a measurement overrides longer ones.
    package static let memory = TimeAmount.seconds(10)
    /// The time from a measurement to the next PING.
    package static let pause = TimeAmount.seconds(1)
    /// The bit that distinguishes these PINGs from those of keep-alive.
    private static let mark: UInt64 = 1 << 63

    /// The estimate; `nil` before the first measurement.
    package private(set) var estimate: TimeAmount?
    private var estimatedAt = NIODeadline.uptimeNanoseconds(0)
    private var measured = NIODeadline.uptimeNanoseconds(0)
    private var probes: UInt64 = 0
    /// The time at which the unanswered PING was sent.
    private var sent: NIODeadline?

    package init() {}

    /// Records a measurement.
    package mutating func record(_ time: TimeAmount, now: NIODeadline) {
        measured = now
        let time = max(time, .nanoseconds(1))
        if let estimate, time > estimate {
            guard now - estimatedAt >= Self.memory else { return }
            self.estimate = min(time, estimate + .nanoseconds(max(1, estimate.nanoseconds / 4)))
        } else {
            estimate = time
        }
        estimatedAt = now
    }

    /// Records a time that is at least a round trip, such as that of a response.
    package mutating func recordUpperBound(_ time: TimeAmount, now: NIODeadline) {
        if let estimate, time > .zero, time < estimate { record(time, now: now) }
    }

    /// Returns the payload of a PING to send, if one is due.
    package mutating func probe(now: NIODeadline) -> UInt64? {
        guard sent == nil, now - measured >= Self.pause else { return nil }
        sent = now
        probes += 1
        return Self.mark | probes
    }

    /// Records the acknowledgment of a PING.
    ///
    /// - Returns: True if it acknowledges the last PING that ``probe(now:)`` returned.
    package mutating func answered(_ data: UInt64, now: NIODeadline) -> Bool {
        guard let sent, data == Self.mark | probes else { return false }
        self.sent = nil
        record(now - sent, now: now)
        return true
    }
}
