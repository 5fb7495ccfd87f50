// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghRealtime

/// The destination of a connection and its properties: only requests with the same origin may share a connection.
package struct Origin: Hashable, Sendable {
    /// True if the connection uses TLS.
    package let isSecure: Bool
    /// The name or address, without the brackets of an IPv6 literal.
    package let host: String
    package let port: Int
    /// The HTTP versions that the connection may use.
    package private(set) var versions: Versions
    /// The TLS options of the connection; a connection with other trusted roots is a different one.
    package let tls: TLSOptions
    private let routeBox: RouteBox?

    /// A boxed route.
    ///
    /// A route is large: most origins have none, and the others copy only a reference.
    private final class RouteBox: Sendable, Equatable {
        let route: Route

        init(_ route: Route) { self.route = route }

        static func == (left: RouteBox, right: RouteBox) -> Bool { left === right || left.route == right.route }
    }

    /// The route; `nil` for a direct connection, which is the usual case.
    package var route: Route? { routeBox?.route }

    /// The HTTP versions that a connection may use.
    package enum Versions: Sendable, Hashable {
        case http1
        case http2
        /// The version that the server selects by ALPN.
        case either
        /// HTTP/1.1 until the server agrees to another protocol; a proxy has to open a tunnel for it.
        case upgrade

        /// The protocols to offer by ALPN, the preferred one first.
        var applicationProtocols: [String] {
            switch self {
            case .http1, .upgrade: ["http/1.1"]
            case .http2: ["h2"]
            case .either: ["h2", "http/1.1"]
            }
        }
    }

    /// Hashes the parts of an origin that cost next to nothing at each request: the TLS options cache their hash, and
    /// a route contributes only what differs between users.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
        hasher.combine(tls)
        guard let route else { return }
        hasher.combine(route.unixSocket)
        hasher.combine(route.localAddress)
        hasher.combine(route.addresses.first)
        hasher.combine(route.proxy?.host)
        hasher.combine(route.proxy?.port)
        hasher.combine(route.proxy?.user)
    }

    package init(
        isSecure: Bool, host: String, port: Int, versions: Versions = .http1, tls: TLSOptions = TLSOptions(),
        route: Route? = nil
    ) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.versions = versions
        self.tls = tls
        routeBox = route.map(RouteBox.init)
    }

    /// True if the proxy receives the request itself, with an absolute URL, instead of opening a tunnel.
    var asksProxy: Bool { !isSecure && versions == .http1 && route?.proxy?.speaksHTTP == true }

    /// Creates the origin of a request, without copying the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - only: The HTTP versions to allow; `nil` for those of the request's options.
    ///   - isUpgrade: True if the request asks for another protocol, and so needs its own connection.
    /// - Throws: `TransportError` for an invalid URL or route.
    init(
        of request: borrowing TransportRequest, versions only: Versions? = nil, isUpgrade: Bool = false
    ) throws(TransportError) {
        let scheme = request.head.scheme
        if scheme == "https" {
            isSecure = true
        } else if scheme == "http" {
            isSecure = false
        } else {
            throw TransportError(
                .unsupportedURL, phase: .total,
                message: "this transport speaks http and https, not \(scheme ?? "none")",
                requestMayHaveBeenSent: false)
        }
        switch request.options.httpVersion {
        case _ where isUpgrade: versions = .upgrade
        case .automatic: versions = isSecure ? .either : .http1
        case .http1Only: versions = .http1
        case .http2PriorKnowledge: versions = .http2
        case .http3:
            throw TransportError(
                .unsupportedURL, phase: .total,
                message: "http3 needs URLSessionTransport on an Apple platform; this engine has HTTP/1.1 and HTTP/2",
                requestMayHaveBeenSent: false)
        case .http2Only:
            guard isSecure else {
                throw TransportError(
                    .unsupportedURL, phase: .total,
                    message: "http2Only needs TLS to negotiate HTTP/2; use http2PriorKnowledge for http URLs",
                    requestMayHaveBeenSent: false)
            }
            versions = .http2
        }
        if let only { versions = only }
        guard let authority = request.head.authority, let (host, port) = AuthorityReader.split(authority) else {
            throw TransportError(
                .badURL, phase: .total, message: "the URL's host or port is not valid", requestMayHaveBeenSent: false)
        }
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        do {
            tls = try request.options.tls.resolved(for: host)
            var route = try request.options.route.route(to: host, port: self.port, isSecure: isSecure)
            if let proxy = route?.proxy, proxy.kind == .https {
                route?.proxyTLS = try request.options.tls.resolved(for: proxy.host).forProxy
            }
            routeBox = route.map(RouteBox.init)
        } catch let error as TLSOptionsError {
            throw TransportError(error)
        } catch {
            throw TransportError(
                .badURL, phase: .connect, message: "\(error)", requestMayHaveBeenSent: false,
                underlying: error)
        }
    }
}
