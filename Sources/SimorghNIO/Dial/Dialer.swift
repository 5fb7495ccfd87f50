// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOPosix
import NIOSSL
import SimorghCore
import SimorghRealtime

/// Opens connections: DNS lookup, TCP, TLS, and the choice of the HTTP version.
final class Dialer: Sendable {
    /// The time limit of a phase without a configured limit.
    ///
    /// Even a connection that no caller waits for must end.
    static let defaultTimeLimit = Duration.seconds(300)

    let resolver: (any HostResolver)?
    let contexts: TLSContexts
    private let limits: HTTP2ConnectionStateMachine<HTTP2Stream>.Limits
    private let keepAlive: HTTP2KeepAlive

    init(_ configuration: NIOTransport.Configuration) {
        resolver = configuration.resolver
        contexts = TLSContexts(maximumWaiters: configuration.maximumWaitingForTLS)
        var limits = HTTP2ConnectionStateMachine<HTTP2Stream>.Limits()
        limits.streams = min(max(1, configuration.maximumConcurrentStreams), Int(Int32.max))
        limits.maximumStreamWindow = Self.window(configuration.maximumStreamWindow)
        limits.streamWindow = min(limits.streamWindow, limits.maximumStreamWindow)
        limits.connectionWindow = Self.window(configuration.maximumConnectionWindow)
        self.limits = limits
        keepAlive = HTTP2KeepAlive(
            silence: configuration.pingInterval.map { TimeAmount(clamping: max($0, .milliseconds(1))) },
            patience: TimeAmount(clamping: max(configuration.pingTimeout, .milliseconds(1))))
    }

    /// Clamps a window to the range of RFC 9113; it is at least the initial window before any SETTINGS.
    private static func window(_ bytes: Int) -> Int {
        typealias Machine = HTTP2ConnectionStateMachine<HTTP2Stream>
        return min(max(Machine.firstWindow, bytes), Machine.maximumWindow)
    }

    /// Opens a connection.
    ///
    /// The callback runs on an event loop, unless the loop has been shut down, and never before this function returns.
    /// Otherwise a queue of requests that all fail at once would recurse as deeply as the queue is long.
    func dial(
        _ origin: Origin,
        key: ConnectionKey,
        timeouts: Timeouts,
        monitor: NetworkMonitor?,
        for pool: ConnectionPool,
        on loop: any EventLoop,
        then completion: @escaping @Sendable (Result<PooledConnection, TransportError>) -> Void
    ) {
        let resolver = resolver
        let started = NIODeadline.now()
        @Sendable func report(_ result: Result<PooledConnection, TransportError>) {
            guard case .failure(let error) = result, error.isEventLoopShutDown, loop.inEventLoop else {
                return completion(result)
            }
            // A loop that shuts down runs only a limited number of further ticks; each queued request that fails in
            // turn would use one.
            DispatchQueue.global().async { completion(result) }
        }
        @Sendable func fail(_ error: TransportError) { report(.failure(error.dialing(since: started))) }
        // The bootstrap of SwiftNIO would end the process.
        guard ClientBootstrap(validatingGroup: loop) != nil else {
            return DispatchQueue.global().async { fail(.unsupportedEventLoop) }
        }
        @Sendable func begin(_ tlsContexts: Result<TLSContextPair, TransportError>) {
            EventLoopTask.run(on: loop) {
                do throws(TransportError) {
                    try self.reach(
                        DialAttempt(
                            origin, key: key, timeouts: timeouts, tlsContexts: try tlsContexts.get(), pool: pool,
                            loop: loop, resolver: resolver, monitor: monitor, started: started, completion: report))
                } catch {
                    fail(error)
                }
            } otherwise: {
                fail(.eventLoopShutDown)
            }
        }
        if let limit = timeouts.connect, limit <= .zero {
            return begin(.failure(.timedOut(.connect, after: limit, requestMayHaveBeenSent: false)))
        }
        // The contexts are usually cached. Otherwise files are read, possibly from a slow file system.
        let race = DeadlineRace()
        fetchContexts(origin, race: race) { tlsContexts in if race.end() { begin(tlsContexts) } }
        let limit = timeouts.connect ?? Self.defaultTimeLimit
        race.begin(by: pool.clock, upTo: limit) {
            begin(.failure(.timedOut(.connect, after: limit, requestMayHaveBeenSent: false)))
        }
    }

