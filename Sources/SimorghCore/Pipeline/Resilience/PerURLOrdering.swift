// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Keeps the order of requests to one URL, so that an old value does not arrive after a new one.
final class PerURLOrdering: Sendable {
    /// The position of a request among all active requests to its URL.
    struct Place: Sendable {
        fileprivate let url: String
        fileprivate let number: Int
    }

    /// The active requests to one URL.
    private struct Line {
        /// All active requests.
        var present: Set<Int> = []
        /// The active requests that wait for the network.
        var kept: Set<Int> = []
        /// The active requests that are being sent.
        var sent: Set<Int> = []
        /// The latest request that was sent and has ended.
        var lastSent = 0

        /// Removes a request; returns false if it was removed before.
        mutating func leave(_ number: Int) -> Bool {
            guard present.remove(number) != nil else { return false }
            kept.remove(number)
            if sent.remove(number) != nil { lastSent = max(lastSent, number) }
            return true
        }
    }

    private struct State {
        var last = 0
        var lines: [String: Line] = [:]
    }

    private let state = Mutex(State())
    /// Signaled when a request ends.
    private let bell = AsyncSignal()

    /// Adds a new request.
    func enter(_ url: String) -> Place {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.lines[url, default: Line()].present.insert(number)
            return Place(url: url, number: number)
        }
    }

    /// Removes a request that has ended; does nothing if it was removed before.
    func leave(_ place: Place) {
        let isNews = state.withLock { state in
            guard state.lines[place.url]?.leave(place.number) == true else { return false }
            if state.lines[place.url]?.present.isEmpty == true { state.lines[place.url] = nil }
            return true
        }
        if isNews { bell.ring() }
    }

    /// Records that a request waits for the network.
    func keep(_ place: Place) {
        state.withLock { state in _ = state.lines[place.url]?.kept.insert(place.number) }
    }

    /// Records that a request is being sent.
    func send(_ place: Place) {
        state.withLock { state in _ = state.lines[place.url]?.sent.insert(place.number) }
    }

    /// Records that a request failed before it was sent.
    func fail(_ place: Place) {
        state.withLock { state in _ = state.lines[place.url]?.sent.remove(place.number) }
    }

    /// Returns true if an earlier request is active.
    func hasEarlier(than place: Place) -> Bool {
        state.withLock { state in state.lines[place.url]?.present.contains { $0 < place.number } == true }
    }

    /// Returns true if an earlier request waits for the network.
    func hasParked(before place: Place) -> Bool {
        state.withLock { state in state.lines[place.url]?.kept.contains { $0 < place.number } == true }
    }

    /// Returns true if a later request was sent, or is being sent.
    func isSuperseded(_ place: Place) -> Bool {
        state.withLock { state in
            guard let line = state.lines[place.url] else { return false }
            return line.lastSent > place.number || line.sent.contains { $0 > place.number }
        }
    }

    /// Waits until all earlier requests have ended, or the task is cancelled.
    func untilFirst(_ place: Place) async {
        while true {
            let heard = bell.count
            guard hasEarlier(than: place) else { return }
            do { try await bell.wait(after: heard) } catch { return }
        }
    }
}
