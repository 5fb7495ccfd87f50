// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

/// The options of a request that its session applies to all connections: requests with equal keys share a session.
///
/// TLS options belong to it, because trust is judged for a connection and not for a request: over one session, a request
/// with pins would use the connection of a request without them.
package struct SessionKey: Hashable, Sendable {
    /// The TLS options for the host, without rules; the defaults for `http`.
    package private(set) var tls = TLSOptions()
    /// The proxy.
    package private(set) var proxy = SessionProxy.system
    /// The host, if the TLS options are not the defaults; otherwise `nil`.
    ///
    /// HTTP/2 may use a connection to one host for another one that its certificate names, and such a connection is
    /// judged only for the first.
    package private(set) var host: String?

    /// True if tasks wait for the network.
    package private(set) var waitsForConnectivity = false

    /// The proxy servers to set; `nil` to leave those of the configuration.
    package var proxyServers: [SessionProxy.ProxyServer]? {
        switch proxy {
        case .system: nil
        case .direct: []
        case .server(let server): [server]
        }
    }

    /// The dictionary of proxies to set; `nil` to leave that of the configuration.
    package var proxyDictionary: [String: String]? { proxy == .direct ? [:] : nil }

    /// Creates the key of requests with default options.
    package init() {}

    /// Creates the key of a session whose tasks have TLS options in common.
    package init(tls: TLSOptions) { self.tls = tls }

    /// Creates the key of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - capabilities: The capabilities of sessions on this platform.
    /// - Throws: `TransportError` with ``UnsupportedByURLSessionError`` as the cause for an option that sessions do not
    ///   have, or with the error of an invalid option.
    package init(_ request: TransportRequest, capabilities: SessionCapabilities) throws(TransportError) {
        let options = request.options
        waitsForConnectivity = capabilities.waitsForConnectivity && options.connectivityWait != nil
        guard options.tls != TLSOptions() || options.route != RouteOptions() else { return }
        let isSecure = ["https", "wss"].contains(request.head.scheme)
        let (text, port) = URLReference.hostAndPort(of: Substring(request.head.authority ?? ""))
        guard let name = HostSyntax.normalized(String(text)) else {
            throw TransportError(
                .badURL, phase: .total, message: "the URL's host or port is not valid", requestMayHaveBeenSent: false)
        }
        let host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
        do {
            let resolved = try options.tls.resolved(for: host)
            try capabilities.check(resolved)
            if isSecure, resolved != TLSOptions() { (tls, self.host) = (resolved, host) }
            let route = try options.route.route(
                to: host, port: port.flatMap { Int($0) } ?? (isSecure ? 443 : 80), isSecure: isSecure)
            try capabilities.check(route ?? Route())
            proxy = try capabilities.proxy(options.route.proxy, resolved: route?.proxy, host: host, isSecure: isSecure)
            if case .server(let server) = proxy, server.kind == .https {
                try capabilities.checkProxyTLS(options.tls.resolved(for: server.host).forProxy)
            }
        } catch let error as TransportError {
            throw error
        } catch let error as TLSOptionsError {
            throw TransportError(error)
        } catch {
            throw TransportError(
                .badURL, phase: .connect, message: "\(error)", requestMayHaveBeenSent: false, underlying: error)
        }
    }
}

/// The proxy of a session.
package enum SessionProxy: Hashable, Sendable {
    /// The one of the session's configuration, by default that of the system.
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
}
