// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Hands things from one task to another, in order; whoever takes one waits until there is one.
package final class Mailbox<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var isFinished = false
        var nextID = 0
        var waiting: [(id: Int, continuation: CheckedContinuation<Element?, any Error>)] = []
        /// Waits that were cancelled before they had begun.
        var cancelled: Set<Int> = []
    }

    private enum Arrival { case element(Element), finished, wait(Int) }

    private let state = Mutex(State())

    package init() {}

    /// Puts something in; after the end it is dropped.
    package func put(_ element: Element) {
        let taker: CheckedContinuation<Element?, any Error>? = state.withLock { state in
            guard !state.isFinished else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.elements.append(element)
            return nil
        }
        taker?.resume(returning: element)
    }

    /// Says that nothing more comes; what is there can still be taken.
    package func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for taker in waiting { taker.continuation.resume(returning: nil) }
    }

    /// Takes the first thing, or waits for one.
    ///
    /// - Returns: The thing; `nil` at the end.
    /// - Throws: `CancellationError` at once when the task is cancelled; nothing is taken then.
    package func take() async throws -> Element? {
        try Task.checkCancellation()
        let arrival: Arrival = state.withLock { state in
            if !state.elements.isEmpty { return .element(state.elements.removeFirst()) }
            if state.isFinished { return .finished }
            state.nextID += 1
            return .wait(state.nextID)
        }
        switch arrival {
        case .element(let element): return element
        case .finished: return nil
        case .wait(let id): return try await wait(id)
        }
    }

    private func wait(_ id: Int) async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Element?, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if !state.elements.isEmpty { return .success(state.elements.removeFirst()) }
                    if state.isFinished { return .success(nil) }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let continuation: CheckedContinuation<Element?, any Error>? = state.withLock { state in
                if let place = state.waiting.firstIndex(where: { $0.id == id }) {
                    return state.waiting.remove(at: place).continuation
                }
                if id > 0 { state.cancelled.insert(id) }
                return nil
            }
            continuation?.resume(throwing: CancellationError())
        }
    }
}
