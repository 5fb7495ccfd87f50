// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Decides how many connections fetch a file that began to arrive over HTTP/2.
///
/// One stream fills a path that nothing limits, and further connections would only cost handshakes. If the server limits each
/// response, or something on the way limits each connection, several are faster. So the trial allows one connection until its
/// speed has settled, and then twice as many. If the download is a fifth faster once all of them bring something, it doubles
/// again, up to the maximum. If not, no further parts are handed out beyond the earlier number of connections. It has no clock: the
/// download measures once a second.
package struct SegmentTrial: Sendable, Equatable {
    private enum Phase: Sendable, Equatable {
        /// Waits until the speed of the current connections is steady. In bytes a second; `nil` before the first measurement.
        case settling(last: Double?)
        /// The further connections are being opened, for so many measurements.
        case opening(before: Double, waited: Int)
        /// All of them bring something, and the speed may still grow.
        case comparing(before: Double, last: Double?)
        /// The number of connections does not change any more.
        case ended
    }

    /// The number of connections that there may be now.
    package private(set) var limit = 1
    private let maximum: Int
    private var limitBefore = 1
    private var phase = Phase.settling(last: nil)
    private var time = Duration.zero
    private var received: Int64 = 0

    /// For how long a further connection has work, at the speed of those before it.
    private static let pieceDuration: Duration = .seconds(3)
    /// The factor by which the download has to be faster with further connections.
    private static let gain = 1.2
    /// No connection is added if the rest arrives within this time: a further one needs about a second to open.
    private static let patience: Duration = .seconds(2)
    /// The number of measurements that further connections may take to open.
    private static let openingLimit = 10
    /// Shorter intervals are not reliable.
    private static let interval: Duration = .milliseconds(500)

    /// Creates a trial that begins with one connection at the time zero.
    ///
    /// - Parameter maximum: How many connections there may be at most.
    package init(maximum: Int) {
        self.maximum = max(1, maximum)
        if maximum <= 1 { phase = .ended }
    }

    /// The most bytes that a further connection fetches in one request while it is not known to help; `nil` for no limit.
    ///
    /// The first connection requested the whole file: cutting its part short wastes what is in flight, unless the cut is at the end
    /// of the file.
    package var piece: Int64? {
        switch phase {
        case .opening(let before, _), .comparing(let before, _):
            Int64(min(before / Double(limitBefore) * Self.pieceDuration.inSeconds, 1e15))
        case .settling, .ended: nil
        }
    }

    /// True if the number of connections does not change any more.
    package var isEnded: Bool { phase == .ended }

    /// Takes a measurement.
    ///
    /// - Parameters:
    ///   - received: How many bytes have arrived since the beginning, over all connections.
    ///   - missing: How many bytes are missing.
    ///   - isHeldBack: True if a speed limit set by the user holds the download back.
    ///   - areOpen: True if the allowed number of connections are open, and each has received bytes.
    ///   - now: The time since the beginning.
    package mutating func measured(
        received: Int64, missing: Int64, isHeldBack: Bool, areOpen: Bool = true, at now: Duration
    ) {
        let span = now - time
        guard span >= Self.interval else { return }
        let speed = Double(max(0, received - self.received)) / span.inSeconds
        (time, self.received) = (now, received)
        switch phase {
        case .ended: return
        case _ where isHeldBack:
            narrow()
            phase = .settling(last: nil)
        case .settling(let last):
            // A speed that still grows by itself, or comes back after a pause, would be credited to the further connections.
            guard let last, speed > 0, speed <= last * Self.gain, speed >= last / Self.gain else {
                return phase = .settling(last: speed)
            }
            widen(max(last, speed), missing)
        case .opening(let before, _) where areOpen: phase = .comparing(before: before, last: nil)
        case .opening(_, let waited) where waited >= Self.openingLimit:
            narrow()
            phase = .ended
        case .opening(let before, let waited): phase = .opening(before: before, waited: waited + 1)
        case .comparing(let before, _) where speed >= before * Self.gain: widen(speed, missing)
        case .comparing(_, let last?) where speed <= last * Self.gain:
            narrow()
            phase = .ended
        case .comparing(let before, _): phase = .comparing(before: before, last: speed)
        }
    }

    /// Goes back to as many connections as are known to help.
    private mutating func narrow() {
        switch phase {
        case .opening, .comparing: limit = limitBefore
        case .settling, .ended: break
        }
    }

    private mutating func widen(_ speed: Double, _ missing: Int64) {
        guard limit < maximum else { return phase = .ended }
        guard Double(missing) > speed * Self.patience.inSeconds else { return phase = .settling(last: speed) }
        (limitBefore, limit) = (limit, min(maximum, limit * 2))
        phase = .opening(before: speed, waited: 0)
    }

    /// Ends the trial, as a connection could not be opened or was lost.
    package mutating func end() { phase = .ended }
}
