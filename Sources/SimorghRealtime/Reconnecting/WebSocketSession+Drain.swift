// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension WebSocketSession: DrainMember {
    /// Closes the connection with 1001; messages that were already accepted are sent first.
    package func beginDrain() -> Int {
        drain()
        return 0
    }

    package func drained() async { _ = try? await ended() }

    package func endImmediately() -> Bool {
        let isOpen = link != nil
        abort()
        return isOpen
    }
}
