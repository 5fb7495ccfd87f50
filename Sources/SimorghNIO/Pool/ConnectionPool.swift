// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghCore
import Synchronization

/// The connections of a transport: owns a ``ConnectionPoolStateMachine`` under a lock, and performs its actions.
final class ConnectionPool: Sendable {
    typealias Machine = ConnectionPoolStateMachine<PooledConnection, Exchange>

    let group: any EventLoopGroup
    let idleTime: TimeAmount
    /// The time to drain a body that no caller reads.
    let lingeringTime: Duration
    /// The clock for the waits of exchanges for a connection.
    let clock: SharedTimerWheel
    /// The HTTP/2 hosts that accept certain requests only over HTTP/1.1.
    let http1Hosts = HTTP1OnlyHosts()
    let dialer: Dialer
    /// The connections that have left the pool for another protocol.
    let upgraded = UpgradedConnections()
    private let machine: Mutex<Machine>
    /// The executors, one for each event loop of the group.
    private let executors: [EventLoopTaskExecutor]
    private let eventLoopIndices: [ObjectIdentifier: Int]
    /// True if an executor was ever requested; before that, requests do not determine their event loop.
    private let hasExecutorUsers = Atomic(false)
    private let clocks = Mutex<[ObjectIdentifier: NIOLoopBound<EventLoopTimerWheel>]>([:])

    init(_ configuration: NIOTransport.Configuration) {
        group = configuration.eventLoopGroup
        idleTime = TimeAmount(clamping: configuration.idleTimeout)
        lingeringTime = configuration.lingeringTime
        clock = SharedTimerWheel(loop: group.next())
        dialer = Dialer(configuration)
        executors = group.makeIterator().enumerated().map {
            EventLoopTaskExecutor($0.element, eventLoopIndex: $0.offset)
        }
        eventLoopIndices = Dictionary(executors.map { (ObjectIdentifier($0.loop), $0.eventLoopIndex) }) { first, _ in
            first
        }
        machine = Mutex(
            Machine(
                limits: .init(
                    connections: configuration.maximumConnections,
                    connectionsPerHost: configuration.maximumConnectionsPerHost,
                    sharedPerHost: configuration.maximumHTTP2ConnectionsPerHost,
                    streamsPerConnection: configuration.maximumConcurrentStreams,
                    waitingPerHost: configuration.maximumWaitingPerHost,
                    idleTime: idleTime
                )))
    }

    var statistics: NIOTransport.Statistics {
        machine.withLock { machine in
            var statistics = NIOTransport.Statistics()
            statistics.open = machine.connections - machine.dialing
            statistics.idle = machine.idle
            statistics.leased = machine.connections - machine.dialing - machine.idle
            statistics.waiting = machine.waiting
            statistics.dialed = machine.dials
            statistics.reused = machine.reuses
            statistics.evicted = machine.evictions
            statistics.dialing = machine.dialing
            statistics.hosts = machine.knownHosts
            return statistics
        }
    }

    /// Finds a connection for an exchange, now or later.
    func lease(_ exchange: Exchange) {
        let now = NIODeadline.now()
        let answer = machine.withLock {
            $0.request(
                exchange.plan.origin, waiter: exchange, needsFresh: exchange.needsFresh,
                priority: exchange.plan.request.options.priority, eventLoopIndex: exchange.eventLoopIndex, now: now)
        }
        switch answer {
        case .leased(let connection):
            assign(connection, to: exchange, isFresh: false, fromTask: exchange.eventLoopIndex != nil)
        case .waiting(let ticket, let actions):
            exchange.waits(ticket)
            perform(actions)
        case .refused(let actions):
            perform(actions)
            exchange.finish(
                .failed(
                    TransportError(
                        .resourceUnavailable, phase: .queue,
                        message: "too many requests are waiting for a connection to this host",
                        requestMayHaveBeenSent: false)))
        case .closed: exchange.finish(.failed(.cancelled(phase: .queue)))
        }
    }

