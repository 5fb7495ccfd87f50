// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghCore
import Synchronization

/// The connections of a transport: ``PoolMachine`` under its lock, and what it decides carried out.
final class ConnectionPool: Sendable {
    typealias Machine = PoolMachine<WireConnection, Exchange>

    let group: any EventLoopGroup
    let idleTime: TimeAmount
    /// How long the end of a body is waited for that nobody reads.
    let lingeringTime: Duration
    /// Whose wait for a connection is over.
    let clock: WaitClock
    /// The hosts that take requests over HTTP/1.1 alone, though they speak HTTP/2.
    let http1Hosts = HostMemory()
    let dialler: Dialler
    /// The connections that are none of the pool's.
    let upgraded = UpgradeCount()
    private let machine: Mutex<Machine>
    /// One for each event loop of the group.
    private let executors: [LoopExecutor]
    private let lanes: [ObjectIdentifier: Int]
    /// Whether anybody ever asked for one of them: where nobody did, no request looks for its loop.
    private let hasExecutorUsers = Atomic(false)
    private let clocks = Mutex<[ObjectIdentifier: NIOLoopBound<LoopClock>]>([:])

    init(_ configuration: NIOTransport.Configuration) {
        group = configuration.eventLoopGroup
        idleTime = TimeAmount(clamping: configuration.idleTimeout)
        lingeringTime = configuration.lingeringTime
        clock = WaitClock(loop: group.next())
        dialler = Dialler(configuration)
        executors = group.makeIterator().enumerated().map { LoopExecutor($0.element, lane: $0.offset) }
        lanes = Dictionary(executors.map { (ObjectIdentifier($0.loop), $0.lane) }) { first, _ in first }
        machine = Mutex(
            Machine(
                limits: .init(
                    connections: configuration.maximumConnections,
                    connectionsPerHost: configuration.maximumConnectionsPerHost,
                    sharedPerHost: configuration.maximumHTTP2ConnectionsPerHost,
                    streams: configuration.maximumConcurrentStreams,
                    waitingPerHost: configuration.maximumWaitingPerHost,
                    idleTime: idleTime
                )))
    }

