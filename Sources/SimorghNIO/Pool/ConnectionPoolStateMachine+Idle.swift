// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Idle connections: which one is used, and which one is closed first.
extension ConnectionPoolStateMachine {
    /// Takes the most recently used idle connection, preferably on an event loop, unless it has been idle for too
    /// long.
    mutating func takeIdle(
        of slot: Int, eventLoopIndex: Int?, now: NIODeadline, _ actions: inout [Action]
    ) -> Connection? {
        guard let last = hosts[slot].idle.last else { return nil }
        guard isFit(last, now) else {
            // All others have been idle for even longer.
            closeIdle(of: slot, &actions)
            return nil
        }
        var place = last
        if let eventLoopIndex {
            if !tracksEventLoops { indexByEventLoop() }
            if let own = hosts[slot].idleByEventLoop.at(eventLoopIndex)?.last, isFit(own, now) { place = own }
        }
        leaveIdle(place, slot)
        entries[place].state = .leased
        entries[place].used = 1
        if entries[place].capacity > 1 { joinPartiallyUsed(place, slot) }
        reuses += 1
        return entries[place].connection
    }

    private func isFit(_ place: Int, _ now: NIODeadline) -> Bool {
        entries[place].idleSince + limits.idleTime > now
    }

    /// Adds a connection to the idle ones.
    mutating func joinIdle(_ place: Int, _ slot: Int, since now: NIODeadline) {
        entries[place].state = .idle
        entries[place].idleSince = now
        byAge.append(place, to: &oldest)
        byHost.append(place, to: &hosts[slot].idle)
        if tracksEventLoops { joinEventLoopList(place, slot) }
        idle += 1
    }

    /// Removes a connection from the idle ones.
    mutating func leaveIdle(_ place: Int, _ slot: Int) {
        byAge.remove(place, from: &oldest)
        byHost.remove(place, from: &hosts[slot].idle)
        if tracksEventLoops, let eventLoopIndex = entries[place].eventLoopIndex { byEventLoop.remove(place, from: &hosts[slot].idleByEventLoop[eventLoopIndex]) }
        idle -= 1
    }

    private mutating func joinEventLoopList(_ place: Int, _ slot: Int) {
        guard let eventLoopIndex = entries[place].eventLoopIndex else { return }
        while hosts[slot].idleByEventLoop.count <= eventLoopIndex { hosts[slot].idleByEventLoop.append(IntrusiveLists.Ends()) }
        byEventLoop.append(place, to: &hosts[slot].idleByEventLoop[eventLoopIndex])
    }

    /// Builds the lists that find an idle connection by event loop; most pools never need them.
    private mutating func indexByEventLoop() {
        tracksEventLoops = true
        var next = oldest.first
        while let place = next {
            looks += 1
            joinEventLoopList(place, entries[place].host)
            next = byAge.newer(than: place)
        }
    }

    /// Closes all idle connections of a host.
    mutating func closeIdle(of slot: Int, _ actions: inout [Action]) {
        while let place = hosts[slot].idle.first { evict(place, slot, &actions) }
    }

    /// Closes an idle connection.
    mutating func evict(_ place: Int, _ slot: Int, _ actions: inout [Action]) {
        if let connection = entries[place].connection { actions.append(.close(connection)) }
        evictions += 1
        leaveIdle(place, slot)
        clear(place, slot)
    }

    /// Closes the connection that has been idle for the longest time, over all hosts.
    mutating func evictOldestIdle(_ actions: inout [Action]) -> Bool {
        guard let place = oldest.first else { return false }
        let slot = entries[place].host
        evict(place, slot, &actions)
        forgetIfEmpty(slot)
        return true
    }

    /// The idle connections, the longest idle first; for tests.
    package var idleConnections: [Connection] { byAge.elements(of: oldest).compactMap { entries[$0].connection } }

    /// Returns the idle connections to a host, the longest idle first; for tests.
    package func idleConnections(to origin: Origin, eventLoopIndex: Int? = nil) -> [Connection] {
        guard let slot = index[origin] else { return [] }
        let places: [Int]
        if let eventLoopIndex {
            places = hosts[slot].idleByEventLoop.at(eventLoopIndex).map { byEventLoop.elements(of: $0) } ?? []
        } else {
            places = byHost.elements(of: hosts[slot].idle)
        }
        return places.compactMap { entries[$0].connection }
    }
}

extension Array {
    /// Returns the element at an index; `nil` if the index is out of range.
    fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