    /// Opens connections ahead of requests; returns when all have opened or failed.
    ///
    /// - Parameters:
    ///   - plan: A request that the connections must be suitable for.
    ///   - count: The number of connections to the host.
    /// - Throws: The error of the first connection that failed.
    func prewarm(_ plan: RequestPlan, upTo count: Int) async throws(TransportError) {
        // If it is unknown whether the host speaks HTTP/2, only one connection is opened first, and decides whether
        // more are useful.
        for _ in 0..<2 {
            let keys = machine.withLock { $0.prewarm(plan.origin, upTo: count) }
            guard !keys.isEmpty else { return }
            let dials = PrewarmGroup(keys.count)
            for key in keys {
                let options = plan.request.options
                dialer.dial(
                    plan.origin, key: key, timeouts: options.timeouts, monitor: options.monitor, for: self,
                    on: group.next()
                ) { result in
                    self.dialEnded(key, with: result)
                    dials.ended(result.map { _ in })
                }
            }
            try await dials.end()
        }
    }

    /// Returns the same plan for HTTP/1.1 if the host is known to require that; `nil` otherwise.
    func planForHTTP1(_ plan: RequestPlan) throws(TransportError) -> RequestPlan? {
        guard plan.origin.versions == .either, http1Hosts.contains(plan.origin) else { return nil }
        return try RequestPlan(plan.request, versions: .http1)
    }

    /// Returns a connection that can carry another exchange to the pool.
    func returnConnection(_ connection: PooledConnection, now: NIODeadline) {
        perform(machine.withLock { $0.returned(connection.key, connection: connection, now: now) })
    }

    /// Records that a connection can carry another number of concurrent exchanges.
    func capacityChanged(_ connection: PooledConnection, to capacity: Int) {
        perform(machine.withLock { $0.capacityChanged(connection.key, to: capacity, now: .now()) })
    }

    /// Records that the window of an HTTP/2 connection stays closed while uploads wait for it.
    ///
    /// - Returns: True if no new exchange is started on it; false if the limits allow no other connection.
    func stalled(_ connection: PooledConnection) -> Bool {
        guard let actions = machine.withLock({ $0.stalled(connection.key, now: .now()) }) else { return false }
        perform(actions)
        return true
    }

    /// Records that a connection is closed.
    func closed(_ connection: PooledConnection) {
        perform(machine.withLock { $0.closed(connection.key) })
    }

    func idleTimePassed(_ connection: PooledConnection, now: NIODeadline) {
        perform(machine.withLock { $0.idleTimePassed(connection.key, now: now) })
    }

    /// Removes a waiter from the queue.
    func withdraw(_ ticket: Machine.Ticket) { _ = machine.withLock { $0.cancelled(ticket) } }

    /// Removes a waiter from the queue if it waits only for a free connection, and returns true if it did.
    func queueTimePassed(_ ticket: Machine.Ticket) -> Bool { machine.withLock { $0.queueTimePassed(ticket) } }

    /// Closes the idle connections; a leased one is closed when it is returned.
    func close() { perform(machine.withLock { $0.close() }) }

    private func assign(
        _ connection: PooledConnection, to exchange: Exchange, isFresh: Bool, fromTask: Bool = false
    ) {
        if exchange.leased(connection) {
            connection.run(exchange, isFresh: isFresh, fromTask: fromTask)
        } else {
            returnConnection(connection, now: .now())
        }
    }

    private func perform(_ actions: [Machine.Action], error: TransportError? = nil) {
        for action in actions {
            switch action {
            case .dial(let key, let origin, let exchange):
                let loop = exchange.eventLoopIndex.map { executors[$0].loop } ?? group.next()
                let monitor = exchange.plan.request.options.monitor
                dialer.dial(origin, key: key, timeouts: exchange.timeouts, monitor: monitor, for: self, on: loop) {
                    self.dialEnded(key, with: $0)
                }
            case .lease(let connection, let exchange, let isFresh): assign(connection, to: exchange, isFresh: isFresh)
            case .fail(let exchange):
                let error =
                    error
                    ?? TransportError(
                        .unknown, phase: .connect, message: "the connection failed", requestMayHaveBeenSent: false)
                exchange.finish(.failed(error.reported(to: exchange, at: .now())))
            case .dismiss(let exchange): exchange.finish(.failed(.cancelled(phase: .queue)))
            case .close(let connection): connection.close()
            case .recheck(let host, let time):
                group.next().scheduleTask(deadline: time) { [weak self] in
                    guard let self else { return }
                    perform(machine.withLock { $0.recheck(host, now: .now()) })
                }
            }
        }
    }

