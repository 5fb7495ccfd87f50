// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Bookkeeping, and the assignment of free capacity.
extension ConnectionPoolStateMachine {
    /// Returns the slot of a connection's host; `nil` if the connection was removed.
    func host(of key: ConnectionKey) -> Int? {
        guard key.index < entries.count, entries[key.index].generation == key.generation else { return nil }
        if case .free = entries[key.index].state { return nil }
        return entries[key.index].host
    }

    /// Removes a waiter from its queue.
    mutating func withdraw(_ ticket: Ticket) -> Waiter? {
        guard ticket.host < hosts.count else { return nil }
        let waiter =
            ticket.needsFresh
            ? hosts[ticket.host].waitingForFresh.remove(ticket.number)
            : hosts[ticket.host].waiting.remove(ticket.number)
        if waiter != nil { waiting -= 1 }
        return waiter
    }

    /// Returns true if a host's queue can take another waiter.
    ///
    /// Waiters that the connections being opened will serve are not counted.
    func hasQueueCapacity(_ slot: Int) -> Bool {
        let waiters = hosts[slot].waiters
        let coming = hosts[slot].dialing * (hosts[slot].kind == .single ? 1 : streams(of: slot))
        if waiters - coming < limits.waitingPerHost { return true }
        return needsMore(slot, waiters: waiters + 1) && (connections < limits.connections || idle > 0)
    }

    /// Removes and returns the first waiter of a host: those that need a new connection first, then by priority.
    mutating func firstWaiter(of slot: Int) -> Waiter? {
        guard let (_, first) = hosts[slot].waitingForFresh.popFirst() ?? hosts[slot].waiting.popFirst() else {
            return nil
        }
        waiting -= 1
        return first
    }

    /// Returns the slot of a known host; the host of the previous request, the most frequent case, is found without
    /// hashing.
    mutating func slot(of origin: Origin) -> Int? {
        if lastHost < hosts.count, hosts[lastHost].origin == origin { return lastHost }
        guard let slot = slotsByOrigin[origin] else { return nil }
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
        slotsByOrigin[origin] = slot
        return slot
    }

    mutating func forgetIfEmpty(_ slot: Int) {
        guard slot < hosts.count, hosts[slot].waiters == 0 else { return }
        leaveCapacityQueue(slot)
        guard hosts[slot].connections == 0, let origin = hosts[slot].origin else { return }
        slotsByOrigin[origin] = nil
        hosts[slot] = Host(origin: nil)
        freeHosts.append(slot)
    }

    /// Removes a connection and assigns its capacity: first to the queued hosts.
    ///
    /// Otherwise a host whose server closes each connection after its response would take its own capacity again and
    /// again.
    mutating func remove(_ key: ConnectionKey, slot: Int, actions: inout [Action]) {
        clear(key.index, slot: slot)
        assignFreedCapacity(&actions)
        grow(slot, actions: &actions)
        forgetIfEmpty(slot)
    }

    /// Removes a connection that is not idle.
    mutating func clear(_ index: Int, slot: Int) {
        if entries[index].isShared {
            leavePartiallyUsed(index, slot: slot)
            if entries[index].capacity > 0 { unshare(slot) }
        }
        let generation = entries[index].generation &+ 1
        entries[index] = Entry(generation: generation, state: .free, host: slot, connection: nil)
        freeEntries.append(index)
        connections -= 1
        addConnections(-1, to: slot)
    }

    /// Passes a connection that has become free to a waiter, closes it, or adds it to the idle ones.
    mutating func free(_ key: ConnectionKey, slot: Int, now: NIODeadline, actions: inout [Action]) {
        guard let connection = entries[key.index].connection else { return }
        if shouldYieldCapacity(slot) || blocksFreshConnection(slot) {
            evictions += 1
            actions.append(.close(connection))
            remove(key, slot: slot, actions: &actions)
        } else if let waiter = hosts[slot].kind == .single ? waiterAllowingReuse(of: slot) : firstWaiter(of: slot) {
            reuses += 1
            actions.append(.lease(connection, to: waiter, isFresh: false))
            forgetIfEmpty(slot)
        } else {
            joinIdle(key.index, slot: slot, since: now)
        }
    }

