// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

extension TimeAmount {
    /// Converts a duration to NIO's type.
    ///
    /// A negative duration becomes zero, and one above 1,000,000,000 seconds (about 31 years) becomes that, so that no
    /// sum with a point in time overflows.
    package init(clamping duration: Duration) {
        let maximumSeconds: Int64 = 1_000_000_000
        if duration <= .zero {
            self = .zero
        } else if duration >= .seconds(maximumSeconds) {
            self = .seconds(maximumSeconds)
        } else {
            // One division: the components of a duration would take two that are twice as wide. Below the limit the
            // quotient has at most 60 bits.
            let attoseconds = duration.attoseconds
            let high = UInt64(truncatingIfNeeded: attoseconds >> 64)
            let divisor: UInt64 = 1_000_000_000
            let nanoseconds = divisor.dividingFullWidth((high, UInt64(truncatingIfNeeded: attoseconds))).quotient
            self = .nanoseconds(Int64(nanoseconds))
        }
    }
}

extension NIODeadline {
    /// Returns the point in time after a duration, which is clamped to the range of ``TimeAmount``.
    package func after(_ duration: Duration) -> NIODeadline { self + TimeAmount(clamping: duration) }

    /// Returns the time since an earlier point; never negative.
    func since(_ earlier: NIODeadline) -> Duration { .nanoseconds(max(0, (self - earlier).nanoseconds)) }
}
