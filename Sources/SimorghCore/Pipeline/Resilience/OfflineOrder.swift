// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Remembers in which order requests to one URL came, so that an old value does not arrive after a new one.
final class OfflineOrder: Sendable {
    /// That of a request among all to its URL, from when it comes to when it is over.
    struct Place: Sendable {
        fileprivate let url: String
        fileprivate let number: Int
    }

    /// The requests to one URL.
    private struct Line {
        /// Those that are not over.
        var present: Set<Int> = []
        /// Those of them that were put off until there is a network.
        var kept: Set<Int> = []
        /// Those of them that are being sent.
        var sent: Set<Int> = []
        /// The last of those that were sent, and are over.
        var lastSent = 0

        /// Takes one out, if it is there.
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
    /// Rung when one is over.
    private let bell = Bell()

    /// A request comes.
    func enter(_ url: String) -> Place {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.lines[url, default: Line()].present.insert(number)
            return Place(url: url, number: number)
        }
    }

    /// A request is over, if it was not already.
    func leave(_ place: Place) {
        let isNews = state.withLock { state in
            guard state.lines[place.url]?.leave(place.number) == true else { return false }
            if state.lines[place.url]?.present.isEmpty == true { state.lines[place.url] = nil }
            return true
        }
        if isNews { bell.ring() }
    }

    /// A request waits for the network.
    func keep(_ place: Place) {
        state.withLock { state in _ = state.lines[place.url]?.kept.insert(place.number) }
    }

    /// A request is sent.
    func send(_ place: Place) {
        state.withLock { state in _ = state.lines[place.url]?.sent.insert(place.number) }
    }

    /// A request was not sent after all.
    func fail(_ place: Place) {
        state.withLock { state in _ = state.lines[place.url]?.sent.remove(place.number) }
    }

    /// Whether one that came before is not over.
    func hasEarlier(than place: Place) -> Bool {
        state.withLock { state in state.lines[place.url]?.present.contains { $0 < place.number } == true }
    }

    /// Whether one that came before waits for the network.
    func hasKept(before place: Place) -> Bool {
        state.withLock { state in state.lines[place.url]?.kept.contains { $0 < place.number } == true }
    }

    /// Whether one that came later was sent, or is.
    func isOvertaken(_ place: Place) -> Bool {
        state.withLock { state in
            guard let line = state.lines[place.url] else { return false }
            return line.lastSent > place.number || line.sent.contains { $0 > place.number }
        }
    }

    /// Returns when all that came before are over, or the task is cancelled.
    func untilFirst(_ place: Place) async {
        while true {
            let heard = bell.count
            guard hasEarlier(than: place) else { return }
            do { try await bell.wait(after: heard) } catch { return }
        }
    }
}
