// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Connections that carry many exchanges at once.
extension PoolMachine {
    /// A place on a shared connection that is in use, in some lane if there is one.
    mutating func takePart(of slot: Int, lane: Int?) -> Connection? {
        guard var place = hosts[slot].partly.last else { return nil }
        if let lane {
            // There are at most a few shared connections of one host.
            var next: Int? = place
            while let candidate = next {
                looks += 1
                if entries[candidate].lane == lane {
                    place = candidate
                    break
                }
                next = byHost.older(than: candidate)
            }
        }
        entries[place].used += 1
        if entries[place].used >= entries[place].capacity { leavePartly(place, slot) }
        reuses += 1
        return entries[place].connection
    }

    mutating func leavePartly(_ place: Int, _ slot: Int) {
        guard entries[place].isPartly else { return }
        entries[place].isPartly = false
        byHost.remove(place, from: &hosts[slot].partly)
    }

    mutating func joinPartly(_ place: Int, _ slot: Int) {
        guard !entries[place].isPartly else { return }
        entries[place].isPartly = true
        byHost.append(place, to: &hosts[slot].partly)
    }

    /// A shared connection is open: all who wait ride on it, as many as it carries.
    mutating func share(
        _ key: ConnectionKey, _ slot: Int, first: Waiter?, now: NIODeadline, _ actions: inout [Action]
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
            // It was opened for the first.
            if entries[key.index].used > 0 { reuses += 1 }
            entries[key.index].used += 1
            next = entries[key.index].used < entries[key.index].capacity ? firstWaiter(of: slot) : nil
        }
        settle(key, slot, now: now, isProven: false, &actions)
        if host(of: key) != nil { grow(slot, &actions) }
    }

    /// Hands out the places of a shared connection that are free, and puts it where it belongs.
    ///
    /// One that is proven has just done its work, so that even who met a dead one may trust it.
    mutating func settle(
        _ key: ConnectionKey, _ slot: Int, now: NIODeadline, isProven: Bool, _ actions: inout [Action]
    ) {
        guard let connection = entries[key.index].connection else { return }
        let capacity = entries[key.index].capacity
        if entries[key.index].used == 0, capacity > 0, isBetterClosed(slot) {
            evictions += 1
            actions.append(.close(connection))
            remove(key, slot, &actions)
            return
        }
        while entries[key.index].used < capacity,
            let waiter = isProven ? firstWaiter(of: slot) : patientWaiter(of: slot)
        {
            reuses += 1
            actions.append(.lease(connection, to: waiter, isFresh: false))
            entries[key.index].used += 1
        }
        if entries[key.index].used == 0, capacity > 0 {
            leavePartly(key.index, slot)
            joinIdle(key.index, slot, since: now)
        } else if entries[key.index].used < capacity {
            joinPartly(key.index, slot)
        } else {
            leavePartly(key.index, slot)
        }
        forgetIfEmpty(slot)
    }

    /// Gives a shared connection nothing new, since it takes no bytes of any body; what it carries goes on.
    ///
    /// ``capacityChanged(_:_:now:)`` tells when it takes some again.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - now: The time.
    /// - Returns: What is to be done; `nil`, and then nothing changes, if it is the only one to its host and the limits
    ///   allow no other: requests without a body fare well on it.
    package mutating func stalled(_ key: ConnectionKey, now: NIODeadline) -> [Action]? {
        guard let slot = host(of: key), entries[key.index].isShared, entries[key.index].capacity > 0 else { return nil }
        let mayOpen =
            hosts[slot].connections < limits.connectionsPerHost && (connections < limits.connections || idle > 0)
        guard mayOpen || hosts[slot].shared > 1 else { return nil }
        return capacityChanged(key, 0, now: now)
    }

    /// How many exchanges a shared connection to a host is taken to carry, until it says so itself.
    func streams(of slot: Int) -> Int { hosts[slot].streams.map { min($0, limits.streams) } ?? limits.streams }

    /// The same of a host that may be known; for tests.
    package func streams(to origin: Origin) -> Int { index[origin].map { streams(of: $0) } ?? limits.streams }

    /// Takes out the next one who takes any connection.
    mutating func patientWaiter(of slot: Int) -> Waiter? {
        guard let (_, waiter) = hosts[slot].waiting.popFirst() else { return nil }
        waiting -= 1
        return waiter
    }

    /// A shared connection is there no more, or carries nothing new.
    mutating func unshare(_ slot: Int) {
        hosts[slot].shared -= 1
        if hosts[slot].shared == 0 { hosts[slot].growthHeldUntil = nil }
    }

    /// A connection could not be opened: who it was for fails, and with it those who waited to ride on it, but for the
    /// spared.
    mutating func failed(
        _ ticket: Ticket, _ slot: Int, sparing isSpared: (Waiter) -> Bool, _ actions: inout [Action]
    ) {
        if hosts[slot].kind == .single {
            if let waiter = withdraw(ticket) { actions.append(.fail(waiter)) }
        } else if hosts[slot].shared > 0, !ticket.needsFresh {
            // The others go on, and it waits for a place on one of them.
            hosts[slot].waiting.unmark(ticket.number)
            holdGrowth(of: slot, &actions)
        } else {
            if let waiter = withdraw(ticket) { actions.append(.fail(waiter)) }
            guard hosts[slot].shared == 0, hosts[slot].dialling == 0 else { return }
            let others =
                hosts[slot].waitingForFresh.removeAll { !isSpared($0) }
                + hosts[slot].waiting.removeAll { !isSpared($0) }
            waiting -= others.count
            actions += others.map { .fail($0) }
        }
    }

    /// Tries no other connection to a host for a while, which is longer each time.
    private mutating func holdGrowth(of slot: Int, _ actions: inout [Action]) {
        // Those that were opened at the same time fail as one.
        if let until = hosts[slot].growthHeldUntil, until > now { return }
        let time = now + .seconds(1 << Int64(min(hosts[slot].growthFailures, 6)))
        hosts[slot].growthFailures += 1
        hosts[slot].growthHeldUntil = time
        actions.append(.lookAgain(slot, at: time))
    }
}
