// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A value that concurrent tasks change.
package final class LockedValue<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>

    package init(_ value: Value) { storage = Mutex(value) }

    package var value: Value { storage.withLock { $0 } }

    package func change(_ body: @Sendable (inout Value) -> Void) { storage.withLock { body(&$0) } }
}
