// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghCore

/// The path from a name to a connection: addresses, TCP or a Unix socket, and an optional proxy.
extension Dialer {
    /// Connects to the host of an attempt, directly or through its proxy.
    func reach(_ attempt: DialAttempt) throws(TransportError) {
        guard let proxy = attempt.origin.route?.proxy else { return try reachHost(attempt) }
        // If the proxy does not resolve names, the client does.
        guard let lookup = attempt.hostLookup else {
            return try reach(attempt, through: proxy, to: attempt.origin.host) { attempt.complete(with: .failure($0)) }
        }
        let dial = ProxyDial(attempt, lookup: lookup) {
            (attempt, target, sharers, refused) throws(TransportError) in
            try self.reach(attempt, through: proxy, to: target, sharers: sharers, otherwise: refused)
        }
        dial.begin()
    }

    /// Connects without a proxy, unless there is no network at all: then a DNS lookup would fail, possibly after a
    /// long time.
    private func reachHost(_ attempt: DialAttempt) throws(TransportError) {
        let origin = attempt.origin
        guard origin.route == nil, resolver == nil,
            HostReachability.mayBeOutOfReach(origin.host, by: attempt.monitor)
        else { return try connectHost(attempt) }
        Self.queryReachability(for: attempt) {
            HostReachability.isOutOfReach(origin.host, by: attempt.monitor)
        } then: { isOutOfReach in
            guard isOutOfReach != nil || attempt.remaining > .zero else {
                return attempt.complete(
                    with: .failure(.timedOut(.connect, after: attempt.limit, requestMayHaveBeenSent: false)))
            }
            // If the query did not run, it is unknown whether there is a network.
            if isOutOfReach == true {
                return attempt.complete(
                    with: .failure(
                        .offline("\(origin.host):\(origin.port)", reason: attempt.monitor?.knownStatus?.explanation)))
            }
            do throws(TransportError) {
                try self.connectHost(attempt)
            } catch {
                attempt.complete(with: .failure(error))
            }
        }
    }

    private func connectHost(_ attempt: DialAttempt) throws(TransportError) {
        // Each tried address has a channel; a channel that closes early loses the handlers of its pipeline.
        let handlers = NIOLoopBoundBox.makeBoxSendingValue(
            [ObjectIdentifier: OpeningHandler](), eventLoop: attempt.loop)
        let tls = attempt.tls
        try connect(attempt) { channel in
            let handler = OpeningHandler(tls.map { PeerVerification($0.options, host: $0.host) })
            try Self.addHandlers(handler, to: channel.pipeline.syncOperations, tls: tls)
            handlers.value[ObjectIdentifier(channel)] = handler
        }.whenComplete { result in
            let tried = handlers.value
            handlers.value = [:]
            switch result {
            case .failure(let error): Self.fail(attempt, with: error)
            case .success(let channel):
                guard let handler = tried[ObjectIdentifier(channel)] else {
                    channel.close(promise: nil)
                    return attempt.complete(with: .failure(.lost(.connect, sent: false)))
                }
                self.connected(channel, handler: handler, attempt: attempt)
            }
        }
    }

