// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Decides when a connection of Apple's Network framework counts as open or failed.
///
/// A value that takes the connection's states in any order, also after the end.
package struct NetworkConnectionStateMachine: Sendable {
    /// A state of the connection, or an event of its owner.
    package enum Event: Sendable, Hashable {
        /// Setup, or a connection attempt in progress.
        case preparing
        /// The attempt failed, and the system tries again when the network changes.
        case waiting(NetworkConnectionError)
        case ready
        case failed(NetworkConnectionError)
        case cancelled
        /// The time limit of the connection attempt has passed.
        case limitPassed
        /// The task that waits was cancelled.
        case taskCancelled
    }

    /// The reason why there is no connection.
    package enum Failure: Error, Sendable, Hashable {
        case failed(NetworkConnectionError)
        /// The time limit has passed; with the last error, if there was one.
        case timedOut(NetworkConnectionError?)
        case cancelled
    }

    package enum Action: Sendable, Hashable {
        case none
        /// Report the open connection.
        case open
        /// Cancel the connection, and report the failure.
        case fail(Failure)
    }

    private enum State: Sendable, Hashable {
        case connecting(NetworkConnectionError?)
        case over
    }

    private var state = State.connecting(nil)

    package init() {}

    /// Handles an event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The action; one of all events opens or fails.
    package mutating func handle(_ event: Event) -> Action {
        // The states of an open connection are reported by its reads and writes, too.
        guard case .connecting(let last) = state else { return .none }
        switch event {
        case .preparing: return .none
        case .waiting(let error):
            // Another network cannot change the answer of the server itself.
            guard !error.isAnswerOfServer else { return end(.fail(.failed(error))) }
            state = .connecting(error)
            return .none
        case .ready: return end(.open)
        case .failed(let error): return end(.fail(.failed(error)))
        case .cancelled: return end(.fail(.cancelled))
        case .limitPassed: return end(.fail(.timedOut(last)))
        case .taskCancelled: return end(.fail(.cancelled))
        }
    }

    private mutating func end(_ action: Action) -> Action {
        state = .over
        return action
    }
}
