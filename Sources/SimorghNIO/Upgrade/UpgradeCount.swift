// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// How many connections of a transport have left HTTP for another protocol, or ask to.
///
/// They are none of the pool's, which does not count them.
final class UpgradeCount: Sendable {
    private let count = Atomic(0)

    /// How many there are now.
    var value: Int { count.load(ordering: .relaxed) }

    /// Counts a connection until it is closed.
    func add(_ channel: any Channel) {
        count.add(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
    }
}
