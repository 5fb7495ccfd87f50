// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import SimorghCore

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
    private let resolver: (any HostResolver)?
    let tell: @Sendable (Result<WireConnection, TransportError>) -> Void

    init(
        _ origin: Origin, key: ConnectionKey, timeouts: Timeouts, security: Dialler.Security, pool: ConnectionPool,
        loop: any EventLoop, resolver: (any HostResolver)?, monitor: NetworkMonitor?, started: NIODeadline = .now(),
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
        self.tell = tell
        let route = origin.route
        let local = route?.localAddress.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        let source: AddressLookup.Source = resolver.map { .user($0) } ?? .system
        if route?.unixSocket != nil {
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
            monitor: monitor, started: started, tell)
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
