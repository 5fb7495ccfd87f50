// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// The inputs and the intermediate results of one dial; its mutable parts are used on its event loop.
final class DialAttempt: Sendable {
    let origin: Origin
    let key: ConnectionKey
    let timeouts: Timeouts
    let tlsContexts: Dialer.TLSContextPair
    let pool: ConnectionPool
    let loop: any EventLoop
    let started: NIODeadline
    /// The monitor that reports whether there is a network; `nil` if there is no monitor.
    let monitor: NetworkMonitor?
    /// The source of the addresses to connect to; `nil` for an IP address or a Unix socket.
    let lookup: AddressLookup?
    /// The source of the host's addresses if the client resolves the name for a SOCKS proxy; `nil` otherwise.
    let hostLookup: AddressLookup?
    private let resolver: (any HostResolver)?
    private let completion: @Sendable (Result<PooledConnection, TransportError>) -> Void
    /// The time at which the host became reachable, through the proxy if there is one.
    private let connectedAt = Mutex<NIODeadline?>(nil)

    init(
        _ origin: Origin, key: ConnectionKey, timeouts: Timeouts, tlsContexts: Dialer.TLSContextPair,
        pool: ConnectionPool,
        loop: any EventLoop, resolver: (any HostResolver)?, monitor: NetworkMonitor?, started: NIODeadline = .now(),
        hostLookup known: AddressLookup? = nil,
        completion: @escaping @Sendable (Result<PooledConnection, TransportError>) -> Void
    ) {
        self.origin = origin
        self.key = key
        self.timeouts = timeouts
        self.tlsContexts = tlsContexts
        self.monitor = monitor
        self.started = started
        self.pool = pool
        self.loop = loop
        self.resolver = resolver
        self.completion = completion
        let route = origin.route
        let local = route?.localAddress.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        let source: AddressLookup.Source = resolver.map { .user($0) } ?? .system
        var own: AddressLookup?
        if known == nil, let proxy = route?.proxy, proxy.kind == .socks5, IPAddress(origin.host) == nil {
            let addresses = route?.addresses ?? []
            own = AddressLookup(addresses.isEmpty ? source : .fixed(addresses), loop: loop)
        }
        hostLookup = known ?? own
        if route?.unixSocket != nil || own != nil {
            // The proxy's own name is looked up by a separate attempt for each address of the host.
            lookup = nil
        } else if let proxy = route?.proxy {
            let isNeeded = AddressLookup.isNeeded(for: proxy.host, isSystems: resolver == nil)
            lookup = isNeeded ? AddressLookup(source, loop: loop, local: local?.protocol) : nil
        } else if let addresses = route?.addresses, !addresses.isEmpty {
            lookup = AddressLookup(.fixed(addresses), loop: loop, local: local?.protocol)
        } else {
            let isNeeded = AddressLookup.isNeeded(for: origin.host, isSystems: resolver == nil)
            lookup = isNeeded ? AddressLookup(source, loop: loop, local: local?.protocol) : nil
        }
    }

    /// Returns a copy of this attempt with the same start time, hence the same remaining time, and another callback.
    func again(_ completion: @escaping @Sendable (Result<PooledConnection, TransportError>) -> Void) -> DialAttempt {
        DialAttempt(
            origin, key: key, timeouts: timeouts, tlsContexts: tlsContexts, pool: pool, loop: loop, resolver: resolver,
            monitor: monitor, started: started, hostLookup: hostLookup, completion: completion)
    }

    /// The time that name lookups took until there was an address to try; `nil` if no name was looked up.
    var dnsTime: Duration? {
        let times = lookups.compactMap(\.time)
        return times.isEmpty ? nil : times.reduce(Duration.zero, +)
    }

    private var lookups: [AddressLookup] { [hostLookup, lookup].compactMap { $0 } }

    /// Records that the host is connected; the TLS handshake follows if the host is secure.
    func hasConnected() { connectedAt.withLock { $0 = $0 ?? .now() } }

    /// Reports the result to the callback; adds the duration of each phase to an error.
    func complete(with result: Result<PooledConnection, TransportError>) {
        completion(
            result.mapError { error in
                let connected = connectedAt.withLock { $0 }
                return error.dialing(
                    since: started, lookups: lookups, connectedAt: connected, isSecure: origin.isSecure)
            })
    }

    /// The TLS context for the host; `nil` for a connection without TLS.
    var tls: TLSContexts.Context? { tlsContexts.host }
    /// The host to connect to: the proxy if there is one.
    var host: String { origin.route?.proxy?.host ?? origin.host }
    var port: Int { origin.route?.proxy?.port ?? origin.port }
    /// The time limit until the host is connected.
    var limit: Duration { timeouts.connect ?? Dialer.defaultTimeLimit }
    /// The rest of ``limit``.
    var remaining: Duration { max(.zero, limit - NIODeadline.now().since(started)) }
}

extension TransportError {
    /// Returns the error with the duration of each phase of a dial that failed just now; unchanged if it has them
    /// already.
    ///
    /// - Parameters:
    ///   - started: The time at which the dial began.
    ///   - lookups: The sources of the addresses; empty if nothing was looked up.
    ///   - connectedAt: The time at which the host was connected; `nil` if it never was.
    ///   - isSecure: True if a TLS handshake would have followed.
    /// - Returns: The error.
    func dialing(
        since started: NIODeadline, lookups: [AddressLookup] = [], connectedAt: NIODeadline? = nil,
        isSecure: Bool = false
    ) -> TransportError {
        guard facts == nil else { return self }
        let now = NIODeadline.now()
        let connect = (connectedAt ?? now).since(started)
        var timings = ExchangeTimings()
        // A name without an address so far was being looked up the whole time.
        if !lookups.isEmpty { timings.dns = min(lookups.reduce(Duration.zero) { $0 + ($1.time ?? connect) }, connect) }
        timings.connect = connect
        if isSecure, let connectedAt { timings.tls = now.since(connectedAt) }
        timings.total = now.since(started)
        var error = self
        error.facts = AttemptDetails(timings: timings, connection: nil)
        return error
    }

    /// Returns the error of a dial for an exchange that waited for the whole dial, or only for the end of it.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - now: The current time.
    /// - Returns: The error; its phases add up to the whole wait of the exchange.
    func reported(to exchange: Exchange, at now: NIODeadline) -> TransportError {
        guard let known = facts else { return self }
        var timings = known.timings
        let waited = now.since(exchange.waitingSince)
        timings.tls = timings.tls.map { min($0, waited) }
        let rest = waited - (timings.tls ?? .zero)
        let missed = max(.zero, (timings.connect ?? .zero) - rest)
        timings.dns = timings.dns.map { max(.zero, $0 - missed) }
        timings.connect = timings.connect.map { $0 - missed }
        timings.queue = rest - (timings.connect ?? .zero)
        timings.total = now.since(exchange.started)
        timings.transmissions = exchange.attempt
        var error = self
        error.facts = AttemptDetails(timings: timings, connection: known.connection)
        return error
    }
}
