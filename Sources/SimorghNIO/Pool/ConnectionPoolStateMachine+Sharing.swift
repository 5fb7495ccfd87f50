// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Connections that carry several exchanges at once.
extension ConnectionPoolStateMachine {
    /// Takes a stream of a partially used shared connection, preferably on an event loop.
    mutating func takeStream(of slot: Int, eventLoopIndex: Int?) -> Connection? {
        guard var index = hosts[slot].partiallyUsed.last else { return nil }
        if let eventLoopIndex {
            // A host has at most a few shared connections.
            var next: Int? = index
            while let candidate = next {
                visits += 1
                if entries[candidate].eventLoopIndex == eventLoopIndex {
                    index = candidate
                    break
                }
                next = byHost.older(than: candidate)
            }
        }
        entries[index].used += 1
        if entries[index].used >= entries[index].capacity { leavePartiallyUsed(index, slot: slot) }
        reuses += 1
        return entries[index].connection
    }

    mutating func leavePartiallyUsed(_ index: Int, slot: Int) {
        guard entries[index].isPartiallyUsed else { return }
        entries[index].isPartiallyUsed = false
        byHost.remove(index, from: &hosts[slot].partiallyUsed)
    }

    mutating func joinPartiallyUsed(_ index: Int, slot: Int) {
        guard !entries[index].isPartiallyUsed else { return }
        entries[index].isPartiallyUsed = true
        byHost.append(index, to: &hosts[slot].partiallyUsed)
    }

    /// Records that a shared connection has opened, and assigns its streams to the waiters.
    mutating func share(
        _ key: ConnectionKey, slot: Int, first: Waiter?, now: NIODeadline, actions: inout [Action]
    ) {
        hosts[slot].kind = .shared
        hosts[slot].shared += 1
        hosts[slot].growthHeldUntil = nil
        hosts[slot].growthFailures = 0
        entries[key.index].isShared = true
        entries[key.index].capacity = streams(of: slot)
        var next = first ?? firstWaiter(of: slot)
        while let waiter = next, let connection = entries[key.index].connection {
            actions.append(.lease(connection, to: waiter, isFresh: true))
            // The connection was opened for the first waiter.
            if entries[key.index].used > 0 { reuses += 1 }
            entries[key.index].used += 1
            next = entries[key.index].used < entries[key.index].capacity ? firstWaiter(of: slot) : nil
        }
        settle(key, slot: slot, now: now, isProven: false, actions: &actions)
        if host(of: key) != nil { grow(slot, actions: &actions) }
    }

    /// Assigns the free streams of a shared connection, and adds it to the right list.
    ///
    /// If it is proven, it has just completed an exchange, so that even waiters that have met a dead connection may
    /// use it.
    mutating func settle(
        _ key: ConnectionKey, slot: Int, now: NIODeadline, isProven: Bool, actions: inout [Action]
    ) {
        guard let connection = entries[key.index].connection else { return }
        let capacity = entries[key.index].capacity
        if entries[key.index].used == 0, capacity > 0, shouldYieldCapacity(slot) {
            evictions += 1
            actions.append(.close(connection))
            remove(key, slot: slot, actions: &actions)
            return
        }
        while entries[key.index].used < capacity,
            let waiter = isProven ? firstWaiter(of: slot) : waiterAllowingReuse(of: slot)
        {
            reuses += 1
            actions.append(.lease(connection, to: waiter, isFresh: false))
            entries[key.index].used += 1
        }
        if entries[key.index].used == 0, capacity > 0 {
            leavePartiallyUsed(key.index, slot: slot)
            joinIdle(key.index, slot: slot, since: now)
        } else if entries[key.index].used < capacity {
            joinPartiallyUsed(key.index, slot: slot)
        } else {
            leavePartiallyUsed(key.index, slot: slot)
        }
        forgetIfEmpty(slot)
    }

    /// Assigns no new exchanges to a shared connection, because it accepts no body bytes; running exchanges continue.
    ///
    /// ``capacityChanged(_:to:now:)`` reports when it accepts bytes again.
    ///
    /// - Parameters:
    ///   - key: The key of the connection.
    ///   - now: The current time.
    /// - Returns: The actions to perform; `nil`, without any change, if it is the only connection to its host and the
    ///   limits allow no other: requests without a body still work on it.
    package mutating func stalled(_ key: ConnectionKey, now: NIODeadline) -> [Action]? {
        guard let slot = host(of: key), entries[key.index].isShared, entries[key.index].capacity > 0 else { return nil }
        let mayOpen =
            hosts[slot].connections < limits.connectionsPerHost && (connections < limits.connections || idle > 0)
        guard mayOpen || hosts[slot].shared > 1 else { return nil }
        return capacityChanged(key, to: 0, now: now)
    }

    /// Returns the number of exchanges that a shared connection to a host is assumed to carry until it reports its
    /// own.
    func streams(of slot: Int) -> Int {
        min(hosts[slot].streams ?? limits.streamsPerConnection, limits.streamsPerConnection)
    }

    /// Returns the same for a host that may be unknown; for tests.
    package func streams(to origin: Origin) -> Int {
        slotsByOrigin[origin].map { streams(of: $0) } ?? limits.streamsPerConnection
    }

    /// Removes the next waiter that accepts a used connection.
    mutating func waiterAllowingReuse(of slot: Int) -> Waiter? {
        guard let (_, waiter) = hosts[slot].waiting.popFirst() else { return nil }
        waiting -= 1
        return waiter
    }

    /// Records that a shared connection is gone, or accepts no new exchanges.
    mutating func unshare(_ slot: Int) {
        hosts[slot].shared -= 1
        if hosts[slot].shared == 0 { hosts[slot].growthHeldUntil = nil }
    }

    /// Handles a connection that could not be opened: its own waiter fails, and with it those that waited to share it,
    /// except for the spared ones.
    mutating func failed(
        _ ticket: Ticket, slot: Int, sparing isSpared: (Waiter) -> Bool, actions: inout [Action]
    ) {
        if hosts[slot].kind == .single {
            if let waiter = withdraw(ticket) { actions.append(.fail(waiter)) }
        } else if hosts[slot].shared > 0, !ticket.needsFresh {
            // The other connections continue, and the waiter waits for a stream on one of them.
            hosts[slot].waiting.unmark(ticket.number)
            holdGrowth(of: slot, actions: &actions)
        } else {
            if let waiter = withdraw(ticket) { actions.append(.fail(waiter)) }
            guard hosts[slot].shared == 0, hosts[slot].dialing == 0 else { return }
            let others =
                hosts[slot].waitingForFresh.removeAll { !isSpared($0) }
                + hosts[slot].waiting.removeAll { !isSpared($0) }
            waiting -= others.count
            actions += others.map { .fail($0) }
        }
    }

    /// Delays further connections to a host, for a longer time after each failure.
    private mutating func holdGrowth(of slot: Int, actions: inout [Action]) {
        // Connections that were opened at the same time count as one failure.
        if let until = hosts[slot].growthHeldUntil, until > now { return }
        let time = now + .seconds(1 << Int64(min(hosts[slot].growthFailures, 6)))
        hosts[slot].growthFailures += 1
        hosts[slot].growthHeldUntil = time
        actions.append(.recheck(slot, at: time))
    }
}
