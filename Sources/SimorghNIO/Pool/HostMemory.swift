// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Remembers something of a few hosts; the one that was learnt longest ago makes room for another.
final class HostMemory: Sendable {
    /// So many are remembered.
    private static let most = 256

    /// Whether there are any, so that who asks of nearly nobody takes no lock.
    private let hasAny = Atomic(false)
    private let hosts = Mutex<[Origin]>([])

    func insert(_ origin: Origin) {
        hosts.withLock { hosts in
            guard !hosts.contains(origin) else { return }
            if hosts.count >= Self.most { hosts.removeFirst() }
            hosts.append(origin)
        }
        hasAny.store(true, ordering: .relaxed)
    }

    func contains(_ origin: Origin) -> Bool {
        hasAny.load(ordering: .relaxed) && hosts.withLock { $0.contains(origin) }
    }
}
