// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

extension SubscriptionMultiplexer: DrainMember {
    /// Refuses new subscriptions, and disconnects once the pending one-shot requests have been answered.
    package func beginDrain() -> Int {
        let isIdle = state.withLock { state in
            state.isDraining = true
            return state.pendingRequests.isEmpty
        }
        if isIdle { disconnect() }
        return 0
    }

    package func drained() async { await ended() }

    package func cut() -> Bool {
        let numbers = state.withLock { Array($0.connections.keys) }
        disconnect()
        for number in numbers { drop(number) }
        return !numbers.isEmpty
    }
}
