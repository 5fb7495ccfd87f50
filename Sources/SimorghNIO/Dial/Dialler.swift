// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import NIOCore
import NIOPosix
import NIOSSL
import SimorghCore
import Synchronization

/// Opens connections: name, address, TCP, TLS.
final class Dialler: Sendable {
    /// The limit of a phase that has none: a connection that nobody waits for any more must end some time.
    static let longest = Duration.seconds(300)

    let resolver: (any HostResolver)?
    let contexts: TLSContexts
    private let limits: HTTP2Session<HTTP2Stream>.Limits
    private let keepAlive: HTTP2KeepAlive

    init(_ configuration: NIOTransport.Configuration) {
        resolver = configuration.resolver
        contexts = TLSContexts(mostWaiting: configuration.maximumWaitingForTLS)
        var limits = HTTP2Session<HTTP2Stream>.Limits()
        limits.streams = min(max(1, configuration.maximumConcurrentStreams), Int(Int32.max))
        limits.maximumStreamWindow = Self.window(configuration.maximumStreamWindow)
        limits.streamWindow = min(limits.streamWindow, limits.maximumStreamWindow)
        limits.connectionWindow = Self.window(configuration.maximumConnectionWindow)
        self.limits = limits
        keepAlive = HTTP2KeepAlive(
            silence: configuration.pingInterval.map { TimeAmount(clamping: max($0, .milliseconds(1))) },
            patience: TimeAmount(clamping: max(configuration.pingTimeout, .milliseconds(1))))
    }

    /// Returns a window within the bounds of RFC 9113, no smaller than the one before any SETTINGS.
    private static func window(_ bytes: Int) -> Int {
        let range = HTTP2Session<HTTP2Stream>.firstWindow...HTTP2Session<HTTP2Stream>.largestWindow
        return min(max(range.lowerBound, bytes), range.upperBound)
    }

    /// Opens one.
    ///
    /// The answer comes on an event loop, unless that is no more, and never before this returns: a queue of requests that
    /// all fail at once must not become a stack as deep.
    func dial(
        _ origin: Origin,
        key: ConnectionKey,
        timeouts: Timeouts,
        monitor: NetworkMonitor?,
        for pool: ConnectionPool,
        on loop: any EventLoop,
        then tell: @escaping @Sendable (Result<WireConnection, TransportError>) -> Void
    ) {
        let resolver = resolver
        let started = NIODeadline.now()
        @Sendable func told(_ result: Result<WireConnection, TransportError>) {
            guard case .failure(let error) = result, error.isWithoutLoop, loop.inEventLoop else { return tell(result) }
            // A loop has so many turns to come to its end, and each that waits behind this one would take more of them.
            DispatchQueue.global().async { tell(result) }
        }
        @Sendable func fail(_ error: TransportError) { told(.failure(error.dialling(since: started))) }
        @Sendable func begin(_ security: Result<Security, TransportError>) {
            LoopErrand.run(on: loop) {
                do throws(TransportError) {
                    try self.reach(
                        DialAttempt(
                            origin, key: key, timeouts: timeouts, security: try security.get(), pool: pool, loop: loop,
                            resolver: resolver, monitor: monitor, started: started, told))
                } catch {
                    fail(error)
                }
            } otherwise: {
                fail(.withoutLoop)
            }
        }
        if let limit = timeouts.connect, limit <= .zero {
            return begin(.failure(.timedOut(.connect, after: limit, requestMayHaveBeenSent: false)))
        }
        // Mostly made already. Else files are read, which may lie where that takes long.
        let wait = DialWait()
        secure(origin, wait) { security in if wait.end() { begin(security) } }
        let limit = timeouts.connect ?? Self.longest
        wait.begin(by: pool.clock, upTo: limit) {
            begin(.failure(.timedOut(.connect, after: limit, requestMayHaveBeenSent: false)))
        }
    }

    /// What TLS needs on the way to a host.
    struct Security: Sendable {
        var host: TLSContexts.Context?
        var proxy: TLSContexts.Context?
    }

    /// Makes what TLS needs, or finds it made.
    private func secure(
        _ origin: Origin, _ wait: DialWait, then tell: @escaping @Sendable (Result<Security, TransportError>) -> Void
    ) {
        guard origin.isSecure else { return secureProxy(origin, Security(), wait, then: tell) }
        let leave = contexts.context(for: origin.tls, host: origin.host, versions: origin.versions) { result in
            switch result {
            case .success(let context): self.secureProxy(origin, Security(host: context), wait, then: tell)
            case .failure(let error): tell(.failure(error))
            }
        }
        wait.leaves(by: leave)
    }

    private func secureProxy(
        _ origin: Origin, _ security: Security, _ wait: DialWait,
        then tell: @escaping @Sendable (Result<Security, TransportError>) -> Void
    ) {
        guard let proxy = origin.route?.proxy, proxy.kind == .https, let options = origin.route?.proxyTLS else {
            return tell(.success(security))
        }
        let leave = contexts.context(for: options, host: proxy.host, versions: .http1) { result in
            tell(result.map { Security(host: security.host, proxy: $0) })
        }
        wait.leaves(by: leave)
    }

    static func addHandlers(
        _ handler: ConnectionHandler,
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ tls: TLSContexts.Context?
    ) throws {
        if let tls, let verification = handler.verification {
            try pipeline.addHandler(CipherSuiteHandler(verification))
            try pipeline.addHandler(
                VerifyingHandler.make(tls.context, serverName: tls.serverName, verification))
        }
        try pipeline.addHandler(handler)
    }

