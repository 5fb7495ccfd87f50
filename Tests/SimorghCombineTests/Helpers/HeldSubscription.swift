// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCombine
import Synchronization

/// Keeps subscriptions alive until they are released.
final class HeldSubscription: Sendable {
    /// Unchecked: a subscription is only stored and released here, both under the lock.
    private struct Box: @unchecked Sendable { let subscription: AnyCancellable }

    private let boxes = Mutex<[Box]>([])

    /// Keeps a subscription.
    func keep(_ subscription: AnyCancellable) {
        let box = Box(subscription: subscription)
        boxes.withLock { $0.append(box) }
    }

    /// Releases all subscriptions, which cancels those that are still active.
    func release() { boxes.withLock { $0 = [] } }
}
