// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// What the kernel knows of a connection, whoever reads from it or does not.
package struct WebSocketPulse: Sendable, Hashable {
    /// How many bytes have come so far, those among them that were not read.
    package var received: UInt64
    /// How long ago the last of them came, in nanoseconds and about.
    package var silence: Int64
    /// How many bytes the other kernel has said that it has.
    package var acknowledged: UInt64
    /// Whether some were sent that it has not said that of.
    package var isAwaiting: Bool
    /// Whether the other side may certainly send more, as far as what has come and was not read leaves room for it.
    package var hasRoom: Bool

    package init(received: UInt64, silence: Int64, acknowledged: UInt64, isAwaiting: Bool, hasRoom: Bool) {
        self.received = received
        self.silence = silence
        self.acknowledged = acknowledged
        self.isAwaiting = isAwaiting
        self.hasRoom = hasRoom
    }

    /// Whether the other kernel says nothing of what was sent.
    static func isStuck(from before: WebSocketPulse?, to now: WebSocketPulse?) -> Bool {
        guard let before, let now else { return false }
        return now.isAwaiting && now.acknowledged == before.acknowledged
    }
}
