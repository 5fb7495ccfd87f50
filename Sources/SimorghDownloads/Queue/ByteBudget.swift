// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How many bytes may come in a second: a token bucket that is paid after the fact.
///
/// Bytes that came are taken out even when it is empty; whoever took them waits until the debt is paid, and meanwhile reads
/// nothing, so that the sender has to wait, too.
package struct ByteBudget: Sendable, Equatable {
    /// Bytes a second; `nil` for as many as come.
    package private(set) var rate: Double?
    /// The time that all bytes until now are paid at.
    private var paid: Duration = .zero
    /// How much that was not used may be used later: a quarter of a second's worth.
    private static let burst: Duration = .milliseconds(250)

    package init(bytesPerSecond: Int64? = nil) { rate = bytesPerSecond.map { Double(max(1, $0)) } }

    /// Takes bytes.
    ///
    /// - Parameters:
    ///   - count: How many came.
    ///   - now: The time.
    /// - Returns: How long not to read any more.
    package mutating func take(_ count: Int, at now: Duration) -> Duration {
        guard let rate else { return .zero }
        paid = max(paid, now - Self.burst) + .seconds(min(Double(count) / rate, 3_155_760_000))
        return max(.zero, paid - now)
    }

    /// How long what came is not paid.
    package func owed(at now: Duration) -> Duration { rate == nil ? .zero : max(.zero, paid - now) }

    /// Changes the rate; what is owed is owed at the new one.
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
