// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A regular expression that many tasks may ask, one at a time: an expression itself may not be sent about.
package final class HeldExpression: Sendable {
    /// A function in a lock would be wrapped once more each time that the lock is taken.
    private struct Question {
        let isWhole: (String) -> Bool
    }

    private let question: Mutex<Question>

    package init<Output>(_ expression: sending Regex<Output>) {
        question = Mutex(Question { text in (try? expression.wholeMatch(in: text)) != nil })
    }

    package func matches(_ text: String) -> Bool { question.withLock { $0.isWhole(text) } }
}