    private func dialEnded(_ key: ConnectionKey, with result: Result<PooledConnection, TransportError>) {
        switch result {
        case .success(let connection):
            let now = NIODeadline.now()
            let eventLoopIndex = eventLoopIndices[ObjectIdentifier(connection.channel.eventLoop)]
            perform(
                machine.withLock {
                    $0.dialed(
                        key, connection: connection, isShared: connection.isShared, eventLoopIndex: eventLoopIndex,
                        now: now)
                })
        case .failure(let error):
            let now = NIODeadline.now()
            perform(
                machine.withLock { $0.connectionFailed(key, now: now) { $0.timeouts.allowMore(than: error) } },
                error: error)
        }
    }
}

extension Timeouts {
    /// Returns true if an exchange with these timeouts would have waited longer for a connection that timed out.
    fileprivate func allowMore(than error: TransportError) -> Bool {
        guard error.code == .timedOut, let limit = error.limit else { return false }
        switch error.phase {
        case .connect: return (connect ?? Dialer.defaultTimeLimit) > limit
        case .tls: return (tls ?? Dialer.defaultTimeLimit) > limit
        default: return false
        }
    }
}

/// Event loops and their executors.
extension ConnectionPool {
    /// The index of the event loop on which a task of the pool's executors is running; `nil` anywhere else.
    var currentEventLoopIndex: Int? {
        guard hasExecutorUsers.load(ordering: .relaxed), let loop = MultiThreadedEventLoopGroup.currentEventLoop,
            let eventLoopIndex = eventLoopIndices[ObjectIdentifier(loop)], executors[eventLoopIndex].isRunning
        else { return nil }
        return eventLoopIndex
    }

    /// Returns the executor of the calling task, or the next one.
    func executor() -> EventLoopTaskExecutor { currentEventLoopIndex.map { executors[$0] } ?? nextExecutor() }

    /// Returns the event loop of the calling task, or the next one.
    func loop() -> any EventLoop { currentEventLoopIndex.map { executors[$0].loop } ?? group.next() }

    /// Returns the executor of an event loop; `nil` for a loop outside the group.
    func executor(of loop: any EventLoop) -> EventLoopTaskExecutor? {
        eventLoopIndices[ObjectIdentifier(loop)].map { executors[$0] }
    }

    /// Returns the executor of the event loop with an index.
    func executor(onEventLoop eventLoopIndex: Int?) -> EventLoopTaskExecutor? { eventLoopIndex.map { executors[$0] } }

    /// Returns the group's executors in turn.
    func nextExecutor() -> EventLoopTaskExecutor {
        hasExecutorUsers.store(true, ordering: .relaxed)
        let loop = group.next()
        if let eventLoopIndex = eventLoopIndices[ObjectIdentifier(loop)] { return executors[eventLoopIndex] }
        // A group may return loops outside its own iterator. They work, but no task finds idle connections on them.
        return EventLoopTaskExecutor(loop, eventLoopIndex: executors.count)
    }

    /// Returns the timer wheel of an event loop; called on that loop.
    func clock(of loop: any EventLoop) -> EventLoopTimerWheel {
        let bound = clocks.withLock { clocks in
            if let known = clocks[ObjectIdentifier(loop)] { return known }
            let wheel = NIOLoopBound(EventLoopTimerWheel(loop), eventLoop: loop)
            clocks[ObjectIdentifier(loop)] = wheel
            return wheel
        }
        return bound.value
    }

    /// Returns the number of idle connections on an event loop; for tests.
    func idleConnections(onEventLoop eventLoopIndex: Int) -> Int {
        machine.withLock { machine in
            machine.idleConnections.count { eventLoopIndices[ObjectIdentifier($0.channel.eventLoop)] == eventLoopIndex }
        }
    }
}
