// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Measures the current speed of a transfer and estimates the remaining time.
///
/// It counts only bytes received over the network, not those of earlier runs.
package struct SpeedMeter: Sendable, Equatable {
    private struct Sample: Sendable, Equatable {
        var time: Duration
        var bytes: Int64
    }

    /// The length of the sliding window.
    private static let window: Duration = .seconds(3)
    /// The time without bytes after which the transfer counts as stalled.
    private static let stall: Duration = .seconds(2)
    /// The shortest measurement from which the remaining time is estimated.
    private static let minimumMeasurement: Duration = .seconds(1)
    /// Bytes within this time are merged into one sample, so that there are few samples.
    private static let sampleInterval: Duration = .milliseconds(50)

    private var samples: [Sample] = []
    private var start: Duration?
    private var total: Int64 = 0

    package init() {}

    /// Counts received bytes.
    package mutating func received(_ count: Int64, at now: Duration) {
        if start == nil { start = now }
        total += count
        if let last = samples.last, now - last.time < Self.sampleInterval {
            samples[samples.count - 1].bytes += count
        } else {
            samples.append(Sample(time: now, bytes: count))
        }
        let oldest = now - Self.window
        if let first = samples.firstIndex(where: { $0.time > oldest }), first > 0 { samples.removeFirst(first) }
    }

    /// Returns the speed in bytes per second; zero before the first byte and during a stall.
    package func speed(at now: Duration) -> Double {
        guard let start, let last = samples.last, now - last.time < Self.stall else { return 0 }
        let oldest = now - Self.window
        let bytes = samples.reduce(Int64(0)) { $0 + ($1.time > oldest ? $1.bytes : 0) }
        // At least two grains, as the first bytes would look infinitely fast.
        let span = max(Self.sampleInterval * 2, min(Self.window, now - start))
        return Double(bytes) / span.secondsAsDouble
    }

    /// Returns the estimated time for the remaining bytes, in seconds; `nil` if it cannot be estimated.
    package func remaining(_ rest: Int64, at now: Duration) -> Double? {
        guard let start, now - start >= Self.minimumMeasurement, samples.count >= 3 else { return nil }
        let speed = speed(at: now)
        guard speed > 0 else { return nil }
        let seconds = Double(max(0, rest)) / speed
        return seconds <= 365 * 86_400 ? seconds : nil
    }
}
