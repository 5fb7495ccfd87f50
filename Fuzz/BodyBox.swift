// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a task leaves for the thread that waits for it.
final class BodyBox: Sendable {
    private let content = Mutex<Data?>(nil)

    /// What was left.
    var value: Data? { content.withLock { $0 } }

    /// Leaves it.
    func set(_ data: Data) { content.withLock { $0 = data } }
}
