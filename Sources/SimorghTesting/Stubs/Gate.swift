// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A door that tests hold shut: whoever waits at it goes on when it is opened, and not before.
///
/// It takes the place of a sleep. An answer behind a gate is on its way for as long as the test needs it to be.
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Waits that were cancelled before they had begun.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    /// Creates a gate.
    ///
    /// - Parameter isOpen: Whether it is open from the start; shut by default.
    public init(isOpen: Bool = false) { state = Mutex(State(isOpen: isOpen)) }

    /// Whether nobody has to wait any more.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many wait now.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Opens the gate for good; a second time does nothing.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting
        }
        for continuation in waiting.values { continuation.resume() }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public func wait() async throws {
        try Task.checkCancellation()
        let id: Int? = state.withLock { state in
            guard !state.isOpen else { return nil }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if state.isOpen { return .success(()) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: id)
                if continuation == nil, !state.isOpen { state.cancelled.insert(id) }
                return continuation
            }
            continuation?.resume(throwing: CancellationError())
        }
    }
}
