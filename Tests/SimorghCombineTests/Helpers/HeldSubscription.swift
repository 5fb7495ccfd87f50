// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCombine
import Synchronization

/// Keeps subscriptions alive until it is told to let them go.
final class HeldSubscription: Sendable {
    /// Unchecked: a subscription is only stored and let go here, both under the lock.
    private struct Box: @unchecked Sendable { let subscription: AnyCancellable }

    private let boxes = Mutex<[Box]>([])

    /// Keeps a subscription.
    func keep(_ subscription: AnyCancellable) {
        let box = Box(subscription: subscription)
        boxes.withLock { $0.append(box) }
    }

    /// Lets all go, which cancels what still runs.
    func release() { boxes.withLock { $0 = [] } }
}
