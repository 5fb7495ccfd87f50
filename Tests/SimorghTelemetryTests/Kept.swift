// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A value that many tasks change.
final class Kept<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    init(_ value: Value) { kept = Mutex(value) }

    var value: Value { kept.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) { kept.withLock { body(&$0) } }
}
