// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// The proxy of a session or a connection of Apple's systems.
package enum SystemProxy: Hashable, Sendable {
    /// The one of the system's settings, or of the configuration of a session.
    case system
    /// No proxy.
    case direct
    case server(ProxyServer)

    /// A proxy server, as the system describes one.
    package struct ProxyServer: Hashable, Sendable {
        package enum Kind: Hashable, Sendable { case http, https, socks5 }

        package let kind: Kind
        /// The name or address, without the brackets of an IPv6 literal.
        package let host: String
        package let port: UInt16
        /// The user name; `nil` without credentials.
        package let user: String?
        package let password: String

        package init(kind: Kind, host: String, port: UInt16, user: String?, password: String) {
            self.kind = kind
            self.host = host
            self.port = port
            self.user = user
            self.password = password
        }
    }

    /// True if a proxy of the system's settings is not used.
    package var isDirect: Bool { self == .direct }

    /// The URL of the proxy server without credentials; `nil` without a server.
    package var address: String? { if case .server(let server) = self { server.description } else { nil } }

    /// The proxy servers to set; `nil` to leave those of the system or the configuration.
    package var servers: [ProxyServer]? {
        switch self {
        case .system: nil
        case .direct: []
        case .server(let server): [server]
        }
    }
}

extension SystemProxy {
    /// Makes the error for an option that the system cannot keep.
    package typealias MakeError = (_ option: String, _ reason: String) -> TransportError

    /// Returns the route to a host that the system connects to by name.
    ///
    /// - Parameters:
    ///   - options: The options of the route.
    ///   - host: The name or address, in lowercase, without the brackets of an IPv6 literal.
    ///   - port: The port.
    ///   - isSecure: True if the connection uses TLS.
    ///   - unsupported: Makes the error for an unsupported option.
    /// - Returns: The route, which has at most a proxy.
    /// - Throws: `TransportError` for an invalid option, and for one that the system cannot keep.
    package static func route(
        _ options: RouteOptions, to host: String, port: Int, isSecure: Bool, unsupported: MakeError
    ) throws(TransportError) -> Route {
        let route: Route
        do {
            route = try options.route(to: host, port: port, isSecure: isSecure) ?? Route()
        } catch {
            throw TransportError(
                .badURL, phase: .connect, message: "\(error)", requestMayHaveBeenSent: false, underlying: error)
        }
        let names: [(String, Bool)] = [
            ("unixSocket", route.unixSocket != nil), ("addresses", !route.addresses.isEmpty),
            ("localAddress", route.localAddress != nil),
        ]
        for (name, isSet) in names where isSet {
            throw unsupported("route.\(name)", "the system chooses addresses by itself")
        }
        return route
    }

    /// Creates the proxy of a route.
    ///
    /// - Parameters:
    ///   - route: The route, whose proxy is `nil` if the host is reached without one.
    ///   - options: The options of the request.
    ///   - unsupported: Makes the error for an unsupported option.
    /// - Throws: `TransportError` for a proxy that the system cannot use.
    package init(
        _ route: Route, options: TransportOptions, unsupported: MakeError
    ) throws(TransportError) {
        guard !options.route.proxy.isSystem else {
            self = .system
            return
        }
        guard let proxy = route.proxy else {
            self = .direct
            return
        }
        let kind: ProxyServer.Kind
        switch proxy.kind {
        case .http: kind = .http
        case .https: kind = .https
        case .socks5h: kind = .socks5
        case .socks5:
            throw unsupported("route.proxy", "the system lets the SOCKS proxy resolve names; use socks5h://")
        }
        let user = proxy.user.map { String(validating: $0, as: UTF8.self) }
        guard user != .some(nil), let password = String(validating: proxy.password, as: UTF8.self) else {
            throw unsupported("route.proxy", "the proxy's user name or password is not UTF-8")
        }
        if kind == .https {
            let tls: TLSOptions
            do {
                tls = try options.tls.resolved(for: proxy.host).forProxy
            } catch {
                throw TransportError(error)
            }
            guard tls == TLSOptions() else {
                throw unsupported("route.proxy", "the system has no TLS options for an HTTPS proxy")
            }
        }
        self = .server(
            ProxyServer(
                kind: kind, host: proxy.host, port: UInt16(clamping: proxy.port), user: user ?? nil,
                password: password))
    }
}

extension SystemProxy.ProxyServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL without credentials.
    package var description: String {
        let scheme = kind == .http ? "http" : kind == .https ? "https" : "socks5h"
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
