// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A rate limit for messages to a server.
public struct MessageRateLimit: Sendable, Hashable {
    /// The maximum number of messages in an interval; a value below 1 counts as 1.
    public var messages: Int
    /// The length of the interval; a negative value counts as zero.
    public var interval: Duration

    /// Creates a rate limit.
    ///
    /// - Parameters:
    ///   - messages: The maximum number of messages, at least 1.
    ///   - interval: The length of the interval.
    public init(_ messages: Int, per interval: Duration) {
        self.messages = max(1, messages)
        self.interval = max(.zero, interval)
    }
}

/// A sliding-window rate limiter: no interval contains more messages than the limit.
package struct MessageRateLimiter: Sendable {
    private let pacing: MessageRateLimit
    /// The send times of the last messages, as a ring buffer of the size of the limit.
    private var sent: [Duration] = []
    private var next = 0

    package init(_ pacing: MessageRateLimit) {
        // The properties may have been set to invalid values after `init`.
        self.pacing = MessageRateLimit(pacing.messages, per: pacing.interval)
    }

    /// Records a message that is sent as soon as the limit allows.
    ///
    /// - Parameter now: The time.
    /// - Returns: The wait before it may be sent.
    package mutating func delay(now: Duration) -> Duration {
        guard sent.count == pacing.messages else {
            sent.append(now)
            return .zero
        }
        let time = max(now, sent[next] + pacing.interval)
        sent[next] = time
        next = (next + 1) % pacing.messages
        return time - now
    }
}
