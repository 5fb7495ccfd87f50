// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore
import Synchronization

/// What one dial is for, and what is known of it so far; on its event loop but for what does not change.
final class DialAttempt: Sendable {
    let origin: Origin
    let key: ConnectionKey
    let timeouts: Timeouts
    let security: Dialler.Security
    let pool: ConnectionPool
    let loop: any EventLoop
    let started: NIODeadline
    /// Who knows whether there is a network; `nil` for nobody.
    let monitor: NetworkMonitor?
    /// Where the addresses come from of what is connected to; `nil` where that is an address, or a Unix socket.
    let lookup: AddressLookup?
    /// Where the addresses of the host come from where its SOCKS proxy does not look it up; `nil` elsewhere.
    let hostLookup: AddressLookup?
    private let resolver: (any HostResolver)?
    private let told: @Sendable (Result<WireConnection, TransportError>) -> Void
    /// When the host could be spoken with, through the proxy where there is one.
    private let connectedAt = Mutex<NIODeadline?>(nil)

    init(
        _ origin: Origin, key: ConnectionKey, timeouts: Timeouts, security: Dialler.Security, pool: ConnectionPool,
        loop: any EventLoop, resolver: (any HostResolver)?, monitor: NetworkMonitor?, started: NIODeadline = .now(),
        hostLookup known: AddressLookup? = nil,
        _ tell: @escaping @Sendable (Result<WireConnection, TransportError>) -> Void
    ) {
        self.origin = origin
        self.key = key
        self.timeouts = timeouts
        self.security = security
        self.monitor = monitor
        self.started = started
        self.pool = pool
        self.loop = loop
        self.resolver = resolver
        told = tell
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
            // The proxy's own name is looked up for each address of the host, by an attempt of its own.
            lookup = nil
        } else if let proxy = route?.proxy {
            lookup = IPAddress(proxy.host) == nil ? AddressLookup(source, loop: loop, local: local?.protocol) : nil
        } else if let addresses = route?.addresses, !addresses.isEmpty {
            lookup = AddressLookup(.fixed(addresses), loop: loop, local: local?.protocol)
        } else {
            lookup = IPAddress(origin.host) == nil ? AddressLookup(source, loop: loop, local: local?.protocol) : nil
        }
    }

    /// The same once more, with as much time as is left, for somebody else.
    func again(_ tell: @escaping @Sendable (Result<WireConnection, TransportError>) -> Void) -> DialAttempt {
        DialAttempt(
            origin, key: key, timeouts: timeouts, security: security, pool: pool, loop: loop, resolver: resolver,
            monitor: monitor, started: started, hostLookup: hostLookup, tell)
    }

    /// How long names were looked up until there was an address to try; `nil` where there was none to look up.
    var dnsTime: Duration? {
        let times = lookups.compactMap(\.time)
        return times.isEmpty ? nil : times.reduce(Duration.zero, +)
    }

    private var lookups: [AddressLookup] { [hostLookup, lookup].compactMap { $0 } }

    /// The host can be spoken with; where it speaks TLS, that comes next.
    func hasConnected() { connectedAt.withLock { $0 = $0 ?? .now() } }

    /// Tells what came of it; a failure with how long each phase took until then.
    func tell(_ result: Result<WireConnection, TransportError>) {
        told(
            result.mapError { error in
                let connected = connectedAt.withLock { $0 }
                return error.dialling(
                    since: started, lookups: lookups, connectedAt: connected, isSecure: origin.isSecure)
            })
    }

    /// What TLS needs with the host; `nil` in the clear.
    var tls: TLSContexts.Context? { security.host }
    /// What is connected to.
    var host: String { origin.route?.proxy?.host ?? origin.host }
    var port: Int { origin.route?.proxy?.port ?? origin.port }
    /// How long it may take until the host can be spoken with.
    var limit: Duration { timeouts.connect ?? Dialler.longest }
    /// What is left of that.
    var remaining: Duration { max(.zero, limit - NIODeadline.now().since(started)) }
}

extension TransportError {
    /// The same with how long each phase of a dial took that failed just now; nothing new where that is told already.
    ///
    /// - Parameters:
    ///   - started: When the dial began.
    ///   - lookups: Where the addresses came from; none where none were asked for.
    ///   - connectedAt: When the host could be spoken with; `nil` where it never could.
    ///   - isSecure: Whether TLS would have come next.
    /// - Returns: The error.
    func dialling(
        since started: NIODeadline, lookups: [AddressLookup] = [], connectedAt: NIODeadline? = nil,
        isSecure: Bool = false
    ) -> TransportError {
        guard facts == nil else { return self }
        let now = NIODeadline.now()
        let connect = (connectedAt ?? now).since(started)
        var timings = ExchangeTimings()
        // A name without an address so far was looked up all the time.
        if !lookups.isEmpty { timings.dns = min(lookups.reduce(Duration.zero) { $0 + ($1.time ?? connect) }, connect) }
        timings.connect = connect
        if isSecure, let connectedAt { timings.tls = now.since(connectedAt) }
        timings.total = now.since(started)
        var error = self
        error.facts = AttemptFacts(timings, nil)
        return error
    }

    /// The error of a dial as it is told to an exchange that waited for it, or for the end of it alone.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - now: The time.
    /// - Returns: The error; its phases are the whole wait.
    func told(to exchange: Exchange, at now: NIODeadline) -> TransportError {
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
        timings.rides = exchange.attempt
        var error = self
        error.facts = AttemptFacts(timings, known.connection)
        return error
    }
}
