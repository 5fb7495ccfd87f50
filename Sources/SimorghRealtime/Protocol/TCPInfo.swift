// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The TCP state of a connection as known to the kernel, which is available even if reading is paused.
package struct TCPInfo: Sendable, Hashable {
    /// The number of bytes received so far, including unread ones.
    package var received: UInt64
    /// The approximate time since the last received byte, in nanoseconds.
    package var silence: Int64
    /// The number of sent bytes that the peer's kernel has acknowledged.
    package var acknowledged: UInt64
    /// True if sent bytes are not acknowledged yet.
    package var isAwaiting: Bool
    /// True if the receive window certainly has room, so that the peer can send more.
    package var hasRoom: Bool

    package init(received: UInt64, silence: Int64, acknowledged: UInt64, isAwaiting: Bool, hasRoom: Bool) {
        self.received = received
        self.silence = silence
        self.acknowledged = acknowledged
        self.isAwaiting = isAwaiting
        self.hasRoom = hasRoom
    }

    /// Returns true if bytes are unacknowledged and no acknowledgement has arrived between the two states.
    static func isStuck(from before: TCPInfo?, to now: TCPInfo?) -> Bool {
        guard let before, let now else { return false }
        return now.isAwaiting && now.acknowledged == before.acknowledged
    }
}
