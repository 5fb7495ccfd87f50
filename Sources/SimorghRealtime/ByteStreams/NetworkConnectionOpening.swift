// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// Waits until a connection of Apple's Network framework is open.
package final class NetworkConnectionOpening: Sendable {
    package typealias Failure = NetworkConnectionStateMachine.Failure

    private struct State {
        var machine: NetworkConnectionStateMachine
        var result: Result<Void, Failure>?
        var waiter: CheckedContinuation<Result<Void, Failure>, Never>?
    }

    private let state: Mutex<State>
    private let objection: NetworkConnectionPlan.Objection?
    private let abort: @Sendable () -> Void

    /// Creates an opening.
    ///
    /// - Parameters:
    ///   - objection: Finds out if a rule forbids the current network; `nil` without rules.
    ///   - abort: Cancels the connection.
    package init(objection: NetworkConnectionPlan.Objection? = nil, abort: @escaping @Sendable () -> Void) {
        state = Mutex(State(machine: NetworkConnectionStateMachine(hasAccessRules: objection != nil)))
        self.objection = objection
        self.abort = abort
    }

    /// Handles an event of the connection.
    package func handle(_ event: NetworkConnectionStateMachine.Event) {
        let (action, waiter) = state.withLock {
            state -> (NetworkConnectionStateMachine.Action, CheckedContinuation<Result<Void, Failure>, Never>?) in
            let action = state.machine.handle(event)
            switch action {
            case .none, .checkAccess: return (action, nil)
            case .open: state.result = .success(())
            case .fail(let failure): state.result = .failure(failure)
            }
            return (action, state.waiter.take())
        }
        switch action {
        case .none: break
        case .checkAccess: Task { handle(.accessChecked(await objection?())) }
        case .open: waiter?.resume(returning: .success(()))
        case .fail(let failure):
            abort()
            waiter?.resume(returning: .failure(failure))
        }
    }

    /// Waits until the connection is open.
    ///
    /// - Parameters:
    ///   - limit: The time limit.
    ///   - time: The clock.
    /// - Throws: The reason why there is no connection, which is cancelled then.
    package func wait(atMost limit: Duration, time: TimeSource = .system) async throws(Failure) {
        let timer = Task {
            if (try? await time.sleep(for: limit)) != nil { handle(.limitPassed) }
        }
        defer { timer.cancel() }
        try await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Result<Void, Failure>, Never>) in
                let early = state.withLock { state in
                    if state.result == nil { state.waiter = waiter }
                    return state.result
                }
                if let early { waiter.resume(returning: early) }
            }
        } onCancel: {
            handle(.taskCancelled)
        }.get()
    }
}
