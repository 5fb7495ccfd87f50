// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How many messages a server takes in a time.
public struct SubscriptionPacing: Sendable, Hashable {
    /// How many; less than 1 counts as 1.
    public var messages: Int
    /// In which time; less than none counts as none.
    public var interval: Duration

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - messages: How many; at least 1.
    ///   - interval: In which time.
    public init(_ messages: Int, per interval: Duration) {
        self.messages = max(1, messages)
        self.interval = max(.zero, interval)
    }
}

/// When the next message may go out, so that no stretch of the interval has more than it may.
package struct Pacer: Sendable {
    private let pacing: SubscriptionPacing
    /// When the last messages went out: as many as an interval may have.
    private var sent: [Duration] = []
    private var next = 0

    package init(_ pacing: SubscriptionPacing) {
        // They may have been changed since they were bounded.
        self.pacing = SubscriptionPacing(pacing.messages, per: pacing.interval)
    }

    /// Notes a message that goes out as soon as it may.
    ///
    /// - Parameter now: The time.
    /// - Returns: How long it has to wait.
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
