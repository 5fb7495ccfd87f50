// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Keeps the order of requests to one URL, so that an old value does not arrive after a new one.
final class PerURLOrdering: Sendable {
    /// The position of a request among all active requests to its URL.
    struct Position: Sendable {
        fileprivate let url: String
        fileprivate let number: Int
    }

    /// The active requests to one URL.
    private struct ActiveRequests {
        /// All active requests.
        var active: Set<Int> = []
        /// The active requests that wait for the network.
        var waiting: Set<Int> = []
        /// The active requests that are being sent.
        var sent: Set<Int> = []
        /// The latest request that was sent and has ended.
        var lastSent = 0

        /// Removes a request; returns false if it was removed before.
        mutating func leave(_ number: Int) -> Bool {
            guard active.remove(number) != nil else { return false }
            waiting.remove(number)
            if sent.remove(number) != nil { lastSent = max(lastSent, number) }
            return true
        }
    }

    private struct State {
        var last = 0
        var requests: [String: ActiveRequests] = [:]
    }

    private let state = Mutex(State())
    /// Signaled when a request ends.
    private let ended = AsyncSignal()

    /// Adds a new request.
    func enter(_ url: String) -> Position {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.requests[url, default: ActiveRequests()].active.insert(number)
            return Position(url: url, number: number)
        }
    }

    /// Removes a request that has ended; does nothing if it was removed before.
    func leave(_ position: Position) {
        let isRemoved = state.withLock { state in
            guard state.requests[position.url]?.leave(position.number) == true else { return false }
            if state.requests[position.url]?.active.isEmpty == true { state.requests[position.url] = nil }
            return true
        }
        if isRemoved { ended.ring() }
    }

    /// Records that a request waits for the network.
    func beginWait(_ position: Position) {
        state.withLock { state in _ = state.requests[position.url]?.waiting.insert(position.number) }
    }

    /// Records that a request is being sent.
    func send(_ position: Position) {
        state.withLock { state in _ = state.requests[position.url]?.sent.insert(position.number) }
    }

    /// Records that a request failed before it was sent.
    func fail(_ position: Position) {
        state.withLock { state in _ = state.requests[position.url]?.sent.remove(position.number) }
    }

    /// Returns true if an earlier request is active.
    func hasEarlier(than position: Position) -> Bool {
        state.withLock { state in state.requests[position.url]?.active.contains { $0 < position.number } == true }
    }

    /// Returns true if an earlier request waits for the network.
    func hasWaiting(before position: Position) -> Bool {
        state.withLock { state in state.requests[position.url]?.waiting.contains { $0 < position.number } == true }
    }

    /// Returns true if a later request was sent, or is being sent.
    func isSuperseded(_ position: Position) -> Bool {
        state.withLock { state in
            guard let requests = state.requests[position.url] else { return false }
            return requests.lastSent > position.number || requests.sent.contains { $0 > position.number }
        }
    }

    /// Waits until all earlier requests have ended, or the task is cancelled.
    func untilFirst(_ position: Position) async {
        while true {
            let count = ended.count
            guard hasEarlier(than: position) else { return }
            do { try await ended.wait(after: count) } catch { return }
        }
    }
}