    /// Asks a proxy for a connection to a host or an address, over a new connection to the proxy.
    ///
    /// - Parameters:
    ///   - attempt: The attempt; it gets the result, except for errors that `refused` gets.
    ///   - proxy: The proxy.
    ///   - target: The host or address to ask for.
    ///   - sharers: The number of such requests that share the remaining time.
    ///   - refused: Called if the proxy was connected but did not open the tunnel.
    /// - Throws: `TransportError` if the attempt cannot begin.
    private func reach(
        _ attempt: DialAttempt, through proxy: Proxy, to target: String, sharers: Int = 1,
        otherwise refused: @escaping (TransportError) -> Void
    ) throws(TransportError) {
        let tls = attempt.tlsContexts.proxy
        let refused = NIOLoopBound(refused, eventLoop: attempt.loop)
        let tunnels = NIOLoopBoundBox.makeBoxSendingValue([ObjectIdentifier: TunnelHandler](), eventLoop: attempt.loop)
        let origin = attempt.origin
        try connect(attempt) { channel in
            let pipeline = channel.pipeline.syncOperations
            let verification = tls.map { PeerVerification($0.options, host: $0.host) }
            if let tls, let verification {
                try pipeline.addHandler(
                    VerifyingHandler.makeHandler(tls.context, serverName: tls.serverName, verification: verification))
            }
            let negotiation: TunnelHandler.Negotiation
            if origin.asksProxy {
                negotiation = .none
            } else if proxy.speaksHTTP {
                negotiation = .connect(ConnectNegotiation(proxy, host: origin.host, port: origin.port))
            } else {
                negotiation = .socks(SOCKS5Negotiation(proxy, host: target, port: origin.port))
            }
            let tunnel = TunnelHandler(proxy, negotiation: negotiation, verification: verification)
            try pipeline.addHandler(tunnel)
            tunnels.value[ObjectIdentifier(channel)] = tunnel
        }.whenComplete { result in
            let tried = tunnels.value
            tunnels.value = [:]
            switch result {
            case .failure(let error): Self.fail(attempt, with: error)
            case .success(let channel):
                guard let tunnel = tried[ObjectIdentifier(channel)] else {
                    channel.close(promise: nil)
                    return attempt.complete(with: .failure(.lost(.connect, sent: false)))
                }
                self.waitForTunnel(
                    tunnel, over: channel, for: attempt, limit: attempt.remaining / max(1, sharers),
                    otherwise: refused.value)
            }
        }
    }

    /// Waits until the proxy has opened the tunnel; called on the channel's loop.
    ///
    /// - Parameters:
    ///   - tunnel: The handler that negotiates with the proxy.
    ///   - channel: The connection to the proxy.
    ///   - attempt: The attempt.
    ///   - limit: The time limit.
    ///   - refused: Called if the proxy does not open the tunnel.
    private func waitForTunnel(
        _ tunnel: TunnelHandler, over channel: any Channel, for attempt: DialAttempt, limit: Duration,
        otherwise refused: @escaping (TransportError) -> Void
    ) {
        let whole = attempt.limit
        let timer = EventLoopTimer(attempt.pool.clock(of: channel.eventLoop))
        timer.start(limit) {
            tunnel.failed(.timedOut(.connect, after: whole, requestMayHaveBeenSent: false))
        }
        tunnel.whenOpen { result in
            timer.stop()
            if case .failure(let error) = result {
                channel.close(promise: nil)
                return refused(error)
            }
            do {
                let pipeline = channel.pipeline.syncOperations
                let handler = OpeningHandler(attempt.tls.map { PeerVerification($0.options, host: $0.host) })
                try Self.addHandlers(handler, to: pipeline, tls: attempt.tls)
                tunnel.leave()
                self.connected(channel, handler: handler, attempt: attempt)
            } catch {
                channel.close(promise: nil)
                attempt.complete(with: .failure(error as? TransportError ?? .lost(.connect, sent: false, cause: error)))
            }
        }
    }

    /// Reports why no connection was established; called on the attempt's loop.
    ///
    /// The cause may be a missing network. That query may block, so it runs off the loop.
    private static func fail(_ attempt: DialAttempt, with error: any Error) {
        if hasEndedWithLoop(error) { return attempt.complete(with: .failure(.eventLoopShutDown)) }
        guard let monitor = attempt.monitor, TransportError.mayBeOffline(error) else {
            return attempt.complete(with: .failure(.connecting(error, for: attempt, isOffline: false)))
        }
        queryReachability(for: attempt) {
            HostReachability.explainsFailure(for: attempt.host, by: monitor)
        } then: { isOffline in
            attempt.complete(with: .failure(.connecting(error, for: attempt, isOffline: isOffline ?? false)))
        }
    }

    /// Returns true if the dial failed because its loop is being shut down.
    private static func hasEndedWithLoop(_ error: any Error) -> Bool {
        if case .shutdown? = error as? EventLoopError { return true }
        guard let failure = error as? DialError else { return false }
        return failure.kind == .cancelled || failure.causes.contains { hasEndedWithLoop($0) }
    }