    /// Waits for TLS on a connection that stands, on its loop.
    func connected(_ channel: any Channel, _ handler: ConnectionHandler, _ attempt: DialAttempt) {
        let (origin, timeouts) = (attempt.origin, attempt.timeouts)
        func tell(_ result: Result<WireConnection, TransportError>) { attempt.tell(result) }
        attempt.hasConnected()
        let connectTime = NIODeadline.now().since(attempt.started)
        let connectedAt = NIODeadline.now()
        let limit = timeouts.tls ?? Self.longest
        let timer = origin.isSecure ? LoopTimer(attempt.pool.clock(of: channel.eventLoop)) : nil
        timer?.start(limit) {
            handler.openingFailed(TransportError.timedOut(.tls, after: limit, requestMayHaveBeenSent: false))
        }
        handler.whenOpen { result in
            timer?.stop()
            switch result {
            case .failure(let error):
                channel.close(promise: nil)
                tell(.failure(error))
            case .success where origin.isSecure && handler.verification?.hasPassed != true:
                // Cannot happen: a handler that is open has verified. A request must not depend on that alone.
                channel.close(promise: nil)
                tell(.failure(.lost(.tls, sent: false)))
            case .success:
                let tlsTime = origin.isSecure ? NIODeadline.now().since(connectedAt) : nil
                let isHTTP2 = origin.isSecure ? handler.negotiated == "h2" : origin.versions == .http2
                guard isHTTP2 || origin.versions != .http2 else {
                    channel.close(promise: nil)
                    return tell(.failure(.withoutHTTP2(origin)))
                }
                let opener = handler
                let roundTrip =
                    origin.isSecure
                    ? handler.verification?.certificatesCame?.since(connectedAt)
                    : connectTime - (attempt.dnsTime ?? .zero)
                func open(_ handler: WireConnection.Handler) -> WireConnection {
                    WireConnection(
                        key: attempt.key, info: .of(channel, opener, isHTTP2: isHTTP2, origin), channel: channel,
                        handler: handler, pool: attempt.pool, connectTime: connectTime,
                        dnsTime: attempt.dnsTime, tlsTime: tlsTime, roundTrip: roundTrip)
                }
                if isHTTP2 {
                    do {
                        let (successor, early) = try self.replace(handler, in: channel)
                        guard !successor.isDead else { throw TransportError.lost(.connect, sent: false) }
                        let connection = open(.http2(NIOLoopBound(successor, eventLoop: channel.eventLoop)))
                        successor.opened(connection)
                        tell(.success(connection))
                        successor.sendPreface()
                        if let early { successor.read(early) }
                    } catch {
                        channel.close(promise: nil)
                        tell(.failure(error as? TransportError ?? .lost(.connect, sent: false, error)))
                    }
                } else {
                    // Whatever it says, it is no answer to what is going to be asked.
                    guard handler.unread == nil, !handler.isDead, channel.isActive else {
                        // Told first, since the end takes what came with it.
                        let error =
                            handler.unread == nil ? TransportError.lost(.connect, sent: false) : .spokeFirst(origin)
                        channel.close(promise: nil)
                        return tell(.failure(error))
                    }
                    let connection = open(.http1(NIOLoopBound(handler, eventLoop: channel.eventLoop)))
                    handler.opened(connection)
                    tell(.success(connection))
                }
            }
        }
    }
}

extension Dialler {
    /// Puts HTTP/2 in the place of HTTP/1.1, before a byte was sent.
    ///
    /// - Returns: Who speaks it, and what came for it already.
    private func replace(
        _ handler: ConnectionHandler, in channel: any Channel
    ) throws -> (HTTP2ConnectionHandler, ByteBuffer?) {
        let successor = HTTP2ConnectionHandler(limits, keepAlive, handler.verification)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(successor, position: .after(handler))
        let early = handler.stepAside()
        pipeline.removeHandler(handler, promise: nil)
        return (successor, early)
    }
}

extension TransportError {
    /// The user's event loops run no more.
    static var withoutLoop: TransportError {
        TransportError(
            .resourceUnavailable, phase: .connect, message: "the transport's event loops were shut down",
            requestMayHaveBeenSent: false, underlying: EventLoopError.shutdown)
    }

    /// Whether that is what it says.
    fileprivate var isWithoutLoop: Bool {
        guard case .shutdown? = underlying as? EventLoopError else { return false }
        return true
    }

    /// Something came over a new connection before anything was asked.
    fileprivate static func spokeFirst(_ origin: Origin) -> TransportError {
        TransportError(
            .badServerResponse, phase: .connect,
            message: "\(origin.host):\(origin.port) spoke before it was asked", requestMayHaveBeenSent: false)
    }

    /// HTTP/2 and nothing else was asked for, and the server does not speak it.
    fileprivate static func withoutHTTP2(_ origin: Origin) -> TransportError {
        TransportError(
            .secureConnectionFailed, phase: .tls, message: "\(origin.host):\(origin.port) does not speak HTTP/2",
            requestMayHaveBeenSent: false)
    }
}

extension ConnectionInfo {
    private static let counter = Atomic<UInt64>(0)

    /// The facts of a connection that has just opened.
    fileprivate static func of(
        _ channel: any Channel, _ handler: ConnectionHandler, isHTTP2: Bool, _ origin: Origin
    ) -> ConnectionInfo {
        let facts = handler.verification.map { $0.facts(handler.negotiated) }
        return ConnectionInfo(
            id: counter.add(1, ordering: .relaxed).newValue,
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
