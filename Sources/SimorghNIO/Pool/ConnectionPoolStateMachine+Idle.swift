// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Idle connections: which one is used, and which one is closed first.
extension ConnectionPoolStateMachine {
    /// Takes the most recently used idle connection, preferably on an event loop, unless it has been idle for too
    /// long.
    mutating func takeIdle(
        of slot: Int, eventLoopIndex: Int?, now: NIODeadline, actions: inout [Action]
    ) -> Connection? {
        guard let last = hosts[slot].idle.last else { return nil }
        guard isUsable(last, at: now) else {
            // All others have been idle for even longer.
            closeIdle(of: slot, actions: &actions)
            return nil
        }
        var index = last
        if let eventLoopIndex {
            if !tracksEventLoops { indexByEventLoop() }
            if let own = hosts[slot].idleByEventLoop.at(eventLoopIndex)?.last, isUsable(own, at: now) { index = own }
        }
        leaveIdle(index, slot: slot)
        entries[index].state = .leased
        entries[index].used = 1
        if entries[index].capacity > 1 { joinPartiallyUsed(index, slot: slot) }
        reuses += 1
        return entries[index].connection
    }

    private func isUsable(_ index: Int, at now: NIODeadline) -> Bool {
        entries[index].idleSince + limits.idleTime > now
    }

    /// Adds a connection to the idle ones.
    mutating func joinIdle(_ index: Int, slot: Int, since now: NIODeadline) {
        entries[index].state = .idle
        entries[index].idleSince = now
        byAge.append(index, to: &oldest)
        byHost.append(index, to: &hosts[slot].idle)
        if tracksEventLoops { joinEventLoopList(index, slot: slot) }
        idle += 1
    }

    /// Removes a connection from the idle ones.
    mutating func leaveIdle(_ index: Int, slot: Int) {
        byAge.remove(index, from: &oldest)
        byHost.remove(index, from: &hosts[slot].idle)
        if tracksEventLoops, let eventLoopIndex = entries[index].eventLoopIndex {
            byEventLoop.remove(index, from: &hosts[slot].idleByEventLoop[eventLoopIndex])
        }
        idle -= 1
    }

    private mutating func joinEventLoopList(_ index: Int, slot: Int) {
        guard let eventLoopIndex = entries[index].eventLoopIndex else { return }
        while hosts[slot].idleByEventLoop.count <= eventLoopIndex {
            hosts[slot].idleByEventLoop.append(IntrusiveLists.Ends())
        }
        byEventLoop.append(index, to: &hosts[slot].idleByEventLoop[eventLoopIndex])
    }

    /// Builds the lists that find an idle connection by event loop; most pools never need them.
    private mutating func indexByEventLoop() {
        tracksEventLoops = true
        var next = oldest.first
        while let index = next {
            visits += 1
            joinEventLoopList(index, slot: entries[index].host)
            next = byAge.newer(than: index)
        }
    }

    /// Closes all idle connections of a host.
    mutating func closeIdle(of slot: Int, actions: inout [Action]) {
        while let index = hosts[slot].idle.first { evict(index, slot: slot, actions: &actions) }
    }

    /// Closes an idle connection.
    mutating func evict(_ index: Int, slot: Int, actions: inout [Action]) {
        if let connection = entries[index].connection { actions.append(.close(connection)) }
        evictions += 1
        leaveIdle(index, slot: slot)
        clear(index, slot: slot)
    }

    /// Closes the connection that has been idle for the longest time, over all hosts.
    mutating func evictOldestIdle(_ actions: inout [Action]) -> Bool {
        guard let index = oldest.first else { return false }
        let slot = entries[index].host
        evict(index, slot: slot, actions: &actions)
        forgetIfEmpty(slot)
        return true
    }

    /// Records that the idle time of a connection may have passed.
    package mutating func idleTimePassed(_ key: ConnectionKey, now: NIODeadline) -> [Action] {
        guard let slot = host(of: key) else { return [] }
        self.now = now
        var actions: [Action] = []
        if case .leased = entries[key.index].state, entries[key.index].capacity == 0, entries[key.index].used == 0 {
            // The connection has had no capacity for that long.
            if let connection = entries[key.index].connection { actions.append(.close(connection)) }
            remove(key, slot: slot, actions: &actions)
            return actions
        }
        guard case .idle = entries[key.index].state, entries[key.index].idleSince + limits.idleTime <= now else {
            return []  // It was leased meanwhile, or became idle again later.
        }
        evict(key.index, slot: slot, actions: &actions)
        forgetIfEmpty(slot)
        assignFreedCapacity(&actions)
        return actions
    }

    /// The idle connections, the longest idle first; for tests.
    package var idleConnections: [Connection] { byAge.elements(of: oldest).compactMap { entries[$0].connection } }

    /// Returns the idle connections to a host, the longest idle first; for tests.
    package func idleConnections(to origin: Origin, eventLoopIndex: Int? = nil) -> [Connection] {
        guard let slot = slotsByOrigin[origin] else { return [] }
        let indices: [Int]
        if let eventLoopIndex {
            indices = hosts[slot].idleByEventLoop.at(eventLoopIndex).map { byEventLoop.elements(of: $0) } ?? []
        } else {
            indices = byHost.elements(of: hosts[slot].idle)
        }
        return indices.compactMap { entries[$0].connection }
    }
}

extension Array {
    /// Returns the element at an index; `nil` if the index is out of range.
    fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