    var statistics: NIOTransport.Statistics {
        machine.withLock { machine in
            var statistics = NIOTransport.Statistics()
            statistics.open = machine.connections - machine.dialling
            statistics.idle = machine.idle
            statistics.leased = machine.connections - machine.dialling - machine.idle
            statistics.waiting = machine.waiting
            statistics.dialled = machine.dials
            statistics.reused = machine.reuses
            statistics.evicted = machine.evictions
            statistics.dialling = machine.dialling
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
                priority: exchange.plan.request.options.priority, lane: exchange.lane, now: now)
        }
        switch answer {
        case .leased(let connection): hand(connection, to: exchange, isFresh: false, fromTask: exchange.lane != nil)
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

    /// Opens connections for those who come later; ends when all are open or have failed.
    ///
    /// - Parameters:
    ///   - plan: A request of the kind that is to find them.
    ///   - count: How many there are to be.
    /// - Throws: Why the first of those that failed did.
    func prewarm(_ plan: RequestPlan, upTo count: Int) async throws(TransportError) {
        // Of a host of which nobody knows whether it speaks HTTP/2, the first connection tells whether more are of use.
        for _ in 0..<2 {
            let keys = machine.withLock { $0.prewarm(plan.origin, upTo: count) }
            guard !keys.isEmpty else { return }
            let dials = Prewarming(keys.count)
            for key in keys {
                let options = plan.request.options
                dialler.dial(
                    plan.origin, key: key, timeouts: options.timeouts, monitor: options.monitor, for: self,
                    on: group.next()
                ) { result in
                    self.dialEnded(key, result)
                    dials.ended(result.map { _ in })
                }
            }
            try await dials.end()
        }
    }

    /// The same plan for a host that is known to take it over HTTP/1.1 alone; `nil` for any other.
    func planForHTTP1(_ plan: RequestPlan) throws(TransportError) -> RequestPlan? {
        guard plan.origin.versions == .either, http1Hosts.contains(plan.origin) else { return nil }
        return try RequestPlan(plan.request, versions: .http1)
    }

    /// Takes back a connection that can carry the next exchange.
    func giveBack(_ connection: WireConnection, now: NIODeadline) {
        perform(machine.withLock { $0.returned(connection.key, connection, now: now) })
    }

    /// Hears that a connection can carry another number of exchanges at once from now on.
    func capacityChanged(_ connection: WireConnection, _ capacity: Int) {
        perform(machine.withLock { $0.capacityChanged(connection.key, capacity, now: .now()) })
    }

    /// Hears that the window of an HTTP/2 connection stays closed while uploads wait for it.
    ///
    /// - Returns: True if nothing new is begun on it from now on; false if the limits allow no other connection.
    func stalled(_ connection: WireConnection) -> Bool {
        guard let actions = machine.withLock({ $0.stalled(connection.key, now: .now()) }) else { return false }
        perform(actions)
        return true
    }

    /// Hears that a connection is gone.
    func closed(_ connection: WireConnection) {
        perform(machine.withLock { $0.closed(connection.key) })
    }

    func idleTimePassed(_ connection: WireConnection, now: NIODeadline) {
        perform(machine.withLock { $0.idleTimePassed(connection.key, now: now) })
    }

    /// Takes a waiter out of the queue.
    func withdraw(_ ticket: Machine.Ticket) { _ = machine.withLock { $0.cancelled(ticket) } }

    /// Takes a waiter out of the queue if it waits for nothing but a free connection.
    func queueTimePassed(_ ticket: Machine.Ticket) -> Bool { machine.withLock { $0.queueTimePassed(ticket) } }

    /// Closes what idles; what is in use is closed when it comes back.
    func close() { perform(machine.withLock { $0.close() }) }

    private func hand(
        _ connection: WireConnection, to exchange: Exchange, isFresh: Bool, fromTask: Bool = false
    ) {
        if exchange.leased(connection) {
            connection.run(exchange, isFresh: isFresh, fromTask: fromTask)
        } else {
            giveBack(connection, now: .now())
        }
    }

    private func perform(_ actions: [Machine.Action], error: TransportError? = nil) {
        for action in actions {
            switch action {
            case .dial(let key, let origin, let exchange):
                let loop = exchange.lane.map { executors[$0].loop } ?? group.next()
                let monitor = exchange.plan.request.options.monitor
                dialler.dial(origin, key: key, timeouts: exchange.timeouts, monitor: monitor, for: self, on: loop) {
                    self.dialEnded(key, $0)
                }
            case .lease(let connection, let exchange, let isFresh): hand(connection, to: exchange, isFresh: isFresh)
            case .fail(let exchange):
                let error =
                    error
                    ?? TransportError(
                        .unknown, phase: .connect, message: "the connection failed", requestMayHaveBeenSent: false)
                exchange.finish(.failed(error.told(to: exchange, at: .now())))
            case .dismiss(let exchange): exchange.finish(.failed(.cancelled(phase: .queue)))
            case .close(let connection): connection.close()
            case .lookAgain(let host, let time):
                group.next().scheduleTask(deadline: time) { [weak self] in
                    guard let self else { return }
                    perform(machine.withLock { $0.lookAgain(host, now: .now()) })
                }
            }
        }
    }

    private func dialEnded(_ key: ConnectionKey, _ result: Result<WireConnection, TransportError>) {
        switch result {
        case .success(let connection):
            let now = NIODeadline.now()
            let lane = lanes[ObjectIdentifier(connection.channel.eventLoop)]
            perform(
                machine.withLock { $0.dialled(key, connection, isShared: connection.isShared, lane: lane, now: now) })
        case .failure(let error):
            let now = NIODeadline.now()
            perform(
                machine.withLock { $0.dialFailed(key, now: now) { $0.timeouts.allowMore(than: error) } }, error: error)
        }
    }
}

extension Timeouts {
    /// Whether somebody with these limits would have waited longer for a connection whose time was up.
    fileprivate func allowMore(than error: TransportError) -> Bool {
        guard error.code == .timedOut, let limit = error.limit else { return false }
        switch error.phase {
        case .connect: return (connect ?? Dialler.longest) > limit
        case .tls: return (tls ?? Dialler.longest) > limit
        default: return false
        }
    }
}

/// Event loops, as the pool's users meet them.
extension ConnectionPool {
    /// The number of the event loop on which a task of ours runs just now; `nil` anywhere else.
    var currentLane: Int? {
        guard hasExecutorUsers.load(ordering: .relaxed), let loop = MultiThreadedEventLoopGroup.currentEventLoop,
            let lane = lanes[ObjectIdentifier(loop)], executors[lane].isRunning
        else { return nil }
        return lane
    }

    /// The executor that the calling task is on already, or the next one.
    func executor() -> LoopExecutor { currentLane.map { executors[$0] } ?? nextExecutor() }

    /// The event loop that the calling task is on already, or the next one.
    func loop() -> any EventLoop { currentLane.map { executors[$0].loop } ?? group.next() }

    /// The executor of an event loop; `nil` of one that is none of the group's.
    func executor(of loop: any EventLoop) -> LoopExecutor? {
        lanes[ObjectIdentifier(loop)].map { executors[$0] }
    }

    /// The executor of an event loop.
    func executor(inLane lane: Int?) -> LoopExecutor? { lane.map { executors[$0] } }

    /// Each of the group's executors in its turn.
    func nextExecutor() -> LoopExecutor {
        hasExecutorUsers.store(true, ordering: .relaxed)
        let loop = group.next()
        if let lane = lanes[ObjectIdentifier(loop)] { return executors[lane] }
        // A group that gives loops which are not its own; theirs are no worse, but nobody finds connections on them.
        return LoopExecutor(loop, lane: executors.count)
    }

    /// What wakes the connections of an event loop; asked on it.
    func clock(of loop: any EventLoop) -> LoopClock {
        let bound = clocks.withLock { clocks in
            if let known = clocks[ObjectIdentifier(loop)] { return known }
            let made = NIOLoopBound(LoopClock(loop), eventLoop: loop)
            clocks[ObjectIdentifier(loop)] = made
            return made
        }
        return bound.value
    }

    /// How many connections idle that live on an event loop; for tests.
    func idleConnections(inLane lane: Int) -> Int {
        machine.withLock { machine in
            machine.idleConnections.count { lanes[ObjectIdentifier($0.channel.eventLoop)] == lane }
        }
    }
}
