// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The wait of one task for one result, which may come before the task has begun to wait.
///
/// The first result wins; those that come later are dropped. Tasks that wait for the same thing are a collection of waiters.
package final class Waiter<Value: Sendable, Failure: Error>: Sendable {
    /// The result that ends a wait.
    package typealias Outcome = Result<Value, Failure>

    private enum State {
        /// The task does not wait yet, and there is no result.
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        /// The result came first.
        case settled(Outcome)
        case over
    }

    private let state = Mutex(State.idle)

    package init() {}

    /// True if the task waits.
    package var isWaiting: Bool {
        state.withLock { state in
            if case .waiting = state { true } else { false }
        }
    }

    /// Ends the wait.
    ///
    /// - Parameter outcome: What the task that waits gets.
    /// - Returns: `false` if there was a result already; this one is dropped then.
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

    /// Waits for the result, whether the task is cancelled or not.
    ///
    /// A result can be waited for once.
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
                case .waiting, .over: preconditionFailure("a result can be waited for once")
                }
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

extension Waiter where Failure == any Error {
    /// Waits for the result.
    ///
    /// A result can be waited for once.
    ///
    /// - Parameter onCancel: Called if the task is cancelled, before the wait ends, and also if there is a result already.
    /// - Returns: The result.
    /// - Throws: The result's error; `CancellationError` at once when the task is cancelled.
    package func value(onCancel: @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            await outcome()
        } onCancel: {
            // First, so that the task does not go on before its wait is forgotten.
            onCancel()
            settle(.failure(CancellationError()))
        }.get()
    }
}