    /// Returns true if a waiter needs a new connection and none is being opened for it.
    ///
    /// At the host's connection limit, requests that accept a used connection would otherwise delay it forever. The
    /// connection just returned is not offered to it: if the server closed it too, the request fails for good.
    private mutating func blocksFreshConnection(_ slot: Int) -> Bool {
        guard !hosts[slot].waitingForFresh.isEmpty, hosts[slot].kind == .single,
            hosts[slot].waiters > hosts[slot].dialing
        else { return false }
        return hosts[slot].waitingForFresh.firstUnmarked(visits: &visits) != nil
    }

    /// Returns true if the capacity of a free connection should go to another waiter or host.
    func shouldYieldCapacity(_ slot: Int) -> Bool {
        guard !hosts[slot].waiting.isEmpty else {
            // The remaining waiters need a new connection, which this one may block.
            return !capacityQueue.isEmpty || hosts[slot].waiters > hosts[slot].dialing
        }
        // A host in need has no connection, or two fewer than this host: it still has fewer after getting one.
        guard let minimum = capacityQueue.minimumConnections else { return false }
        return minimum == 0 || minimum + 1 < hosts[slot].connections
    }

    /// Returns true if a host needs another connection.
    private func needsMore(_ slot: Int) -> Bool { needsMore(slot, waiters: hosts[slot].waiters) }

    private func needsMore(_ slot: Int, waiters: Int) -> Bool {
        guard waiters > 0, hosts[slot].connections < limits.connectionsPerHost else { return false }
        let dialing = hosts[slot].dialing
        switch hosts[slot].kind {
        case .single: return waiters > dialing
        case .unknown: return dialing == 0
        case .shared:
            return waiters > dialing * streams(of: slot) && hosts[slot].shared + dialing < limits.sharedPerHost
                && hosts[slot].growthHeldUntil.map { $0 <= now } ?? true
        }
    }

    /// Dials for the waiters of a host, up to the limits; at the total limit the host is queued for capacity.
    mutating func grow(_ slot: Int, actions: inout [Action]) {
        while needsMore(slot) {
            if connections >= limits.connections, !evictOldestIdle(&actions) { return joinCapacityQueue(slot) }
            guard dial(slot, actions: &actions) else { return }
        }
    }

    /// Handles the time of ``Action/recheck(_:at:)``.
    package mutating func recheck(_ host: Int, now: NIODeadline) -> [Action] {
        guard host < hosts.count else { return [] }
        self.now = now
        var actions: [Action] = []
        grow(host, actions: &actions)
        return actions
    }

    /// Assigns free capacity to the queued hosts in turn.
    mutating func assignFreedCapacity(_ actions: inout [Action]) {
        while connections < limits.connections, let (_, slot) = capacityQueue.first {
            visits += 1
            leaveCapacityQueue(slot)
            guard needsMore(slot), dial(slot, actions: &actions), needsMore(slot) else { continue }
            joinCapacityQueue(slot)
        }
    }

    private mutating func joinCapacityQueue(_ slot: Int) {
        guard hosts[slot].capacityQueueNumber == nil else { return }
        nextNumber += 1
        hosts[slot].capacityQueueNumber = nextNumber
        capacityQueue.append(slot, number: nextNumber, connections: hosts[slot].connections)
    }

    private mutating func leaveCapacityQueue(_ slot: Int) {
        guard let number = hosts[slot].capacityQueueNumber else { return }
        hosts[slot].capacityQueueNumber = nil
        capacityQueue.remove(number, connections: hosts[slot].connections)
    }

