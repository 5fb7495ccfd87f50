// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

/// A group of dials that one task waits for.
///
/// If the task is cancelled, it stops waiting. The dials continue within their timeouts, and their connections idle.
final class PrewarmGroup: Sendable {
    private struct State: Sendable {
        var left: Int
        var error: TransportError?
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ dials: Int) { state = Mutex(State(left: dials)) }

    /// Records the end of one dial.
    func ended(_ result: Result<Void, TransportError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.left -= 1
            if case .failure(let error) = result, state.error == nil { state.error = error }
            return state.left == 0 ? state.continuation.take() : nil
        }
        waiter?.resume()
    }

    /// Waits once until all dials have ended.
    ///
    /// - Throws: The first error of a dial, or a `TransportError` with the code `cancelled`.
    func end() async throws(TransportError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.left > 0, state.error?.code != .cancelled {
                        state.continuation = continuation
                        return false
                    }
                    return true
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                if state.left > 0 { state.error = .cancelled(phase: .connect) }
                return state.continuation.take()
            }
            waiter?.resume()
        }
        if let error = state.withLock({ $0.error }) { throw error }
    }
}
