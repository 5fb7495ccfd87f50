// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Remembers something of a few hosts; the one that was learnt longest ago makes room for another.
///
/// Each request asks, so to ask costs the same however many are remembered.
package final class HostMemory: Sendable {
    private struct State: Sendable {
        var hosts: Set<Origin> = []
        /// The same, the one that was learnt longest ago first.
        var order: [Origin] = []
    }

    /// So many are remembered.
    package static let most = 256

    /// Whether there are any, so that who asks of nearly nobody takes no lock.
    private let hasAny = Atomic(false)
    private let state = Mutex(State())

    package init() {}

    /// Learns of a host.
    package func insert(_ origin: Origin) {
        state.withLock { state in
            guard state.hosts.insert(origin).inserted else { return }
            state.order.append(origin)
            if state.order.count > Self.most { state.hosts.remove(state.order.removeFirst()) }
        }
        hasAny.store(true, ordering: .relaxed)
    }

    /// Whether a host is remembered.
    package func contains(_ origin: Origin) -> Bool {
        hasAny.load(ordering: .relaxed) && state.withLock { $0.hosts.contains(origin) }
    }
}
