// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The owners of a session's tasks by the identifiers of the tasks, until the tasks have ended.
///
/// After ``cancelAll()`` it accepts no further owners: a request that has a lease of the session, but no task yet, is
/// cancelled as those with a task are.
package final class SessionTaskRegistry<Owner: Sendable>: Sendable {
    private struct State {
        var owners: [Int: Owner] = [:]
        var isCancelled = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Registers the owner of a task.
    ///
    /// - Parameters:
    ///   - owner: The owner.
    ///   - task: The identifier of the task.
    /// - Returns: False if the owner has to cancel its task, because all were cancelled.
    package func add(_ owner: Owner, for task: Int) -> Bool {
        state.withLock { state in
            state.owners[task] = owner
            return !state.isCancelled
        }
    }

    /// Returns the owner of a task.
    package subscript(task: Int) -> Owner? { state.withLock { $0.owners[task] } }

    /// Removes and returns the owner of a task.
    @discardableResult
    package func remove(_ task: Int) -> Owner? { state.withLock { $0.owners.removeValue(forKey: task) } }

    /// Removes and returns all owners.
    package func removeAll() -> [Owner] {
        state.withLock { state in
            defer { state.owners = [:] }
            return Array(state.owners.values)
        }
    }

    /// Returns all owners, whose tasks have to be cancelled; later ones are refused.
    package func cancelAll() -> [Owner] {
        state.withLock { state in
            state.isCancelled = true
            return Array(state.owners.values)
        }
    }
}
