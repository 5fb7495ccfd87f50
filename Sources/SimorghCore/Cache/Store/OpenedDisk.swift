// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The disk of a store, for who does not wait until it is known whether there is one.
final class OpenedDisk: Sendable {
    private let tier = Mutex<DiskTier?>(nil)

    /// The disk; `nil` where there is none, or not yet.
    var value: DiskTier? { tier.withLock { $0 } }

    /// Notes what the disk is.
    func open(_ tier: DiskTier?) { self.tier.withLock { $0 = tier } }
}
