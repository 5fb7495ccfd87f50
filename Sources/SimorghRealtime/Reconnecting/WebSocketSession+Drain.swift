// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension WebSocketSession: DrainMember {
    /// Closes the connection with 1001; messages that were already accepted are sent first.
    package func beginDrain() -> Int {
        close(code: .goingAway, reason: "")
        return 0
    }

    package func drained() async { _ = try? await ended() }

    package func cut() -> Bool {
        let isOpen = link != nil
        abort()
        return isOpen
    }
}