    private mutating func addConnections(_ number: Int, to slot: Int) {
        let before = hosts[slot].connections
        hosts[slot].connections = before + number
        if hosts[slot].capacityQueueNumber != nil { capacityQueue.changed(from: before, to: before + number) }
    }

    /// Dials for the first waiter for which no connection is being opened.
    private mutating func dial(_ slot: Int, actions: inout [Action]) -> Bool {
        guard let origin = hosts[slot].origin else { return false }
        let fresh = hosts[slot].waitingForFresh.firstUnmarked(visits: &visits)
        guard let (number, waiter) = fresh ?? hosts[slot].waiting.nextUnmarked(visits: &visits) else { return false }
        if fresh != nil {
            hosts[slot].waitingForFresh.mark(number)
        } else {
            hosts[slot].waiting.mark(number)
        }
        let key = begin(slot, for: Ticket(host: slot, number: number, needsFresh: fresh != nil))
        actions.append(.dial(key, origin, for: waiter))
        return true
    }

    /// Begins to open connections ahead of requests, up to `count` connections to the host and within the free
    /// capacity.
    ///
    /// - Parameters:
    ///   - origin: The host.
    ///   - count: The total number of connections to the host. If it is unknown whether connections to the host are
    ///     shared, only the first one is opened.
    /// - Returns: The keys of the connections to open; their outcomes are reported as usual.
    package mutating func prewarm(_ origin: Origin, upTo count: Int) -> [ConnectionKey] {
        guard !isClosed else { return [] }
        let slot = slot(of: origin) ?? addHost(origin)
        let maximum =
            switch hosts[slot].kind {
            case .single: min(count, limits.connectionsPerHost)
            case .unknown: min(count, 1)
            case .shared: min(count, limits.sharedPerHost, limits.connectionsPerHost)
            }
        var keys: [ConnectionKey] = []
        while hosts[slot].connections < maximum, connections < limits.connections {
            // No waiter has the number 0, so the connection goes to any waiter of the host when it opens.
            keys.append(begin(slot, for: Ticket(host: slot, number: 0, needsFresh: false)))
        }
        forgetIfEmpty(slot)
        return keys
    }

    /// Registers a connection that is being opened.
    private mutating func begin(_ slot: Int, for ticket: Ticket) -> ConnectionKey {
        let key: ConnectionKey
        if let free = freeEntries.popLast() {
            key = ConnectionKey(index: free, generation: entries[free].generation)
            entries[free].state = .dialing(for: ticket)
            entries[free].host = slot
        } else {
            key = ConnectionKey(index: entries.count, generation: 0)
            entries.append(Entry(generation: 0, state: .dialing(for: ticket), host: slot, connection: nil))
        }
        connections += 1
        dialing += 1
        dials += 1
        hosts[slot].dialing += 1
        addConnections(1, to: slot)
        return key
    }

    /// Closes the pool: closes the idle connections and dismisses the waiters; leased connections are closed on
    /// return.
    package mutating func close() -> [Action] {
        guard !isClosed else { return [] }
        isClosed = true
        var actions: [Action] = []
        for entry in entries {
            guard let connection = entry.connection else { continue }
            switch entry.state {
            case .idle: actions.append(.close(connection))
            // Leased without an exchange means capacity 0: no exchange will return it.
            case .leased where entry.isShared && entry.used == 0: actions.append(.close(connection))
            case .free, .dialing, .leased: break
            }
        }
        for slot in hosts.indices {
            let waiters = hosts[slot].waitingForFresh.removeAll() + hosts[slot].waiting.removeAll()
            actions += waiters.map { .dismiss($0) }
        }
        slotsByOrigin = [:]
        hosts = []
        entries = []
        capacityQueue = CapacityWaitQueue()
        oldest = IntrusiveLists.Ends()
        (connections, idle, dialing, waiting) = (0, 0, 0, 0)
        return actions
    }
}