    /// The TLS contexts for a host and its proxy.
    struct TLSContextPair: Sendable {
        var host: TLSContexts.Context?
        var proxy: TLSContexts.Context?
    }

    /// Gets the TLS contexts, from the cache if possible.
    private func fetchContexts(
        _ origin: Origin, race: DeadlineRace,
        then completion: @escaping @Sendable (Result<TLSContextPair, TransportError>) -> Void
    ) {
        guard origin.isSecure else {
            return fetchProxyContext(of: origin, adding: TLSContextPair(), race: race, then: completion)
        }
        let cancel = contexts.context(for: origin.tls, host: origin.host, versions: origin.versions) { result in
            switch result {
            case .success(let context):
                self.fetchProxyContext(of: origin, adding: TLSContextPair(host: context), race: race, then: completion)
            case .failure(let error): completion(.failure(error))
            }
        }
        race.onEnd(cancel)
    }

    /// Adds the TLS context for the origin's proxy, if the proxy uses HTTPS.
    private func fetchProxyContext(
        of origin: Origin, adding tlsContexts: TLSContextPair, race: DeadlineRace,
        then completion: @escaping @Sendable (Result<TLSContextPair, TransportError>) -> Void
    ) {
        guard let proxy = origin.route?.proxy, proxy.kind == .https, let options = origin.route?.proxyTLS else {
            return completion(.success(tlsContexts))
        }
        let cancel = contexts.context(for: options, host: proxy.host, versions: .http1) { result in
            completion(result.map { TLSContextPair(host: tlsContexts.host, proxy: $0) })
        }
        race.onEnd(cancel)
    }

    static func addHandlers(
        _ handler: OpeningHandler,
        to pipeline: ChannelPipeline.SynchronousOperations,
        tls: TLSContexts.Context?
    ) throws {
        if let tls, let verification = handler.verification {
            try pipeline.addHandler(CipherSuiteHandler(verification))
            try pipeline.addHandler(
                VerifyingHandler.makeHandler(tls.context, serverName: tls.serverName, verification: verification))
        }
        try pipeline.addHandler(handler)
    }

    /// Performs the TLS handshake on a connected channel, on its loop.
    func connected(_ channel: any Channel, handler: OpeningHandler, attempt: DialAttempt) {
        let (origin, timeouts) = (attempt.origin, attempt.timeouts)
        func complete(_ result: Result<PooledConnection, TransportError>) { attempt.complete(with: result) }
        attempt.hasConnected()
        let connectTime = NIODeadline.now().since(attempt.started)
        let connectedAt = NIODeadline.now()
        let limit = timeouts.tls ?? Self.defaultTimeLimit
        let timer = origin.isSecure ? EventLoopTimer(attempt.pool.clock(of: channel.eventLoop)) : nil
        timer?.start(limit) {
            handler.failed(TransportError.timedOut(.tls, after: limit, requestMayHaveBeenSent: false))
        }
        handler.whenOpen { result in
            timer?.stop()
            switch result {
            case .failure(let error):
                channel.close(promise: nil)
                complete(.failure(error))
            case .success where origin.isSecure && handler.verification?.hasPassed != true:
                // Cannot happen: an open handler has verified the server. A request must not depend on that alone.
                channel.close(promise: nil)
                complete(.failure(.lost(.tls, sent: false)))
            case .success:
                let tlsTime = origin.isSecure ? NIODeadline.now().since(connectedAt) : nil
                let isHTTP2 = origin.isSecure ? handler.negotiated == "h2" : origin.versions == .http2
                guard isHTTP2 || origin.versions != .http2 else {
                    channel.close(promise: nil)
                    return complete(.failure(.http2NotSupported(origin)))
                }
                let roundTrip =
                    origin.isSecure
                    ? handler.verification?.certificatesReceivedAt?.since(connectedAt)
                    : connectTime - (attempt.dnsTime ?? .zero)
                func open(_ successor: PooledConnection.Handler) -> PooledConnection {
                    PooledConnection(
                        key: attempt.key, info: .of(channel, handler: handler, isHTTP2: isHTTP2, origin: origin),
                        channel: channel,
                        handler: successor, pool: attempt.pool, connectTime: connectTime,
                        dnsTime: attempt.dnsTime, tlsTime: tlsTime, roundTrip: roundTrip)
                }
                do {
                    if isHTTP2 {
                        let successor = HTTP2ConnectionHandler(
                            self.limits, keepAlive: self.keepAlive, verification: handler.verification)
                        let early = try Self.replace(handler, with: successor, in: channel)
                        guard !successor.isDead else { throw TransportError.lost(.connect, sent: false) }
                        let connection = open(.http2(NIOLoopBound(successor, eventLoop: channel.eventLoop)))
                        successor.opened(connection)
                        complete(.success(connection))
                        successor.sendPreface()
                        if let early { successor.read(early) }
                    } else {
                        let successor = HTTP1ConnectionHandler(handler.verification)
                        // Bytes before the first request cannot be a response.
                        guard try Self.replace(handler, with: successor, in: channel) == nil else {
                            throw TransportError.unsolicitedData(origin)
                        }
                        guard channel.isActive else { throw TransportError.lost(.connect, sent: false) }
                        let connection = open(.http1(NIOLoopBound(successor, eventLoop: channel.eventLoop)))
                        successor.opened(connection)
                        complete(.success(connection))
                    }
                } catch {
                    channel.close(promise: nil)
                    complete(.failure(error as? TransportError ?? .lost(.connect, sent: false, cause: error)))
                }
            }
        }
    }
}

