// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// How fast bytes come now, and when the last one will be here.
///
/// Told of what came over the wire only: bytes that an earlier run left are no speed.
package struct SpeedMeter: Sendable, Equatable {
    private struct Sample: Sendable, Equatable {
        var time: Duration
        var bytes: Int64
    }

    /// How far back it looks.
    private static let window: Duration = .seconds(3)
    /// After how much silence nothing comes any more.
    private static let stall: Duration = .seconds(2)
    /// How much it must have seen to say when the end comes.
    private static let experience: Duration = .seconds(1)
    /// Bytes within this time are one sample, so that there are few.
    private static let grain: Duration = .milliseconds(50)

    private var samples: [Sample] = []
    private var start: Duration?
    private var total: Int64 = 0

    package init() {}

    /// Takes bytes in.
    package mutating func received(_ count: Int64, at now: Duration) {
        if start == nil { start = now }
        total += count
        if let last = samples.last, now - last.time < Self.grain {
            samples[samples.count - 1].bytes += count
        } else {
            samples.append(Sample(time: now, bytes: count))
        }
        let oldest = now - Self.window
        if let first = samples.firstIndex(where: { $0.time > oldest }), first > 0 { samples.removeFirst(first) }
    }

    /// Bytes a second; zero before the first byte, and in a stall.
    package func speed(at now: Duration) -> Double {
        guard let start, let last = samples.last, now - last.time < Self.stall else { return 0 }
        let oldest = now - Self.window
        let bytes = samples.reduce(Int64(0)) { $0 + ($1.time > oldest ? $1.bytes : 0) }
        // Not by less than a grain: the first bytes would look infinitely fast.
        let span = max(Self.grain * 2, min(Self.window, now - start))
        return Double(bytes) / span.inSeconds
    }

    /// The seconds until the rest is here; `nil` where that would be a guess.
    package func remaining(_ rest: Int64, at now: Duration) -> Double? {
        guard let start, now - start >= Self.experience, samples.count >= 3 else { return nil }
        let speed = speed(at: now)
        guard speed > 0 else { return nil }
        let seconds = Double(max(0, rest)) / speed
        return seconds <= 365 * 86_400 ? seconds : nil
    }
}
