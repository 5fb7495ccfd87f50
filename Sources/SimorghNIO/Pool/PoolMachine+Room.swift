// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// How the machine keeps its books, and who gets the room that is left.
extension PoolMachine {
    /// The host of a connection, unless the connection is gone.
    func host(of key: ConnectionKey) -> Int? {
        guard key.index < entries.count, entries[key.index].generation == key.generation else { return nil }
        if case .free = entries[key.index].state { return nil }
        return entries[key.index].host
    }

    /// Takes a waiter out of its queue.
    mutating func withdraw(_ ticket: Ticket) -> Waiter? {
        guard ticket.host < hosts.count else { return nil }
        let waiter =
            ticket.needsFresh
            ? hosts[ticket.host].waitingForFresh.remove(ticket.number)
            : hosts[ticket.host].waiting.remove(ticket.number)
        if waiter != nil { waiting -= 1 }
        return waiter
    }

    /// Whether a host's queue has a place, not counting those for whom a connection is being opened.
    func mayWait(_ slot: Int) -> Bool {
        let waiters = hosts[slot].waiters
        let coming = hosts[slot].dialling * (hosts[slot].kind == .single ? 1 : streams(of: slot))
        if waiters - coming < limits.waitingPerHost { return true }
        return needsMore(slot, waiters: waiters + 1) && (connections < limits.connections || idle > 0)
    }

    /// Takes out the one to whom a new connection goes if it has no taker.
    mutating func firstWaiter(of slot: Int) -> Waiter? {
        guard let (_, first) = hosts[slot].waitingForFresh.popFirst() ?? hosts[slot].waiting.popFirst() else {
            return nil
        }
        waiting -= 1
        return first
    }

    /// The place of a host that is known; that of the request before, as most are, is found without a hash.
    mutating func slot(of origin: Origin) -> Int? {
        if lastHost < hosts.count, hosts[lastHost].origin == origin { return lastHost }
        guard let slot = index[origin] else { return nil }
        lastHost = slot
        return slot
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
        guard slot < hosts.count, hosts[slot].waiters == 0 else { return }
        leaveLine(slot)
        guard hosts[slot].connections == 0, let origin = hosts[slot].origin else { return }
        index[origin] = nil
        hosts[slot] = Host(origin: nil)
        freeHosts.append(slot)
    }

    /// Forgets a connection and gives its room to who needs it: first to those in line, or a host whose server closes
    /// each connection behind its answer would take its own room again and again.
    mutating func remove(_ key: ConnectionKey, _ slot: Int, _ actions: inout [Action]) {
        clear(key.index, slot)
        feedTheHungry(&actions)
        grow(slot, &actions)
        forgetIfEmpty(slot)
    }

    /// Forgets a connection that does not idle.
    mutating func clear(_ place: Int, _ slot: Int) {
        if entries[place].isShared {
            leavePartly(place, slot)
            if entries[place].capacity > 0 { unshare(slot) }
        }
        let generation = entries[place].generation &+ 1
        entries[place] = Entry(generation: generation, state: .free, host: slot, connection: nil)
        freeEntries.append(place)
        connections -= 1
        addConnections(-1, to: slot)
    }

    /// Hands on a connection that has nothing to do.
    mutating func free(_ key: ConnectionKey, _ slot: Int, now: NIODeadline, _ actions: inout [Action]) {
        guard let connection = entries[key.index].connection else { return }
        if isBetterClosed(slot) || isInTheWay(slot) {
            evictions += 1
            actions.append(.close(connection))
            remove(key, slot, &actions)
        } else if let waiter = hosts[slot].kind == .single ? patientWaiter(of: slot) : firstWaiter(of: slot) {
            reuses += 1
            actions.append(.lease(connection, to: waiter, isFresh: false))
            forgetIfEmpty(slot)
        } else {
            joinIdle(key.index, slot, since: now)
        }
    }

    /// Whether somebody wants a new connection for whom none is being opened: at the limit of the host he would wait for as
    /// long as others keep coming who take a used one.
    ///
    /// What came back is no substitute. A server that closes behind its answer has closed it by now, and who was served so
    /// twice fails.
    private mutating func isInTheWay(_ slot: Int) -> Bool {
        guard !hosts[slot].waitingForFresh.isEmpty, hosts[slot].kind == .single,
            hosts[slot].waiters > hosts[slot].dialling
        else { return false }
        return hosts[slot].waitingForFresh.firstUnmarked(looks: &looks) != nil
    }

    /// Whether the place of a free connection is worth more to somebody than the connection is here.
    func isBetterClosed(_ slot: Int) -> Bool {
        guard !hosts[slot].waiting.isEmpty else {
            // Who waits here then wants a new one, for which this one may be in the way.
            return !line.isEmpty || hosts[slot].waiters > hosts[slot].dialling
        }
        // A host in need has none, or two fewer than this one: it would still have fewer after taking one.
        guard let fewest = line.fewest else { return false }
        return fewest == 0 || fewest + 1 < hosts[slot].connections
    }

    /// Whether a host would use one more connection.
    private func needsMore(_ slot: Int) -> Bool { needsMore(slot, waiters: hosts[slot].waiters) }

