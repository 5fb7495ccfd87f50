// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A token bucket that limits the bytes per second and allows debt.
///
/// Received bytes are deducted even if the bucket is empty. The reader then pauses until the debt is paid, so that flow
/// control slows the sender down, too.
package struct ByteTokenBucket: Sendable, Equatable {
    /// The rate, in bytes per second; `nil` for no limit.
    package private(set) var rate: Double?
    /// The time at which all bytes so far are paid for.
    private var paid: Duration = .zero
    /// The largest unused allowance that is carried over: a quarter of a second's worth.
    private static let burst: Duration = .milliseconds(250)

    package init(bytesPerSecond: Int64? = nil) { rate = bytesPerSecond.map { Double(max(1, $0)) } }

    /// Deducts bytes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes received.
    ///   - now: The current time.
    /// - Returns: The time to pause reading.
    package mutating func take(_ count: Int, at now: Duration) -> Duration {
        guard let rate else { return .zero }
        paid = max(paid, now - Self.burst) + .seconds(min(Double(count) / rate, 3_155_760_000))
        return max(.zero, paid - now)
    }

    /// Returns the time until the received bytes are paid for.
    package func owed(at now: Duration) -> Duration { rate == nil ? .zero : max(.zero, paid - now) }

    /// Changes the rate; existing debt is paid at the new rate.
    package mutating func change(to bytesPerSecond: Int64?, at now: Duration) {
        let old = rate
        rate = bytesPerSecond.map { Double(max(1, $0)) }
        guard let old, let rate, paid > now else {
            paid = min(paid, now)
            return
        }
        paid = now + (paid - now) * (old / rate)
    }
}
