// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Decides how many connections fetch a file whose first response arrives over HTTP/2.
///
/// One stream can use the full bandwidth if nothing limits it; additional connections would then only cost handshakes.
/// If the server limits each response, or something on the way limits each connection, several are faster. The trial
/// allows one connection until its speed is steady, and then twice as many. If the download is a fifth faster once all
/// of them receive bytes, it doubles the number again, up to the maximum. If not, it assigns no further segments
/// beyond the earlier number of connections. It has no clock: the download measures once a second.
package struct SegmentTrial: Sendable, Equatable {
    private enum Phase: Sendable, Equatable {
        /// Waits until the speed of the current connections is steady; the speed in bytes per second, `nil` at first.
        case settling(last: Double?)
        /// The additional connections are being opened, for `waited` measurements so far.
        case opening(before: Double, waited: Int)
        /// All connections receive bytes, and the speed may still grow.
        case comparing(before: Double, last: Double?)
        /// The number of connections is final.
        case ended
    }

    /// The number of connections that are allowed now.
    package private(set) var limit = 1
    private let maximum: Int
    private var limitBefore = 1
    private var phase = Phase.settling(last: nil)
    private var time = Duration.zero
    private var received: Int64 = 0

    /// The time for which an additional connection gets work, at the speed of the earlier ones.
    private static let pieceDuration: Duration = .seconds(3)
    /// The factor by which additional connections must speed up the download.
    private static let gain = 1.2
    /// If the rest arrives within this time, no connection is added: opening one takes about a second.
    private static let minimumRemainingDuration: Duration = .seconds(2)
    /// The number of measurements within which additional connections must be open.
    private static let openingLimit = 10
    /// The shortest interval that gives a reliable measurement.
    private static let interval: Duration = .milliseconds(500)

    /// Creates a trial that starts with one connection at the time zero.
    ///
    /// - Parameter maximum: The largest number of connections.
    package init(maximum: Int) {
        self.maximum = max(1, maximum)
        if maximum <= 1 { phase = .ended }
    }

    /// The largest number of bytes per request of an additional connection whose benefit is unknown; `nil` for no
    /// limit.
    ///
    /// The first connection requested the whole file: cutting its segment short wastes the bytes in flight, unless the
    /// cut is at the end of the file.
    package var piece: Int64? {
        switch phase {
        case .opening(let before, _), .comparing(let before, _):
            Int64(min(before / Double(limitBefore) * Self.pieceDuration.secondsAsDouble, 1e15))
        case .settling, .ended: nil
        }
    }

    /// True if the number of connections is final.
    package var isEnded: Bool { phase == .ended }

    /// Evaluates a measurement.
    ///
    /// - Parameters:
    ///   - received: The number of bytes received since the start, over all connections.
    ///   - missing: The number of missing bytes.
    ///   - isHeldBack: True if a bandwidth limit set by the user slows the download.
    ///   - areOpen: True if the allowed number of connections is open, and each has received bytes.
    ///   - now: The time since the start.
    package mutating func measured(
        received: Int64, missing: Int64, isHeldBack: Bool, areOpen: Bool = true, at now: Duration
    ) {
        let span = now - time
        guard span >= Self.interval else { return }
        let speed = Double(max(0, received - self.received)) / span.secondsAsDouble
        (time, self.received) = (now, received)
        switch phase {
        case .ended: return
        case _ where isHeldBack:
            narrow()
            phase = .settling(last: nil)
        case .settling(let last):
            // An increase that has other causes, such as the end of a pause, would be credited to the additional
            // connections.
            guard let last, speed > 0, speed <= last * Self.gain, speed >= last / Self.gain else {
                return phase = .settling(last: speed)
            }
            widen(after: max(last, speed), missing: missing)
        case .opening(let before, _) where areOpen: phase = .comparing(before: before, last: nil)
        case .opening(_, let waited) where waited >= Self.openingLimit:
            narrow()
            phase = .ended
        case .opening(let before, let waited): phase = .opening(before: before, waited: waited + 1)
        case .comparing(let before, _) where speed >= before * Self.gain: widen(after: speed, missing: missing)
        case .comparing(_, let last?) where speed <= last * Self.gain:
            narrow()
            phase = .ended
        case .comparing(let before, _): phase = .comparing(before: before, last: speed)
        }
    }

    /// Reduces the limit to the number of connections that is known to help.
    private mutating func narrow() {
        switch phase {
        case .opening, .comparing: limit = limitBefore
        case .settling, .ended: break
        }
    }

    private mutating func widen(after speed: Double, missing: Int64) {
        guard limit < maximum else { return phase = .ended }
        guard Double(missing) > speed * Self.minimumRemainingDuration.secondsAsDouble else {
            return phase = .settling(last: speed)
        }
        (limitBefore, limit) = (limit, min(maximum, limit * 2))
        phase = .opening(before: speed, waited: 0)
    }

    /// Ends the trial because a connection could not be opened or was lost.
    package mutating func end() { phase = .ended }
}
