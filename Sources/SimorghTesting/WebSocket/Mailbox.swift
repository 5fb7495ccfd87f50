// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// Hands things from one task to another, in order; whoever takes one waits until there is one.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements = Deque<Element>()
        var isFinished = false
    }

    private let state = Mutex(State())
    /// Rung at each change.
    private let bell = Bell()

    package init() {}

    /// Puts something in; after the end it is dropped.
    package func put(_ element: Element) {
        state.withLock { state in if !state.isFinished { state.elements.append(element) } }
        bell.ring()
    }

    /// Says that nothing more comes; what is there can still be taken.
    package func finish() {
        state.withLock { $0.isFinished = true }
        bell.ring()
    }

    /// Takes the first thing; `nil` where there is none.
    package func takeNow() -> Element? { state.withLock { $0.elements.popFirst() } }

    /// Takes the first thing, or waits for one.
    ///
    /// - Returns: The thing; `nil` at the end.
    /// - Throws: `CancellationError` at once when the task is cancelled; nothing is taken then.
    package func take() async throws -> Element? {
        while true {
            try Task.checkCancellation()
            let strokes = bell.count
            let (element, isFinished) = state.withLock { ($0.elements.popFirst(), $0.isFinished) }
            if element != nil || isFinished { return element }
            try await bell.wait(after: strokes)
        }
    }
}
