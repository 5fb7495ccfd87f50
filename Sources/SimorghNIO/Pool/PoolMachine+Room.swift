// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// How the machine keeps its books, and who gets the room that is left.
extension PoolMachine {
    /// The host of a connection, unless the connection is gone.
    func host(of key: ConnectionKey) -> Int? {
        guard key.index < entries.count, entries[key.index].generation == key.generation else { return nil }
        if case .free = entries[key.index].state { return nil }
        return entries[key.index].host
    }

    func entry(of ticket: Ticket) -> Waiting? {
        guard ticket.host < hosts.count, let host = hosts[ticket.host] else { return nil }
        return ticket.needsFresh ? host.waitingForFresh[ticket.number] : host.waiting[ticket.number]
    }

    /// Takes a waiter out of its queue.
    mutating func withdraw(_ ticket: Ticket) -> Waiter? {
        guard ticket.host < hosts.count else { return nil }
        let entry =
            ticket.needsFresh
            ? hosts[ticket.host]?.waitingForFresh.remove(ticket.number)
            : hosts[ticket.host]?.waiting.remove(ticket.number)
        guard let entry else { return nil }
        waiting -= 1
        return entry.waiter
    }

    /// Whether a host's queue has a place, not counting those for whom a connection is being opened.
    func mayWait(_ slot: Int) -> Bool {
        guard let host = hosts[slot] else { return false }
        let coming = host.dialling * (host.kind == .single ? 1 : limits.streams)
        if host.waiters - coming < limits.waitingPerHost { return true }
        return needsMore(host, waiters: host.waiters + 1) && (connections < limits.connections || idle > 0)
    }

    /// Takes out the one to whom a new connection goes if it has no taker.
    mutating func firstWaiter(of slot: Int) -> Waiter? {
        guard let (_, first) = hosts[slot]?.waitingForFresh.popFirst() ?? hosts[slot]?.waiting.popFirst() else {
            return nil
        }
        waiting -= 1
        return first.waiter
    }

    mutating func addHost(_ origin: Origin) -> Int {
        let slot: Int
        if let free = freeHosts.popLast() {
            slot = free
            hosts[slot] = Host(origin: origin)
        } else {
            slot = hosts.count
            hosts.append(Host(origin: origin))
        }
        index[origin] = slot
        return slot
    }

    mutating func forgetIfEmpty(_ slot: Int) {
        guard slot < hosts.count, let host = hosts[slot] else { return }
        if host.waiters == 0, let number = host.hungry {
            hosts[slot]?.hungry = nil
            _ = hungry.remove(number)
        }
        guard host.waiters == 0, host.connections == 0 else { return }
        index[host.origin] = nil
        hosts[slot] = nil
        freeHosts.append(slot)
    }

    /// The connection that was used last, if it has not idled too long.
    mutating func takeIdle(of slot: Int, now: NIODeadline, _ actions: inout [Action]) -> Connection? {
        guard let key = hosts[slot]?.lastIdle(), case .idle(let since) = entries[key.index].state else { return nil }
        guard since + limits.idleTime > now else {
            closeIdle(of: slot, &actions)
            return nil
        }
        hosts[slot]?.idle.removeLast()
        entries[key.index].state = .leased
        entries[key.index].used = 1
        if entries[key.index].capacity > 1 { hosts[slot]?.partly.append(key) }
        idle -= 1
        reuses += 1
        return entries[key.index].connection
    }

    /// Closes all idle connections of a host.
    mutating func closeIdle(of slot: Int, _ actions: inout [Action]) {
        for key in hosts[slot]?.idle ?? [] { evict(key, slot, &actions, keepsHost: true) }
    }

    /// Closes an idle connection.
    mutating func evict(_ key: ConnectionKey, _ slot: Int, _ actions: inout [Action], keepsHost: Bool = false) {
        if let connection = entries[key.index].connection { actions.append(.close(connection)) }
        hosts[slot]?.idle.removeAll { $0 == key }
        idle -= 1
        clear(key, slot)
        if !keepsHost { forgetIfEmpty(slot) }
    }

    /// Forgets a connection and gives its room to who needs it.
    mutating func remove(_ key: ConnectionKey, _ slot: Int, _ actions: inout [Action]) {
        clear(key, slot)
        grow(slot, &actions)
        feedTheHungry(&actions)
        forgetIfEmpty(slot)
    }

    mutating func clear(_ key: ConnectionKey, _ slot: Int) {
        if entries[key.index].isShared {
            hosts[slot]?.partly.removeAll { $0 == key }
            if entries[key.index].capacity > 0 { unshare(slot) }
        }
        (entries[key.index].isShared, entries[key.index].capacity, entries[key.index].used) = (false, 1, 0)
        entries[key.index].state = .free
        entries[key.index].connection = nil
        entries[key.index].generation &+= 1
        freeEntries.append(key.index)
        connections -= 1
        hosts[slot]?.connections -= 1
    }

