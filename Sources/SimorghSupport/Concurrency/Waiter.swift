// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The wait of one task for one result, which may arrive before the task begins to wait.
///
/// The first result wins; later ones are dropped. Several tasks that wait for the same event use one waiter each.
package final class Waiter<Value: Sendable, Failure: Error>: Sendable {
    /// The result of a wait.
    package typealias Outcome = Result<Value, Failure>

    private enum State {
        /// The task does not wait yet, and there is no result.
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        /// The result arrived before the task began to wait.
        case settled(Outcome)
        /// The task has received the result.
        case over
    }

    private let state = Mutex(State.idle)

    package init() {}

    /// True if the task is waiting.
    package var isWaiting: Bool {
        state.withLock { state in
            if case .waiting = state { true } else { false }
        }
    }

    /// Ends the wait.
    ///
    /// - Parameter outcome: The result for the waiting task.
    /// - Returns: `false` if there was a result already, and this one is dropped.
    @discardableResult
    package func settle(_ outcome: Outcome) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Outcome, Never>?) in
            switch state {
            case .idle:
                state = .settled(outcome)
                return (true, nil)
            case .waiting(let continuation):
                state = .over
                return (true, continuation)
            case .settled, .over: return (false, nil)
            }
        }
        continuation?.resume(returning: outcome)
        return isFirst
    }

    /// Waits for the result, even if the task is cancelled.
    ///
    /// Call this method only once.
    package func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                switch state {
                case .idle:
                    state = .waiting(continuation)
                    return nil
                case .settled(let outcome):
                    state = .over
                    return outcome
                case .waiting, .over:
                    preconditionFailure("Waiter.outcome() was called twice: one waiter serves one task")
                }
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

extension Waiter where Failure == any Error {
    /// Waits for the result.
    ///
    /// Call this method only once.
    ///
    /// - Parameter onCancel: Called if the task is cancelled, before the wait ends, and also if there is a result
    ///   already.
    /// - Returns: The result.
    /// - Throws: The result's error; `CancellationError` at once if the task is cancelled.
    package func value(onCancel: @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            await outcome()
        } onCancel: {
            // Called first, so that the caller removes the waiter before the task continues.
            onCancel()
            settle(.failure(CancellationError()))
        }.get()
    }
}
