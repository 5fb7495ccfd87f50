// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

extension TimeAmount {
    /// A duration as NIO counts it.
    ///
    /// One that is negative is no time at all, and one past thirty years is thirty years,
    /// so that no sum with a point in time overflows.
    package init(clamping duration: Duration) {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 || attoseconds < 0 {
            self = .zero
        } else {
            let most: Int64 = 1_000_000_000
            self =
                seconds >= most ? .seconds(most) : .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }
    }
}

extension NIODeadline {
    /// The point in time after a duration, however small or large that is.
    package func after(_ duration: Duration) -> NIODeadline { self + TimeAmount(clamping: duration) }

    /// The time since another point, never negative.
    func since(_ earlier: NIODeadline) -> Duration { .nanoseconds(max(0, (self - earlier).nanoseconds)) }
}
