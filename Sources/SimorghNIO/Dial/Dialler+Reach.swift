// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghCore

/// From a name to a connection: addresses, TCP or a Unix socket, and the proxy between.
extension Dialler {
    /// More addresses of one name than this are not asked a proxy for.
    private static let mostTargets = 8

    /// Connects.
    func reach(_ attempt: DialAttempt) throws(TransportError) {
        guard let proxy = attempt.origin.route?.proxy else { return try reachHost(attempt) }
        // Where the proxy does not look names up, the client does.
        guard proxy.kind == .socks5, IPAddress(attempt.origin.host) == nil else {
            return try reach(attempt, through: proxy, to: [attempt.origin.host])
        }
        let addresses = attempt.origin.route?.addresses ?? []
        let source: AddressLookup.Source =
            addresses.isEmpty ? resolver.map { .user($0) } ?? .system : .fixed(addresses)
        let lookup = AddressLookup(source, loop: attempt.loop)
        let origin = attempt.origin
        let four = lookup.addresses(of: origin.host, port: origin.port, .ipv4)
        let six = lookup.addresses(of: origin.host, port: origin.port, .ipv6)
        let isOver = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: attempt.loop)
        // The system's lookup cannot be stopped, but need not be waited for.
        let timer = attempt.loop.scheduleTask(in: TimeAmount(clamping: attempt.limit)) {
            isOver.value = true
            lookup.cancelQueries()
            attempt.tell(.failure(.timedOut(.connect, after: attempt.limit, requestMayHaveBeenSent: false)))
        }
        four.flatMapErrorThrowing { _ in [] }.and(six.flatMapErrorThrowing { _ in [] }).whenSuccess { four, six in
            timer.cancel()
            guard !isOver.value else { return }
            // Whether the proxy has a way to IPv6, nobody here knows: it is the one that is tried second.
            let addresses = zip(four, six).flatMap { [$0, $1] } + four.dropFirst(six.count) + six.dropFirst(four.count)
            let targets = addresses.prefix(Self.mostTargets).compactMap(\.ipAddress)
            guard !targets.isEmpty else {
                return attempt.tell(
                    .failure(
                        TransportError(
                            .cannotFindHost, phase: .connect, message: "the name \(origin.host) has no address",
                            requestMayHaveBeenSent: false)))
            }
            do throws(TransportError) {
                try self.reach(attempt, through: proxy, to: targets)
            } catch {
                attempt.tell(.failure(error))
            }
        }
    }

    private func reachHost(_ attempt: DialAttempt) throws(TransportError) {
        // Each address that is tried has a channel; one that ends at once takes its handlers out of its pipeline.
        let handlers = NIOLoopBoundBox.makeBoxSendingValue(
            [ObjectIdentifier: ConnectionHandler](), eventLoop: attempt.loop)
        let (origin, tls) = (attempt.origin, attempt.tls)
        // Without a network a name is looked up in vain, which may take long.
        if origin.route == nil, resolver == nil, NetworkReach.isOutOfReach(origin.host) {
            throw .offline("\(origin.host):\(origin.port)")
        }
        try connect(attempt) { channel in
            let handler = ConnectionHandler(tls.map { PeerVerification($0.options, host: $0.host) })
            try Self.addHandlers(handler, to: channel.pipeline.syncOperations, tls)
            handlers.value[ObjectIdentifier(channel)] = handler
        }.whenComplete { result in
            let tried = handlers.value
            handlers.value = [:]
            switch result {
            case .failure(let error):
                attempt.tell(.failure(.connecting(error, to: origin, limit: attempt.limit)))
            case .success(let channel):
                guard let handler = tried[ObjectIdentifier(channel)] else {
                    channel.close(promise: nil)
                    return attempt.tell(.failure(.lost(.connect, sent: false)))
                }
                self.connected(channel, handler, attempt)
            }
        }
    }

    /// Asks a proxy for one host or address after the other, each over a connection of its own, until it gets one.
    private func reach(
        _ attempt: DialAttempt, through proxy: Proxy, to targets: [String]
    ) throws(TransportError) {
        let (tls, target) = (attempt.security.proxy, targets.first ?? attempt.origin.host)
        let tunnels = NIOLoopBoundBox.makeBoxSendingValue([ObjectIdentifier: TunnelHandler](), eventLoop: attempt.loop)
        let origin = attempt.origin
        try connect(attempt) { channel in
            let pipeline = channel.pipeline.syncOperations
            let verification = tls.map { PeerVerification($0.options, host: $0.host) }
            if let tls, let verification {
                try pipeline.addHandler(
                    VerifyingHandler.make(tls.context, serverName: tls.serverName, verification))
            }
            let negotiation: TunnelHandler.Negotiation
            if origin.asksProxy {
                negotiation = .none
            } else if proxy.speaksHTTP {
                negotiation = .connect(ConnectNegotiation(proxy, host: origin.host, port: origin.port))
            } else {
                negotiation = .socks(SOCKS5Negotiation(proxy, host: target, port: origin.port))
            }
            let tunnel = TunnelHandler(proxy, negotiation, verification)
            try pipeline.addHandler(tunnel)
            tunnels.value[ObjectIdentifier(channel)] = tunnel
        }.whenComplete { result in
            let tried = tunnels.value
            tunnels.value = [:]
            switch result {
            case .failure(let error):
                attempt.tell(.failure(.connecting(error, to: proxy, limit: attempt.limit)))
            case .success(let channel):
                guard let tunnel = tried[ObjectIdentifier(channel)] else {
                    channel.close(promise: nil)
                    return attempt.tell(.failure(.lost(.connect, sent: false)))
                }
                self.pass(channel, tunnel, attempt, limit: attempt.remaining / max(1, targets.count)) {
                    (error: TransportError) throws(TransportError) in
                    guard targets.count > 1, error.code == .timedOut || error.isNoToTarget, attempt.remaining > .zero
                    else { throw error }
                    try self.reach(attempt.again(self.resolver), through: proxy, to: Array(targets.dropFirst()))
                }
            }
        }
    }

    /// Waits until the proxy has let the connection through, on its loop.
    ///
    /// - Parameters:
    ///   - channel: The connection to the proxy.
    ///   - tunnel: Who speaks with it.
    ///   - attempt: What it is for.
    ///   - limit: How long it may take.
    ///   - goOn: What to do where it does not; throws what the attempt fails with.
    private func pass(
        _ channel: any Channel, _ tunnel: TunnelHandler, _ attempt: DialAttempt, limit: Duration,
        otherwise goOn: @escaping (TransportError) throws(TransportError) -> Void
    ) {
        let whole = attempt.limit
        let timer = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(clamping: limit)) {
            tunnel.failed(.timedOut(.connect, after: whole, requestMayHaveBeenSent: false))
        }
        tunnel.whenOpen { result in
            timer.cancel()
            if case .failure(let error) = result {
                channel.close(promise: nil)
                do throws(TransportError) { try goOn(error) } catch { attempt.tell(.failure(error)) }
                return
            }
            do {
                let pipeline = channel.pipeline.syncOperations
                let handler = ConnectionHandler(attempt.tls.map { PeerVerification($0.options, host: $0.host) })
                try Self.addHandlers(handler, to: pipeline, attempt.tls)
                tunnel.leave()
                self.connected(channel, handler, attempt)
            } catch {
                channel.close(promise: nil)
                attempt.tell(.failure(error as? TransportError ?? .lost(.connect, sent: false, error)))
            }
        }
    }

    private func connect(
        _ attempt: DialAttempt, _ initialize: @escaping @Sendable (any Channel) throws -> Void
    ) throws(TransportError) -> EventLoopFuture<any Channel> {
        if let path = attempt.origin.route?.unixSocket {
            return Self.bootstrap(attempt, initialize).connect(unixDomainSocketPath: path)
        }
        let local = try Self.localAddress(attempt)
        if let lookup = attempt.lookup {
            let promise = attempt.loop.makePromise(of: (any Channel).self)
            attempt.loop.execute {
                AddressDial(lookup, on: attempt.loop, promise) { address, show in
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
            return Self.tcpBootstrap(attempt, from: local, initialize).connect(to: address)
        } catch {
            throw TransportError(
                .badURL, phase: .connect, message: "the address \(attempt.host) is none",
                requestMayHaveBeenSent: false)
        }
    }

    private static func bootstrap(
        _ attempt: DialAttempt, _ initialize: @escaping @Sendable (any Channel) throws -> Void
    ) -> ClientBootstrap {
        ClientBootstrap(group: attempt.loop)
            .connectTimeout(TimeAmount(clamping: attempt.remaining))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try initialize(channel) }
            }
    }

    private static func tcpBootstrap(
        _ attempt: DialAttempt, from local: SocketAddress?,
        _ initialize: @escaping @Sendable (any Channel) throws -> Void
    ) -> ClientBootstrap {
        let bootstrap = bootstrap(attempt, initialize).channelOption(.socketOption(.tcp_nodelay), value: 1)
        return local.map { bootstrap.bind(to: $0) } ?? bootstrap
    }

    /// The address that is connected from, where the user says one.
    private static func localAddress(_ attempt: DialAttempt) throws(TransportError) -> SocketAddress? {
        guard let local = attempt.origin.route?.localAddress else { return nil }
        if let address = try? SocketAddress(ipAddress: local, port: 0) { return address }
        let invalid = InvalidRoute("\(local) is no address of this machine")
        throw TransportError(
            .badURL, phase: .connect, message: invalid.message, requestMayHaveBeenSent: false, underlying: invalid)
    }
}

extension TransportError {
    /// Whether a proxy could not connect to what it was asked for, and maybe can to something else.
    fileprivate var isNoToTarget: Bool {
        guard let reply = (underlying as? ProxyRefusal)?.socksReply else { return false }
        return [1, 3, 4, 5, 6, 8].contains(reply)
    }

    /// No connection to the proxy came about.
    fileprivate static func connecting(_ error: any Error, to proxy: Proxy, limit: Duration) -> TransportError {
        let origin = Origin(isSecure: false, host: proxy.host, port: proxy.port)
        var failure = TransportError.connecting(error, to: origin, limit: limit)
        failure.message = "the proxy: \(failure.message)"
        return failure
    }
}
