// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghNetwork

/// Decides when a connection of Apple's Network framework counts as open or failed.
///
/// A value that takes the connection's states in any order, also after the end.
package struct NetworkConnectionStateMachine: Sendable {
    /// A state of the connection, or an event of its owner.
    package enum Event: Sendable, Hashable {
        /// Setup, or a connection attempt in progress.
        case preparing
        /// The attempt failed, and the system tries again when the network changes.
        ///
        /// The path of the connection is not satisfied if there is no network, or none that the connection may use.
        case waiting(NetworkConnectionError, hasNoPath: Bool)
        case ready
        case failed(NetworkConnectionError)
        case cancelled
        /// The time limit of the connection attempt has passed.
        case limitPassed
        /// The task that waits was cancelled.
        case taskCancelled
        /// The answer to ``Action/checkAccess``: the rule that forbids the current network, if any.
        case accessChecked(NetworkAccessError.Rule?)
    }

    /// The reason why there is no connection.
    package enum Failure: Error, Sendable, Hashable {
        case failed(NetworkConnectionError)
        /// The time limit has passed; with the last error, if there was one.
        case timedOut(NetworkConnectionError?, hasNoPath: Bool)
        /// A rule for networks forbids the current one.
        case forbidden(NetworkAccessError.Rule)
        case cancelled
    }

    package enum Action: Sendable, Hashable {
        case none
        /// Find out if a rule for networks forbids the current one.
        case checkAccess
        /// Report the open connection.
        case open
        /// Cancel the connection, and report the failure.
        case fail(Failure)
    }

    private enum State: Sendable, Hashable {
        case connecting(NetworkConnectionError?, hasNoPath: Bool)
        case over
    }

    private var state = State.connecting(nil, hasNoPath: false)
    private let hasAccessRules: Bool
    private var isChecking = false

    /// Creates a machine.
    ///
    /// - Parameter hasAccessRules: True if the connection may not use every network.
    package init(hasAccessRules: Bool = false) { self.hasAccessRules = hasAccessRules }

    /// Handles an event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The action; one of all events opens or fails.
    package mutating func handle(_ event: Event) -> Action {
        // The states of an open connection are reported by its reads and writes, too.
        guard case .connecting(let last, let hasNoPath) = state else { return .none }
        switch event {
        case .preparing:
            // The error of an earlier attempt without a network says nothing about this one.
            state = .connecting(hasNoPath ? nil : last, hasNoPath: false)
            return .none
        case .waiting(let error, let hasNoPath):
            // Another network cannot change the answer of the server, but without a network there is no answer.
            guard hasNoPath || !error.isAnswer else { return end(.fail(.failed(error))) }
            state = .connecting(error, hasNoPath: hasNoPath)
            guard hasNoPath, hasAccessRules, !isChecking else { return .none }
            isChecking = true
            return .checkAccess
        case .accessChecked(let rule):
            isChecking = false
            // Meanwhile the connection may have found an allowed network.
            guard hasNoPath, let rule else { return .none }
            return end(.fail(.forbidden(rule)))
        case .ready: return end(.open)
        case .failed(let error): return end(.fail(.failed(error)))
        case .cancelled: return end(.fail(.cancelled))
        case .limitPassed: return end(.fail(.timedOut(last, hasNoPath: hasNoPath)))
        case .taskCancelled: return end(.fail(.cancelled))
        }
    }

    private mutating func end(_ action: Action) -> Action {
        state = .over
        return action
    }
}
