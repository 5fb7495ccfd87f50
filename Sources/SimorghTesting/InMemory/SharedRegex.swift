// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A regular expression that tasks share and use one at a time: `Regex` is not `Sendable`.
package final class SharedRegex: Sendable {
    /// A struct, because a bare function in a lock would be wrapped again on each access.
    private struct Question {
        let isWhole: (String) -> Bool
    }

    private let question: Mutex<Question>

    package init<Output>(_ expression: sending Regex<Output>) {
        question = Mutex(Question { text in (try? expression.wholeMatch(in: text)) != nil })
    }

    package func matches(_ text: String) -> Bool { question.withLock { $0.isWhole(text) } }
}
