// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// Lets one through at a time, in the order in which they came; who is cancelled while waiting leaves the line.
package final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var nextID = 0
        /// Everybody who came, the first at `head`; who left the line is not in `waiting` any more.
        var line: [Int] = []
        var head = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        /// Who has come and not begun to wait; cancelled meanwhile, where the value is `true`.
        var arriving: [Int: Bool] = [:]
        var count: Int { waiting.count + arriving.count }

        /// Takes those who left out of the line, when they are most of it.
        mutating func tidy() {
            guard line.count > 2 * count + 64 else { return }
            line = line[head...].filter { waiting[$0] != nil || arriving[$0] != nil }
            head = 0
        }
    }

    private enum Arrival { case through, full, wait(Int) }

    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: How many may wait.
    package init(capacity: Int) { self.capacity = max(0, capacity) }

    /// How many places the line has, those of leavers with them.
    package var lineLength: Int { state.withLock { $0.line.count } }

    /// Whether nobody has the turn.
    package var isFree: Bool { state.withLock { !$0.isTaken } }

    /// How many wait now.
    package var waiting: Int { state.withLock { $0.count } }

    /// Takes the turn if nobody has it.
    ///
    /// - Returns: Whether it is the caller's now, and is to be left.
    package func enterIfFree() -> Bool {
        state.withLock { state in
            defer { state.isTaken = true }
            return !state.isTaken
        }
    }

    /// Waits for the turn, which ends with ``leave()``.
    ///
    /// - Returns: `false` at once where too many wait already.
    /// - Throws: `CancellationError` at once when the task is cancelled; the turn is not to be left then.
    package func enter() async throws -> Bool {
        try Task.checkCancellation()
        let arrival: Arrival = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return .through
            }
            guard state.count < capacity else { return .full }
            state.nextID += 1
            state.line.append(state.nextID)
            state.arriving[state.nextID] = false
            return .wait(state.nextID)
        }
        switch arrival {
        case .through: return true
        case .full: return false
        case .wait(let id):
            try await wait(id)
            return true
        }
    }

    private func wait(_ id: Int) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    switch state.arriving.removeValue(forKey: id) {
                    case .some(false):
                        state.waiting[id] = continuation
                        return nil
                    case .some(true): return .failure(CancellationError())
                    case nil: return .success(())  // The turn came first.
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                if state.arriving[id] != nil { state.arriving[id] = true }
                defer { state.tidy() }
                return state.waiting.removeValue(forKey: id)
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Ends the turn and gives it to the next.
    package func leave() {
        let next: CheckedContinuation<Void, any Error>? = state.withLock { state in
            while state.head < state.line.count {
                let id = state.line[state.head]
                state.head += 1
                // The front of the line is thrown away now and then, not at each turn.
                if state.head > 64, state.head * 2 > state.line.count {
                    state.line.removeFirst(state.head)
                    state.head = 0
                }
                if let continuation = state.waiting.removeValue(forKey: id) { return continuation }
                if state.arriving[id] == false {
                    state.arriving[id] = nil
                    return nil
                }
            }
            state.line = []
            state.head = 0
            state.isTaken = false
            return nil
        }
        next?.resume()
    }
}
