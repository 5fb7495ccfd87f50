// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import SimorghCore

/// A state machine that assigns connections to requests, for all hosts of a transport; without a socket, a lock or a
/// clock.
///
/// Its owner passes events to it under a lock, and performs the returned actions after unlocking. There is one lock
/// for all hosts, because the total limit is one number; an event takes only a few array accesses.
///
/// - A connection that becomes free goes to the next waiter of its host, by priority and then in FIFO order. Without a
///   waiter it is added to the host's idle connections, of which the most recently used one is taken first, so that
///   surplus connections age and are closed.
/// - At the total limit, the connection that has been idle longest, over all hosts, is closed to free capacity. If no
///   connection is idle, the hosts that need one take turns at the capacity that closing connections free. A host
///   without any connection, or with two fewer than the host whose connection became free, gets that capacity. So busy
///   hosts starve no other host, and equal hosts do not take connections from each other forever.
/// - A shared connection (HTTP/2) carries as many exchanges as its capacity, which may change at any time. If a host
///   may turn out to use shared connections, one is opened first, and all waiters share it or fail with it; another
///   one is opened when all are full.
/// - A host without connections and waiters is removed.
/// - The cost of an event does not depend on the number of hosts, connections or waiters: idle connections are in
///   linked lists with O(1) removal, and a waiter for which a connection is being opened is marked. ``visits`` counts
///   the elements that loops visit.
package struct ConnectionPoolStateMachine<Connection: Sendable, Waiter: Sendable>: Sendable {
    /// The limits of the pool.
    package struct Limits: Sendable {
        package var connections: Int
        package var connectionsPerHost: Int
        /// The maximum number of shared connections among them.
        package var sharedPerHost: Int
        /// The capacity of a shared connection until it reports its own.
        package var streamsPerConnection: Int
        package var waitingPerHost: Int
        package var idleTime: TimeAmount

        package init(
            connections: Int, connectionsPerHost: Int, sharedPerHost: Int = 4, streamsPerConnection: Int = 100,
            waitingPerHost: Int, idleTime: TimeAmount
        ) {
            // Clamped so that the product of two limits does not overflow.
            let maximum = Int(Int32.max)
            self.connections = min(max(1, connections), maximum)
            self.connectionsPerHost = min(max(1, connectionsPerHost), maximum)
            self.sharedPerHost = min(max(1, sharedPerHost), maximum)
            self.streamsPerConnection = min(max(1, streamsPerConnection), maximum)
            self.waitingPerHost = min(max(0, waitingPerHost), maximum)
            self.idleTime = max(.zero, idleTime)
        }
    }

    /// An action for the owner to perform, in order.
    package enum Action: Sendable {
        /// Open a connection; its outcome is reported with
        /// ``ConnectionPoolStateMachine/dialed(_:connection:isShared:eventLoopIndex:now:)`` or
        /// ``ConnectionPoolStateMachine/connectionFailed(_:now:sparing:)``.
        case dial(ConnectionKey, Origin, for: Waiter)
        /// Assign a connection to a waiter.
        case lease(Connection, to: Waiter, isFresh: Bool)
        /// Fail a waiter, because the connection that was opened for it failed.
        case fail(Waiter)
        /// Fail a waiter, because the pool is closed.
        case dismiss(Waiter)
        /// Close a connection that the machine has already removed.
        case close(Connection)
        /// Call ``ConnectionPoolStateMachine/recheck(_:now:)`` at a time, when a host may be allowed another
        /// connection.
        case recheck(Int, at: NIODeadline)
    }

    /// The result of a request for a connection.
    package enum Answer: Sendable {
        /// An idle or partially used connection.
        case leased(Connection)
        /// A ticket for the queue.
        case waiting(Ticket, [Action])
        /// The queue is full; the actions close connections that were found unfit.
        case refused([Action])
        /// The pool is closed.
        case closed
    }

    /// The identifier of a waiter in a host's queue.
    package struct Ticket: Sendable, Hashable {
        let host: Int
        let number: UInt64
        let needsFresh: Bool
    }

    struct Entry: Sendable {
        enum State: Sendable {
            case free
            case dialing(for: Ticket)
            case idle
            case leased
        }

        var generation: UInt32
        var state: State
        /// The time at which it last became idle.
        ///
        /// It is separate from the state, which is more expensive to read.
        var idleSince = NIODeadline.distantPast
        var host: Int
        var connection: Connection?
        var isShared = false
        /// True if the connection is in its host's ``Host/partiallyUsed``.
        var isPartiallyUsed = false
        /// The maximum number of concurrent exchanges; 0 if it must not get new ones.
        var capacity = 1
        /// The number of exchanges that it carries.
        var used = 0
        /// The index of its event loop.
        var eventLoopIndex: Int?
    }

    /// A slot for a host; without an origin it is free.
    struct Host: Sendable {
        let origin: Origin?
        /// The idle connections, the oldest first; used from the end.
        var idle = IntrusiveLists.Ends()
        /// The idle connections by event loop, once a request has needed that.
        var idleByEventLoop: [IntrusiveLists.Ends] = []
        /// The shared connections that carry some exchanges and have free streams.
        var partiallyUsed = IntrusiveLists.Ends()
        var waiting = PriorityQueue<Waiter>()
        /// The waiters whose used connection was found dead: they need a new connection.
        var waitingForFresh = TicketQueue<Waiter>()
        var connections = 0
        var dialing = 0
        /// The kind of connections to the host.
        var kind: Kind
        /// The number of shared connections with a capacity above 0.
        var shared = 0
        /// The capacity of a shared connection to the host, as last reported.
        var streams: Int?
        /// The time until which no further connection is opened, because the last attempt failed; waiters use the
        /// existing ones.
        var growthHeldUntil: NIODeadline?
        /// The number of such failures in a row.
        var growthFailures = 0
        /// The number of the host in the queue for capacity; `nil` if it is not queued.
        var capacityQueueNumber: UInt64?

        var waiters: Int { waiting.count + waitingForFresh.count }

        init(origin: Origin?) {
            self.origin = origin
            switch origin?.versions {
            case .http1, .upgrade, .none: kind = .single
            case .http2: kind = .shared
            case .either: kind = .unknown
            }
        }
    }

    /// The kind of a host's connections: for one exchange at a time, or for many.
    enum Kind: Sendable {
        case unknown
        case single
        case shared
    }

    let limits: Limits
    /// The slot of each known host: its index in ``hosts``.
    var slotsByOrigin: [Origin: Int] = [:]
    /// The slot of the most recently used host.
    var lastHost = 0
    /// The slots of the hosts, some of them free.
    var hosts: [Host] = []
    /// The indices of the free slots in ``hosts``.
    var freeHosts: [Int] = []
    /// The connections that are open or being opened, and free entries; the index is part of a ``ConnectionKey``.
    var entries: [Entry] = []
    /// The indices of the free entries in ``entries``.
    var freeEntries: [Int] = []
    /// The ends of the list of idle connections of all hosts, the oldest first.
    var oldest = IntrusiveLists.Ends()
    /// The links of the list ``oldest``.
    var byAge = IntrusiveLists()
    /// The links of each host's ``Host/idle`` and ``Host/partiallyUsed``.
    var byHost = IntrusiveLists()
    /// The links of each host's ``Host/idleByEventLoop``.
    var byEventLoop = IntrusiveLists()
    /// True if a request has ever preferred an event loop.
    var tracksEventLoops = false
    /// The hosts that need a connection while all of ``Limits/connections`` are in use.
    var capacityQueue = CapacityWaitQueue()
    /// The last number given to a ticket or to a host in ``capacityQueue``.
    var nextNumber: UInt64 = 0
    /// True once ``close()`` was called.
    var isClosed = false
    /// The time of the last event that had one.
    var now = NIODeadline.distantPast

    /// The number of connections that are open or being opened.
    package var connections = 0
    /// The number of idle connections.
    package var idle = 0
    /// The number of connections that are being opened.
    package var dialing = 0
    /// The number of waiters.
    package var waiting = 0
    /// The total number of attempts to open a connection.
    package var dials = 0
    /// The number of assignments of a connection that was not opened for the request, or not for it alone.
    package var reuses = 0
    /// The number of connections that were closed although they could have been used.
    package var evictions = 0
    /// The number of hosts, connections and waiters that searches have visited; for tests.
    package var visits = 0

    package init(limits: Limits) { self.limits = limits }

    /// The number of known hosts; for tests.
    package var knownHosts: Int { slotsByOrigin.count }

    /// Requests a connection.
    ///
    /// - Parameters:
    ///   - origin: The destination.
    ///   - waiter: The requester.
    ///   - needsFresh: True if the connection must not have carried a request. The host's idle connections are closed,
    ///     because they are suspect after one was found dead.
    ///   - priority: The priority among the waiters.
    ///   - eventLoopIndex: The index of the preferred event loop; `nil` for any.
    ///   - now: The current time.
    /// - Returns: A connection, a ticket for the queue, or neither.
    package mutating func request(
        _ origin: Origin, waiter: Waiter, needsFresh: Bool = false, priority: RequestPriority = .normal,
        eventLoopIndex: Int? = nil, now: NIODeadline
    ) -> Answer {
        guard !isClosed else { return .closed }
        self.now = now
        var actions: [Action] = []
        let slot = slot(of: origin) ?? addHost(origin)
        if needsFresh {
            closeIdle(of: slot, actions: &actions)
        } else if let connection = takeStream(of: slot, eventLoopIndex: eventLoopIndex)
            ?? takeIdle(of: slot, eventLoopIndex: eventLoopIndex, now: now, actions: &actions)
        {
            return .leased(connection)
        }
        guard hasQueueCapacity(slot) else {
            forgetIfEmpty(slot)
            return .refused(actions)
        }
        nextNumber += 1
        let ticket = Ticket(host: slot, number: nextNumber, needsFresh: needsFresh)
        if needsFresh {
            hosts[slot].waitingForFresh.append(waiter, number: ticket.number)
        } else {
            hosts[slot].waiting.append(waiter, number: ticket.number, priority: priority)
        }
        waiting += 1
        grow(slot, actions: &actions)
        return .waiting(ticket, actions)
    }

    /// Records that a connection has opened.
    ///
    /// - Parameters:
    ///   - key: The key of the connection.
    ///   - connection: The connection.
    ///   - isShared: True if it carries several exchanges at once.
    ///   - eventLoopIndex: The index of its event loop.
    ///   - now: The current time.
    /// - Returns: The actions to perform.
    package mutating func dialed(
        _ key: ConnectionKey, connection: Connection, isShared: Bool = false, eventLoopIndex: Int? = nil,
        now: NIODeadline
    ) -> [Action] {
        guard let slot = host(of: key), case .dialing(let ticket) = entries[key.index].state else {
            return [.close(connection)]  // The pool was closed meanwhile.
        }
        self.now = now
        entries[key.index].connection = connection
        entries[key.index].state = .leased
        entries[key.index].eventLoopIndex = eventLoopIndex
        dialing -= 1
        hosts[slot].dialing -= 1
        var actions: [Action] = []
        if isShared {
            share(key, slot: slot, first: withdraw(ticket), now: now, actions: &actions)
            return actions
        }
        if hosts[slot].kind == .unknown { hosts[slot].kind = .single }
        // First to the waiter that it was opened for: so a marked waiter is certain to get a connection.
        if let waiter = withdraw(ticket) ?? firstWaiter(of: slot) {
            actions.append(.lease(connection, to: waiter, isFresh: true))
            grow(slot, actions: &actions)
            forgetIfEmpty(slot)
        } else {
            free(key, slot: slot, now: now, actions: &actions)
        }
        return actions
    }

    /// Records that a connection could not be opened.
    ///
    /// - Parameters:
    ///   - key: The key of the connection.
    ///   - now: The current time.
    ///   - isSpared: Returns true for a waiter that wanted to share the connection but is not affected by the failure:
    ///     another connection is opened for it.
    /// - Returns: The actions to perform.
    package mutating func connectionFailed(
        _ key: ConnectionKey, now: NIODeadline, sparing isSpared: (Waiter) -> Bool = { _ in false }
    ) -> [Action] {
        guard let slot = host(of: key), case .dialing(let ticket) = entries[key.index].state else { return [] }
        self.now = now
        var actions: [Action] = []
        dialing -= 1
        hosts[slot].dialing -= 1
        failed(ticket, slot: slot, sparing: isSpared, actions: &actions)
        remove(key, slot: slot, actions: &actions)
        return actions
    }

    /// Records that a leased connection has completed an exchange and can carry the next.
    package mutating func returned(_ key: ConnectionKey, connection: Connection, now: NIODeadline) -> [Action] {
        guard !isClosed else { return [.close(connection)] }
        guard let slot = host(of: key), case .leased = entries[key.index].state else { return [] }
        self.now = now
        var actions: [Action] = []
        if entries[key.index].isShared {
            entries[key.index].used = max(0, entries[key.index].used - 1)
            settle(key, slot: slot, now: now, isProven: true, actions: &actions)
        } else {
            free(key, slot: slot, now: now, actions: &actions)
        }
        return actions
    }

    /// Records a change of the number of exchanges that a shared connection can carry; running exchanges continue.
    ///
    /// - Parameters:
    ///   - key: The key of the connection.
    ///   - capacity: The number; 0 if the connection must not get new exchanges.
    ///   - now: The current time.
    /// - Returns: The actions to perform.
    package mutating func capacityChanged(_ key: ConnectionKey, to capacity: Int, now: NIODeadline) -> [Action] {
        guard let slot = host(of: key), entries[key.index].isShared else { return [] }
        self.now = now
        // The next connection to the host is assumed to have this capacity until it reports its own.
        if capacity > 0 { hosts[slot].streams = capacity }
        if case .idle = entries[key.index].state {
            leaveIdle(key.index, slot: slot)
            entries[key.index].state = .leased
        }
        let before = entries[key.index].capacity
        entries[key.index].capacity = max(0, capacity)
        if before == 0, capacity > 0 { hosts[slot].shared += 1 }
        if before > 0, capacity <= 0 { unshare(slot) }
        var actions: [Action] = []
        settle(key, slot: slot, now: now, isProven: false, actions: &actions)
        if host(of: key) != nil { grow(slot, actions: &actions) }
        return actions
    }

    /// Records that a connection is closed, or cannot be used any more.
    ///
    /// Ignored for a connection that was already removed.
    package mutating func closed(_ key: ConnectionKey) -> [Action] {
        guard let slot = host(of: key) else { return [] }
        var actions: [Action] = []
        switch entries[key.index].state {
        case .free, .dialing: return []
        case .idle: leaveIdle(key.index, slot: slot)
        case .leased: break
        }
        remove(key, slot: slot, actions: &actions)
        return actions
    }

    /// Cancels a waiter.
    ///
    /// - Returns: True if it was still waiting; otherwise a connection was already assigned to it.
    package mutating func cancelled(_ ticket: Ticket) -> Bool {
        guard withdraw(ticket) != nil else { return false }
        forgetIfEmpty(ticket.host)
        return true
    }

    /// Cancels a waiter whose queue timeout has passed, if it waits for a connection to become free.
    ///
    /// - Returns: False if it does not: a connection is being opened for it, or was already assigned to it.
    package mutating func queueTimePassed(_ ticket: Ticket) -> Bool {
        guard ticket.host < hosts.count else { return false }
        let isBound =
            ticket.needsFresh
            ? hosts[ticket.host].waitingForFresh.isMarked(ticket.number)
            : hosts[ticket.host].waiting.isMarked(ticket.number)
        return !isBound && cancelled(ticket)
    }
}