extension Dialer {
    /// Replaces the handler of the opening with the handler of the negotiated protocol, before any byte was sent.
    ///
    /// - Returns: The bytes that have already arrived for it.
    private static func replace(
        _ opening: OpeningHandler, with successor: some ChannelHandler, in channel: any Channel
    ) throws -> ByteBuffer? {
        guard !opening.isOverrun else { throw TransportError.lost(.connect, sent: false) }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(successor, position: .after(opening))
        let early = opening.takeUnread()
        pipeline.removeHandler(opening, promise: nil)
        return early
    }
}

extension TransportError {
    /// The error for a user-provided event loop that has been shut down.
    static var eventLoopShutDown: TransportError {
        TransportError(
            .resourceUnavailable, phase: .connect, message: "the transport's event loops were shut down",
            requestMayHaveBeenSent: false, underlying: EventLoopError.shutdown)
    }

    /// The error for an event loop that does not belong to a `MultiThreadedEventLoopGroup`.
    fileprivate static var unsupportedEventLoop: TransportError {
        TransportError(
            .resourceUnavailable, phase: .connect,
            message: """
                NIOTransport.Configuration.eventLoopGroup must be a MultiThreadedEventLoopGroup; NIOTSEventLoopGroup and \
                others cannot open its connections
                """,
            requestMayHaveBeenSent: false)
    }

    /// True if this is the error ``eventLoopShutDown``.
    fileprivate var isEventLoopShutDown: Bool {
        guard case .shutdown? = underlying as? EventLoopError else { return false }
        return true
    }

    /// Creates the error for bytes that arrive on a new connection before any request.
    fileprivate static func unsolicitedData(_ origin: Origin) -> TransportError {
        TransportError(
            .badServerResponse, phase: .connect,
            message: "\(origin.host):\(origin.port) sent data before any request", requestMayHaveBeenSent: false)
    }

    /// Creates the error for a server that does not speak HTTP/2 if only HTTP/2 is allowed.
    fileprivate static func http2NotSupported(_ origin: Origin) -> TransportError {
        TransportError(
            .secureConnectionFailed, phase: .tls, message: "\(origin.host):\(origin.port) does not speak HTTP/2",
            requestMayHaveBeenSent: false)
    }
}

extension ConnectionInfo {
    /// Returns the description of a connection that has just opened.
    fileprivate static func of(
        _ channel: any Channel, handler: OpeningHandler, isHTTP2: Bool, origin: Origin
    ) -> ConnectionInfo {
        let facts = handler.verification.map { $0.facts(handler.negotiated) }
        return ConnectionInfo(
            id: nextID(),
            applicationProtocol: isHTTP2 ? (facts != nil ? "h2" : "h2c") : "http/1.1",
            localAddress: channel.localAddress.flatMap(text),
            remoteAddress: origin.route?.unixSocket ?? channel.remoteAddress.flatMap(text),
            tlsVersion: facts?.version,
            tls: facts,
            proxy: origin.route?.proxy?.description
        )
    }

    private static func text(of address: SocketAddress) -> String? {
        guard let host = address.ipAddress, let port = address.port else { return nil }
        return address.protocol == .inet6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