    /// Hands on a connection that has nothing to do.
    mutating func free(_ key: ConnectionKey, _ slot: Int, now: NIODeadline, _ actions: inout [Action]) {
        guard let connection = entries[key.index].connection else { return }
        if isBetterClosed(slot) {
            actions.append(.close(connection))
            clear(key, slot)
            feedTheHungry(&actions)
            grow(slot, &actions)
            forgetIfEmpty(slot)
        } else if let (_, first) = hosts[slot]?.waiting.popFirst() {
            waiting -= 1
            actions.append(.lease(connection, to: first.waiter, isFresh: false))
            forgetIfEmpty(slot)
        } else {
            entries[key.index].state = .idle(since: now)
            hosts[slot]?.idle.append(key)
            idle += 1
        }
    }

    /// Whether the place of a free connection is worth more to somebody than the connection is here.
    mutating func isBetterClosed(_ slot: Int) -> Bool {
        guard let needs = hosts[slot]?.needs() else { return true }
        guard !needs.any else { return isSomebodyPoorer(than: slot) }
        // Who waits here then wants a new one, for which this one may be in the way.
        return !hungry.isEmpty || needs.more
    }

    /// Whether a host in need has none, or two fewer than this one: it would still have fewer after taking one.
    private func isSomebodyPoorer(than slot: Int) -> Bool {
        guard !hungry.isEmpty, let own = hosts[slot]?.connections else { return false }
        return hungry.first { other in
            guard other != slot, let connections = hosts[other]?.connections else { return false }
            return connections == 0 || connections + 1 < own
        } != nil
    }

    /// Whether a host would use one more connection.
    private func needsMore(_ slot: Int) -> Bool {
        guard let host = hosts[slot] else { return false }
        return needsMore(host, waiters: host.waiters)
    }

    private func needsMore(_ host: Host, waiters: Int) -> Bool {
        guard host.connections < limits.connectionsPerHost else { return false }
        switch host.kind {
        case .single: return waiters > host.dialling
        case .unknown: return waiters > 0 && host.dialling == 0
        case .shared:
            return waiters > host.dialling * limits.streams && host.shared + host.dialling < limits.sharedPerHost
                && !host.isGrowthHeld
        }
    }

    /// Dials for the waiters of a host, as far as the limits allow, or puts the host in line for room.
    mutating func grow(_ slot: Int, _ actions: inout [Action]) {
        while needsMore(slot) {
            if connections >= limits.connections, !makeRoom(&actions) {
                guard hosts[slot]?.hungry == nil else { return }
                nextNumber += 1
                hosts[slot]?.hungry = nextNumber
                hungry.append(slot, number: nextNumber)
                return
            }
            guard dial(slot, &actions) else { return }
        }
    }

    /// Gives room that was left to the hosts in line, in turns.
    mutating func feedTheHungry(_ actions: inout [Action]) {
        while connections < limits.connections, let (_, slot) = hungry.popFirst() {
            hosts[slot]?.hungry = nil
            guard needsMore(slot), dial(slot, &actions), needsMore(slot) else { continue }
            nextNumber += 1
            hosts[slot]?.hungry = nextNumber
            hungry.append(slot, number: nextNumber)
        }
    }

    /// Closes the connection that has idled longest, of all hosts.
    private mutating func makeRoom(_ actions: inout [Action]) -> Bool {
        guard idle > 0 else { return false }
        var oldest: (since: NIODeadline, key: ConnectionKey, slot: Int)?
        for slot in hosts.indices {
            guard let key = hosts[slot]?.idle.first, case .idle(let since) = entries[key.index].state else { continue }
            if oldest.map({ since < $0.since }) ?? true { oldest = (since, key, slot) }
        }
        guard let oldest else { return false }
        evict(oldest.key, oldest.slot, &actions)
        return true
    }

    /// Starts a connection for the first waiter for whom none is being opened.
    private mutating func dial(_ slot: Int, _ actions: inout [Action]) -> Bool {
        guard let origin = hosts[slot]?.origin else { return false }
        // Those that are bound are at most as many as connections are being opened, so the search is short.
        let fresh = hosts[slot]?.waitingForFresh.first { !$0.isBound }
        guard let (number, entry) = fresh ?? hosts[slot]?.waiting.next(where: { !$0.isBound }) else { return false }
        let ticket = Ticket(host: slot, number: number, needsFresh: fresh != nil)
        if ticket.needsFresh {
            hosts[slot]?.waitingForFresh.update(number) { $0.isBound = true }
        } else {
            hosts[slot]?.waiting.update(number) { $0.isBound = true }
        }
        let key: ConnectionKey
        if let free = freeEntries.popLast() {
            key = ConnectionKey(index: free, generation: entries[free].generation)
            entries[free].state = .dialling(for: ticket)
            entries[free].host = slot
        } else {
            key = ConnectionKey(index: entries.count, generation: 0)
            entries.append(Entry(generation: 0, state: .dialling(for: ticket), host: slot, connection: nil))
        }
        connections += 1
        dialling += 1
        dials += 1
        hosts[slot]?.connections += 1
        hosts[slot]?.dialling += 1
        actions.append(.dial(key, origin, for: entry.waiter))
        return true
    }
}
