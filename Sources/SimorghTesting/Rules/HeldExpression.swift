// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A regular expression that many tasks may ask, one at a time: an expression itself may not be sent about.
package final class HeldExpression: Sendable {
    private let whole: Mutex<(String) -> Bool>

    package init<Output>(_ expression: sending Regex<Output>) {
        whole = Mutex { text in (try? expression.wholeMatch(in: text)) != nil }
    }

    package func matches(_ text: String) -> Bool { whole.withLock { $0(text) } }
}