    /// Queries the network state off the loop, for no longer than the attempt may take; called on the attempt's loop.
    ///
    /// - Parameters:
    ///   - attempt: The attempt; it fails if its loop is shut down during the query.
    ///   - query: The query, which may block.
    ///   - completion: Called on the loop with the answer; `nil` if there is no answer in time, or if the query was
    ///     rejected because too many callers have given up on the current one
    ///     (``ReachabilityQueue/maximumAbandoned``).
    private static func queryReachability(
        for attempt: DialAttempt, query: @escaping @Sendable () -> Bool,
        then completion: @escaping @Sendable (Bool?) -> Void
    ) {
        let timer = EventLoopTimer(attempt.pool.clock(of: attempt.loop))
        let timerBound = NIOLoopBound(timer, eventLoop: attempt.loop)
        let queue = ReachabilityQueue.system
        let number = queue.enqueue {
            let answer = query()
            // Does not run if the loop has been shut down; the timer's `otherwise` has reported that.
            attempt.loop.execute {
                guard timerBound.value.isRunning else { return }
                timerBound.value.stop()
                completion(answer)
            }
        }
        guard let number else { return completion(nil) }
        // The answer is delivered on this loop, hence after this call.
        timer.start(attempt.remaining) {
            queue.abandon(number)
            completion(nil)
        } otherwise: {
            queue.abandon(number)
            attempt.complete(with: .failure(.eventLoopShutDown))
        }
    }

    private func connect(
        _ attempt: DialAttempt, initialize: @escaping @Sendable (any Channel) throws -> Void
    ) throws(TransportError) -> EventLoopFuture<any Channel> {
        if let path = attempt.origin.route?.unixSocket {
            return Self.bootstrap(attempt, initialize: initialize).connect(unixDomainSocketPath: path)
        }
        let local = try Self.localAddress(attempt)
        if let lookup = attempt.lookup {
            let promise = attempt.loop.makePromise(of: (any Channel).self)
            attempt.loop.execute {
                let clock = attempt.pool.clock(of: attempt.loop)
                AddressDial(lookup, on: attempt.loop, clock: clock, promise: promise) { address, show in
                    Self.tcpBootstrap(attempt, from: local) { channel in
                        show(channel)
                        try initialize(channel)
                    }.connect(to: address)
                }.begin(host: attempt.host, port: attempt.port, limit: attempt.remaining)
            }
            return promise.futureResult
        }
        do {
            let address = try SocketAddress(ipAddress: attempt.host, port: attempt.port)
            return Self.tcpBootstrap(attempt, from: local, initialize: initialize).connect(to: address)
        } catch {
            throw TransportError(
                .badURL, phase: .connect, message: "\(attempt.host) is not an IP address",
                requestMayHaveBeenSent: false)
        }
    }

    private static func bootstrap(
        _ attempt: DialAttempt, initialize: @escaping @Sendable (any Channel) throws -> Void
    ) -> ClientBootstrap {
        ClientBootstrap(group: attempt.loop)
            .connectTimeout(TimeAmount(clamping: attempt.remaining))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try initialize(channel) }
            }
    }

    private static func tcpBootstrap(
        _ attempt: DialAttempt, from local: SocketAddress?,
        initialize: @escaping @Sendable (any Channel) throws -> Void
    ) -> ClientBootstrap {
        let bootstrap = bootstrap(attempt, initialize: initialize).channelOption(.tcpOption(.tcp_nodelay), value: 1)
        return local.map { bootstrap.bind(to: $0) } ?? bootstrap
    }

    /// Returns the local address to connect from, if the user has set one.
    private static func localAddress(_ attempt: DialAttempt) throws(TransportError) -> SocketAddress? {
        guard let local = attempt.origin.route?.localAddress else { return nil }
        if let address = try? SocketAddress(ipAddress: local, port: 0) { return address }
        let invalid = InvalidRouteError("the local address \(local) is not an IP address")
        throw TransportError(
            .badURL, phase: .connect, message: invalid.message, requestMayHaveBeenSent: false, underlying: invalid)
    }
}

extension TransportError {
    /// Creates the error of an attempt that did not connect to its host, or to the proxy before it.
    fileprivate static func connecting(
        _ error: any Error, for attempt: DialAttempt, isOffline: Bool
    ) -> TransportError {
        let destination = Origin(isSecure: false, host: attempt.host, port: attempt.port)
        var failure = TransportError.connecting(error, to: destination, limit: attempt.limit)
        if isOffline {
            let reason = attempt.monitor?.knownStatus?.explanation
            failure = .offline("\(destination.host):\(destination.port)", reason: reason, cause: error)
        }
        if attempt.origin.route?.proxy != nil { failure.message = "the proxy: \(failure.message)" }
        return failure
    }
}