    private func needsMore(_ slot: Int, waiters: Int) -> Bool {
        guard waiters > 0, hosts[slot].connections < limits.connectionsPerHost else { return false }
        let dialling = hosts[slot].dialling
        switch hosts[slot].kind {
        case .single: return waiters > dialling
        case .unknown: return dialling == 0
        case .shared:
            return waiters > dialling * streams(of: slot) && hosts[slot].shared + dialling < limits.sharedPerHost
                && hosts[slot].growthHeldUntil.map { $0 <= now } ?? true
        }
    }

    /// Dials for the waiters of a host, as far as the limits allow, or puts the host in line for room.
    mutating func grow(_ slot: Int, _ actions: inout [Action]) {
        while needsMore(slot) {
            if connections >= limits.connections, !makeRoom(&actions) { return joinLine(slot) }
            guard dial(slot, &actions) else { return }
        }
    }

    /// The time has come that ``Action/lookAgain(_:at:)`` told.
    package mutating func lookAgain(_ host: Int, now: NIODeadline) -> [Action] {
        guard host < hosts.count else { return [] }
        self.now = now
        var actions: [Action] = []
        grow(host, &actions)
        return actions
    }

    /// Gives room that was left to the hosts in line, in turns.
    mutating func feedTheHungry(_ actions: inout [Action]) {
        while connections < limits.connections, let (_, slot) = line.first {
            looks += 1
            leaveLine(slot)
            guard needsMore(slot), dial(slot, &actions), needsMore(slot) else { continue }
            joinLine(slot)
        }
    }

    private mutating func joinLine(_ slot: Int) {
        guard hosts[slot].hungry == nil else { return }
        nextNumber += 1
        hosts[slot].hungry = nextNumber
        line.append(slot, number: nextNumber, connections: hosts[slot].connections)
    }

    private mutating func leaveLine(_ slot: Int) {
        guard let number = hosts[slot].hungry else { return }
        hosts[slot].hungry = nil
        line.remove(number, connections: hosts[slot].connections)
    }

    private mutating func addConnections(_ number: Int, to slot: Int) {
        let before = hosts[slot].connections
        hosts[slot].connections = before + number
        if hosts[slot].hungry != nil { line.changed(from: before, to: before + number) }
    }

    /// Starts a connection for the first waiter for whom none is being opened.
    private mutating func dial(_ slot: Int, _ actions: inout [Action]) -> Bool {
        guard let origin = hosts[slot].origin else { return false }
        let fresh = hosts[slot].waitingForFresh.firstUnmarked(looks: &looks)
        guard let (number, waiter) = fresh ?? hosts[slot].waiting.nextUnmarked(looks: &looks) else { return false }
        if fresh != nil {
            hosts[slot].waitingForFresh.mark(number)
        } else {
            hosts[slot].waiting.mark(number)
        }
        let key = begin(slot, for: Ticket(host: slot, number: number, needsFresh: fresh != nil))
        actions.append(.dial(key, origin, for: waiter))
        return true
    }

    /// Begins to open connections that nobody has asked for, so that whoever does finds them: as many as a host has not
    /// yet of a number, and as there is room for without closing any.
    ///
    /// - Parameters:
    ///   - origin: Where to.
    ///   - count: How many connections it is to have. Of a host that may turn out to have shared ones, the first tells.
    /// - Returns: The names of those that are to be opened, whose outcomes are reported as those of any.
    package mutating func prewarm(_ origin: Origin, upTo count: Int) -> [ConnectionKey] {
        guard !isClosed else { return [] }
        let slot = slot(of: origin) ?? addHost(origin)
        let most =
            switch hosts[slot].kind {
            case .single: min(count, limits.connectionsPerHost)
            case .unknown: min(count, 1)
            case .shared: min(count, limits.sharedPerHost, limits.connectionsPerHost)
            }
        var keys: [ConnectionKey] = []
        while hosts[slot].connections < most, connections < limits.connections {
            // No waiter has this number: whoever waits when it opens is served.
            keys.append(begin(slot, for: Ticket(host: slot, number: 0, needsFresh: false)))
        }
        forgetIfEmpty(slot)
        return keys
    }

    /// Counts a connection that is being opened.
    private mutating func begin(_ slot: Int, for ticket: Ticket) -> ConnectionKey {
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
        hosts[slot].dialling += 1
        addConnections(1, to: slot)
        return key
    }

    /// The end: closes what idles, dismisses who waits; connections in use are closed as they come back.
    package mutating func close() -> [Action] {
        guard !isClosed else { return [] }
        isClosed = true
        var actions: [Action] = []
        for entry in entries {
            guard let connection = entry.connection else { continue }
            switch entry.state {
            case .idle: actions.append(.close(connection))
            // One that could carry nothing for now, and so comes back from nobody.
            case .leased where entry.isShared && entry.used == 0: actions.append(.close(connection))
            case .free, .dialling, .leased: break
            }
        }
        for slot in hosts.indices {
            let waiters = hosts[slot].waitingForFresh.removeAll() + hosts[slot].waiting.removeAll()
            actions += waiters.map { .dismiss($0) }
        }
        index = [:]
        hosts = []
        entries = []
        line = RoomLine()
        oldest = LinkedLists.Ends()
        (connections, idle, dialling, waiting) = (0, 0, 0, 0)
        return actions
    }
}
