// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The disk of a store, for callers that do not wait until it is open.
final class OpenedDisk: Sendable {
    private let tier = Mutex<DiskTier?>(nil)

    /// The disk; `nil` if it is not open yet, or cannot be used.
    var value: DiskTier? { tier.withLock { $0 } }

    /// Sets the disk.
    func open(_ tier: DiskTier?) { self.tier.withLock { $0 = tier } }
}
