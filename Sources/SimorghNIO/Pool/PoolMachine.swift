// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
package import SimorghCore

/// Which connection goes to whom: all hosts of a transport in one value, without a socket, a lock or a clock.
///
/// Its owner feeds it events under one lock and performs the actions it returns after letting go. One lock for all
/// hosts, since the limit over all of them is one number; what happens under it is a few array accesses.
///
/// - A connection that became free goes to the waiter for its host whose turn it is, the more important first and then
///   the one that has waited longest, or to the top of the host's idle ones, of which the top is used first, so that
///   those not needed grow old and are closed.
/// - At the limit over all hosts, the connection that has idled longest anywhere makes room. Where none idles, hosts in
///   need take turns at the room that closing connections leave; a host that has no connection at all, or two fewer
///   than the one whose connection became free, gets that one's place, so that busy hosts starve nobody and equal
///   hosts do not take connections from each other forever.
/// - A shared connection (HTTP/2) carries as many exchanges as its capacity says, which may change while it does. Of a
///   host that may turn out to have such ones, one is opened first, and who comes meanwhile rides on it, or fails with
///   it; another is opened when all are full.
/// - A host that has neither a connection nor a waiter is forgotten.
/// - No event costs more because there are more hosts, connections or waiters: what idles is in lists that are left from
///   anywhere at once, and who waits for a connection that is being opened is marked. ``looks`` counts what is looked at
///   in loops.
package struct PoolMachine<Connection: Sendable, Waiter: Sendable>: Sendable {
    /// How many of each there may be.
    package struct Limits: Sendable {
        package var connections: Int
        package var connectionsPerHost: Int
        /// Of these, shared ones.
        package var sharedPerHost: Int
        /// What a shared one carries until it says otherwise.
        package var streams: Int
        package var waitingPerHost: Int
        package var idleTime: TimeAmount

        package init(
            connections: Int, connectionsPerHost: Int, sharedPerHost: Int = 4, streams: Int = 100, waitingPerHost: Int,
            idleTime: TimeAmount
        ) {
            // So that a product of two of them is a number, whatever the user says.
            let most = Int(Int32.max)
            self.connections = min(max(1, connections), most)
            self.connectionsPerHost = min(max(1, connectionsPerHost), most)
            self.sharedPerHost = min(max(1, sharedPerHost), most)
            self.streams = min(max(1, streams), most)
            self.waitingPerHost = min(max(0, waitingPerHost), most)
            self.idleTime = max(.zero, idleTime)
        }
    }

    /// What the owner has to do, in order.
    package enum Action: Sendable {
        /// Open a connection; its outcome is reported with ``PoolMachine/dialled(_:_:isShared:lane:now:)`` or
        /// ``PoolMachine/dialFailed(_:now:sparing:)``.
        case dial(ConnectionKey, Origin, for: Waiter)
        /// Hand a connection over.
        case lease(Connection, to: Waiter, isFresh: Bool)
        /// Tell a waiter that the connection that was opened for it failed.
        case fail(Waiter)
        /// Tell a waiter that the pool is no more.
        case dismiss(Waiter)
        /// Close a connection that the machine has forgotten already.
        case close(Connection)
        /// Ask ``PoolMachine/lookAgain(_:now:)`` at a time whether a host may have another connection by then.
        case lookAgain(Int, at: NIODeadline)
    }

    /// What a request gets.
    package enum Answer: Sendable {
        /// A connection that idled.
        case leased(Connection)
        /// A place in the queue.
        case waiting(Ticket, [Action])
        /// Nothing: the queue is full. What was found unfit is to be closed all the same.
        case refused([Action])
        /// Nothing: the pool is no more.
        case closed
    }

    /// A place in a host's queue.
    package struct Ticket: Sendable, Hashable {
        let host: Int
        let number: UInt64
        let needsFresh: Bool
    }

    struct Entry: Sendable {
        enum State: Sendable {
            case free
            case dialling(for: Ticket)
            case idle
            case leased
        }

        var generation: UInt32
        var state: State
        /// When it began to idle, last; beside the state, which is dearer to read.
        var idleSince = NIODeadline.distantPast
        var host: Int
        var connection: Connection?
        var isShared = false
        /// Whether it is one of its host's ``Host/partly``.
        var isPartly = false
        /// How many exchanges it carries at once; none when it is to be used no more.
        var capacity = 1
        /// How many it carries.
        var used = 0
        /// The event loop it lives on.
        var lane: Int?
    }

    /// A place for a host; one without an origin is free.
    struct Host: Sendable {
        let origin: Origin?
        /// Oldest first; used from the end.
        var idle = LinkedLists.Ends()
        /// The same for each event loop, once somebody asked for that.
        var idleInLane: [LinkedLists.Ends] = []
        /// Shared connections that carry some exchanges and could carry more.
        var partly = LinkedLists.Ends()
        var waiting = PriorityQueue<Waiter>()
        /// Those whose used connection was found dead: only a new one will do.
        var waitingForFresh = TicketQueue<Waiter>()
        var connections = 0
        var dialling = 0
        /// What connections to it are like.
        var kind: Kind
        /// How many shared connections there are that carry more than none.
        var shared = 0
        /// How many exchanges a shared connection to it carries, as the last that told said.
        var streams: Int?
        /// One more could not be opened: until then, who waits, waits for those that are there.
        var growthHeldUntil: NIODeadline?
        /// How often in a row that was so.
        var growthFailures = 0
        /// The place among the hosts that would dial if the limit over all allowed it.
        var hungry: UInt64?

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

    /// Whether connections to a host carry one exchange at a time, or many.
    enum Kind: Sendable {
        case unknown
        case single
        case shared
    }

    let limits: Limits
    var index: [Origin: Int] = [:]
    /// The host that was looked up last.
    var lastHost = 0
    var hosts: [Host] = []
    var freeHosts: [Int] = []
    var entries: [Entry] = []
    var freeEntries: [Int] = []
    /// What idles, over all hosts, oldest first.
    var oldest = LinkedLists.Ends()
    var byAge = LinkedLists()
    /// The links of each host's ``Host/idle`` and ``Host/partly``.
    var byHost = LinkedLists()
    var byLane = LinkedLists()
    /// Whether anybody ever asked for a connection in some lane.
    var hasLanes = false
    var line = RoomLine()
    var nextNumber: UInt64 = 0
    var isClosed = false
    /// The time, as the last event told that knew it.
    var now = NIODeadline.distantPast

    /// Connections open or being opened.
    package var connections = 0
    package var idle = 0
    package var dialling = 0
    package var waiting = 0
    package var dials = 0
    /// How often somebody got a connection that was not opened for him, or not for him alone.
    package var reuses = 0
    /// How many connections were closed that could have been used.
    package var evictions = 0
    /// How many hosts, connections and waiters were looked at in search of one; for tests.
    package var looks = 0

    package init(limits: Limits) { self.limits = limits }

    /// How many hosts are known; for tests.
    package var knownHosts: Int { index.count }

    /// Asks for a connection.
    ///
    /// - Parameters:
    ///   - origin: Where to.
    ///   - waiter: Who asks.
    ///   - needsFresh: Whether only a connection that has carried nothing will do. The host's idle ones are closed, for
    ///     where one was found dead the others are suspect.
    ///   - priority: How soon it is to be served where others wait, too.
    ///   - lane: The event loop that the connection had best live on; `nil` for any.
    ///   - now: The time.
    /// - Returns: A connection, a place in the queue, or neither.
    package mutating func request(
        _ origin: Origin, waiter: Waiter, needsFresh: Bool = false, priority: RequestPriority = .normal,
        lane: Int? = nil, now: NIODeadline
    ) -> Answer {
        guard !isClosed else { return .closed }
        self.now = now
        var actions: [Action] = []
        let slot = slot(of: origin) ?? addHost(origin)
        if needsFresh {
            closeIdle(of: slot, &actions)
        } else if let connection = takePart(of: slot, lane: lane) ?? takeIdle(of: slot, lane: lane, now: now, &actions)
        {
            return .leased(connection)
        }
        guard mayWait(slot) else {
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
        grow(slot, &actions)
        return .waiting(ticket, actions)
    }

    /// A connection that was asked for is open.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - connection: The connection.
    ///   - isShared: Whether it carries many exchanges at once.
    ///   - lane: The event loop it lives on.
    ///   - now: The time.
    /// - Returns: What is to be done.
    package mutating func dialled(
        _ key: ConnectionKey, _ connection: Connection, isShared: Bool = false, lane: Int? = nil, now: NIODeadline
    ) -> [Action] {
        guard let slot = host(of: key), case .dialling(let ticket) = entries[key.index].state else {
            return [.close(connection)]  // The pool was closed meanwhile.
        }
        self.now = now
        entries[key.index].connection = connection
        entries[key.index].state = .leased
        entries[key.index].lane = lane
        dialling -= 1
        hosts[slot].dialling -= 1
        var actions: [Action] = []
        if isShared {
            share(key, slot, first: withdraw(ticket), now: now, &actions)
            return actions
        }
        if hosts[slot].kind == .unknown { hosts[slot].kind = .single }
        // The one it was opened for first: so whoever is bound to a connection that is being opened has one coming.
        if let waiter = withdraw(ticket) ?? firstWaiter(of: slot) {
            actions.append(.lease(connection, to: waiter, isFresh: true))
            grow(slot, &actions)
            forgetIfEmpty(slot)
        } else {
            free(key, slot, now: now, &actions)
        }
        return actions
    }

    /// A connection that was asked for could not be opened.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - now: The time.
    ///   - isSpared: Whether the failure means nothing to somebody who waited to ride on the connection: another one is
    ///     opened for him.
    /// - Returns: What is to be done.
    package mutating func dialFailed(
        _ key: ConnectionKey, now: NIODeadline, sparing isSpared: (Waiter) -> Bool = { _ in false }
    ) -> [Action] {
        guard let slot = host(of: key), case .dialling(let ticket) = entries[key.index].state else { return [] }
        self.now = now
        var actions: [Action] = []
        dialling -= 1
        hosts[slot].dialling -= 1
        failed(ticket, slot, sparing: isSpared, &actions)
        remove(key, slot, &actions)
        return actions
    }

    /// A leased connection has done its work and can carry the next.
    package mutating func returned(_ key: ConnectionKey, _ connection: Connection, now: NIODeadline) -> [Action] {
        guard !isClosed else { return [.close(connection)] }
        guard let slot = host(of: key), case .leased = entries[key.index].state else { return [] }
        self.now = now
        var actions: [Action] = []
        if entries[key.index].isShared {
            entries[key.index].used = max(0, entries[key.index].used - 1)
            settle(key, slot, now: now, isProven: true, &actions)
        } else {
            free(key, slot, now: now, &actions)
        }
        return actions
    }

    /// A shared connection can carry another number of exchanges from now on; those that it carries go on.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - capacity: The number; none for one that is to be used no more.
    ///   - now: The time.
    /// - Returns: What is to be done.
    package mutating func capacityChanged(_ key: ConnectionKey, _ capacity: Int, now: NIODeadline) -> [Action] {
        guard let slot = host(of: key), entries[key.index].isShared else { return [] }
        self.now = now
        // What the next connection to the host is taken to carry, until it says so itself.
        if capacity > 0 { hosts[slot].streams = capacity }
        if case .idle = entries[key.index].state {
            leaveIdle(key.index, slot)
            entries[key.index].state = .leased
        }
        let before = entries[key.index].capacity
        entries[key.index].capacity = max(0, capacity)
        if before == 0, capacity > 0 { hosts[slot].shared += 1 }
        if before > 0, capacity <= 0 { unshare(slot) }
        var actions: [Action] = []
        settle(key, slot, now: now, isProven: false, &actions)
        if host(of: key) != nil { grow(slot, &actions) }
        return actions
    }

    /// A connection is closed, or cannot be used any more.
    ///
    /// Heard twice, or of one that was evicted, it is ignored.
    package mutating func closed(_ key: ConnectionKey) -> [Action] {
        guard let slot = host(of: key) else { return [] }
        var actions: [Action] = []
        switch entries[key.index].state {
        case .free, .dialling: return []
        case .idle: leaveIdle(key.index, slot)
        case .leased: break
        }
        remove(key, slot, &actions)
        return actions
    }

    /// A connection may have idled long enough.
    package mutating func idleTimePassed(_ key: ConnectionKey, now: NIODeadline) -> [Action] {
        guard let slot = host(of: key) else { return [] }
        self.now = now
        var actions: [Action] = []
        if case .leased = entries[key.index].state, entries[key.index].capacity == 0, entries[key.index].used == 0 {
            // It could carry nothing for so long.
            if let connection = entries[key.index].connection { actions.append(.close(connection)) }
            remove(key, slot, &actions)
            return actions
        }
        guard case .idle = entries[key.index].state, entries[key.index].idleSince + limits.idleTime <= now else {
            return []  // It was leased meanwhile, or it idles anew.
        }
        evict(key.index, slot, &actions)
        forgetIfEmpty(slot)
        feedTheHungry(&actions)
        return actions
    }

    /// A waiter goes away.
    ///
    /// - Returns: Whether it was still waiting; otherwise a connection is on its way to it.
    package mutating func cancelled(_ ticket: Ticket) -> Bool {
        guard withdraw(ticket) != nil else { return false }
        forgetIfEmpty(ticket.host)
        return true
    }

    /// A waiter has waited as long as it may for a connection to become free.
    ///
    /// - Returns: `false` if it is not waiting for that (any more): one is being opened for it, or on its way to it.
    package mutating func queueTimePassed(_ ticket: Ticket) -> Bool {
        guard ticket.host < hosts.count else { return false }
        let isBound =
            ticket.needsFresh
            ? hosts[ticket.host].waitingForFresh.isMarked(ticket.number)
            : hosts[ticket.host].waiting.isMarked(ticket.number)
        return !isBound && cancelled(ticket)
    }
}
