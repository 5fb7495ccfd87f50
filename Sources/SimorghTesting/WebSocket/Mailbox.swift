// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// An asynchronous FIFO queue between tasks.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements = Deque<Element>()
        var isFinished = false
    }

    private let state = Mutex(State())
    /// Signaled at each change.
    private let signal = AsyncSignal()

    package init() {}

    /// Appends an element; it is dropped after the end.
    package func put(_ element: Element) {
        state.withLock { state in if !state.isFinished { state.elements.append(element) } }
        signal.ring()
    }

    /// Ends the queue.
    ///
    /// The elements that it holds can still be taken.
    package func finish() {
        state.withLock { $0.isFinished = true }
        signal.ring()
    }

    /// Takes the first element; `nil` if the queue is empty.
    package func takeNow() -> Element? { state.withLock { $0.elements.popFirst() } }

    /// Takes the first element, or waits for one.
    ///
    /// - Returns: The element; `nil` at the end.
    /// - Throws: `CancellationError` immediately if the task is cancelled; no element is taken then.
    package func take() async throws -> Element? {
        while true {
            try Task.checkCancellation()
            let signalCount = signal.count
            let (element, isFinished) = state.withLock { ($0.elements.popFirst(), $0.isFinished) }
            if element != nil || isFinished { return element }
            try await signal.wait(after: signalCount)
        }
    }
}
