// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A result that a task hands to a waiting thread.
final class ResultBox: Sendable {
    private let content = Mutex<Data?>(nil)

    /// The result so far.
    var value: Data? { content.withLock { $0 } }

    /// Sets the result.
    func set(_ data: Data) { content.withLock { $0 = data } }
}
