// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

extension TimeAmount {
    /// A duration as NIO counts it.
    ///
    /// One that is negative is no time at all, and one past thirty years is thirty years,
    /// so that no sum with a point in time overflows.
    package init(clamping duration: Duration) {
        let most: Int64 = 1_000_000_000
        if duration <= .zero {
            self = .zero
        } else if duration >= .seconds(most) {
            self = .seconds(most)
        } else {
            // One division, as the parts of a duration take two that are twice as wide; what is below the bound leaves a
            // quotient of 60 bits.
            let attoseconds = duration.attoseconds
            let high = UInt64(truncatingIfNeeded: attoseconds >> 64)
            let divisor: UInt64 = 1_000_000_000
            let nanoseconds = divisor.dividingFullWidth((high, UInt64(truncatingIfNeeded: attoseconds))).quotient
            self = .nanoseconds(Int64(nanoseconds))
        }
    }
}

extension NIODeadline {
    /// The point in time after a duration, however small or large that is.
    package func after(_ duration: Duration) -> NIODeadline { self + TimeAmount(clamping: duration) }

    /// The time since another point, never negative.
    func since(_ earlier: NIODeadline) -> Duration { .nanoseconds(max(0, (self - earlier).nanoseconds)) }
}
