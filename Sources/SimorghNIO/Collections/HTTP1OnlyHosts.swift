// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A bounded set of hosts; inserting into a full set removes the oldest host.
///
/// Each request checks its host, so the cost of a lookup does not depend on the number of hosts.
package final class HTTP1OnlyHosts: Sendable {
    private struct State: Sendable {
        var hosts: Set<Origin> = []
        /// The same hosts, the oldest first.
        var order: [Origin] = []
    }

    /// The maximum number of hosts.
    package static let maximumCount = 256

    /// True if any host was inserted; lookups take no lock before that.
    private let hasAny = Atomic(false)
    private let state = Mutex(State())

    package init() {}

    /// Inserts a host.
    package func insert(_ origin: Origin) {
        state.withLock { state in
            guard state.hosts.insert(origin).inserted else { return }
            state.order.append(origin)
            if state.order.count > Self.maximumCount { state.hosts.remove(state.order.removeFirst()) }
        }
        hasAny.store(true, ordering: .relaxed)
    }

    /// Returns true if a host is in the set.
    package func contains(_ origin: Origin) -> Bool {
        hasAny.load(ordering: .relaxed) && state.withLock { $0.hosts.contains(origin) }
    }
}
