// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A value that concurrent tasks change.
package final class Kept<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    package init(_ value: Value) { kept = Mutex(value) }

    package var value: Value { kept.withLock { $0 } }

    package func change(_ body: @Sendable (inout Value) -> Void) { kept.withLock { body(&$0) } }
}
