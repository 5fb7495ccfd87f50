// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import Synchronization

extension SubscriptionHub {
    /// Watches for a way to the network from the loss of a connection until there is another, anew with each attempt: what
    /// comes while it is tried ends the wait after it.
    func followPath(_ status: SubscriptionState) {
        let isWatching = state.withLock { $0.pathReturned != nil }
        let wait: PathWatch.Wait?
        switch status {
        case .reconnecting where isWatching: return
        // A first attempt is not worth a watch.
        case .connecting where !isWatching: return
        case .reconnecting, .connecting: wait = options.webSocket.paths?.begin()
        default: wait = nil
        }
        let former = state.withLock { state in
            defer { state.pathReturned = wait }
            return state.pathReturned
        }
        // Not under the lock, as it may end the watch.
        withExtendedLifetime(former) {}
    }
}
