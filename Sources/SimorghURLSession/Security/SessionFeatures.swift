// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The TLS and route options that the sessions of a platform have.
///
/// A session would ignore any other option silently, so such a request is rejected.
package struct SessionFeatures: Sendable {
    /// The way out of a rejection.
    static let engine = "import SimorghNIO and give the client NIOTransport.shared"

    /// True if a session can have its own TLS options and judge certificates.
    package var hasTLSOptions: Bool
    /// True if a session can have its own proxy.
    package var hasProxies: Bool
    /// Returns true if the system uses a proxy for a host; called only if sessions cannot have their own.
    package var usesSystemProxy: @Sendable (_ host: String, _ isSecure: Bool) -> Bool

    package init(
        hasTLSOptions: Bool, hasProxies: Bool,
        usesSystemProxy: @escaping @Sendable (_ host: String, _ isSecure: Bool) -> Bool = { _, _ in false }
    ) {
        self.hasTLSOptions = hasTLSOptions
        self.hasProxies = hasProxies
        self.usesSystemProxy = usesSystemProxy
    }

    /// The features of Apple's sessions.
    package static let apple = SessionFeatures(hasTLSOptions: true, hasProxies: true)

    /// The features of FoundationNetworking, which uses the proxies of the environment, as libcurl does.
    package static let foundationNetworking = SessionFeatures(hasTLSOptions: false, hasProxies: false) {
        // An invalid variable is libcurl's to report.
        guard let proxy = try? ProxyOptions.environment.proxy(for: $0, isSecure: $1) else { return false }
        return proxy.port > 0
    }

    /// The features of this platform.
    #if canImport(Darwin)
    static let current = apple
    #else
    static let current = foundationNetworking
    #endif

    /// Checks TLS options.
    ///
    /// - Parameter tls: The options for a host, without rules.
    /// - Throws: The error of the first unsupported option.
    func check(_ tls: TLSOptions) throws(TransportError) {
        let defaults = TLSOptions()
        guard tls != defaults else { return }
        if !hasTLSOptions {
            let names: [(String, Bool)] = [
                ("trust", tls.trust != defaults.trust), ("additionalRoots", !tls.additionalRoots.isEmpty),
                ("pins", !tls.pins.isEmpty), ("identity", tls.identity != nil),
                ("minimumVersion", tls.minimumVersion != defaults.minimumVersion),
                ("maximumVersion", tls.maximumVersion != defaults.maximumVersion),
                ("evaluation", tls.evaluation != nil),
            ]
            for (name, isSet) in names where isSet {
                throw .unsupported("tls.\(name)", reason: "FoundationNetworking has no such option")
            }
        }
        if tls.serverName != nil {
            throw .unsupported("tls.serverName", reason: "a session requests the name in the URL")
        }
        if case .pem = tls.identity?.source {
            throw .unsupported(
                "tls.identity",
                reason: "the system imports no private key in PEM; use TLSIdentity(pkcs12:passphrase:)")
        }
    }

    /// Checks the parts of a route other than the proxy.
    func check(_ route: Route) throws(TransportError) {
        let names: [(String, Bool)] = [
            ("unixSocket", route.unixSocket != nil), ("addresses", !route.addresses.isEmpty),
            ("localAddress", route.localAddress != nil),
        ]
        for (name, isSet) in names where isSet {
            throw .unsupported("route.\(name)", reason: "a session chooses addresses by itself")
        }
    }

    /// Checks the TLS options of a connection to an HTTPS proxy.
    func checkProxyTLS(_ tls: TLSOptions) throws(TransportError) {
        guard tls != TLSOptions() else { return }
        throw .unsupported("route.proxy", reason: "a session has no TLS options for an HTTPS proxy")
    }

    /// Returns the proxy of the session for a request.
    ///
    /// - Parameters:
    ///   - options: The proxy options of the request.
    ///   - proxy: The proxy that they choose for the host; `nil` for none.
    ///   - host: The host of the request.
    ///   - isSecure: True if the request uses TLS.
    /// - Returns: The proxy.
    /// - Throws: An error for a proxy that a session cannot use.
    func proxy(
        _ options: ProxyOptions, resolved proxy: Proxy?, host: String, isSecure: Bool
    ) throws(TransportError) -> SessionProxy {
        guard !options.isSystem else { return .system }
        guard hasProxies else {
            if proxy == nil, !usesSystemProxy(host, isSecure) { return .direct }
            throw .unsupported(
                "route.proxy", reason: "FoundationNetworking uses the proxies of the environment variables only")
        }
        guard let proxy else { return .direct }
        let kind: SessionProxy.ProxyServer.Kind
        switch proxy.kind {
        case .http: kind = .http
        case .https: kind = .https
        case .socks5h: kind = .socks5
        case .socks5:
            throw .unsupported("route.proxy", reason: "a session lets the SOCKS proxy resolve names; use socks5h://")
        }
        let user = proxy.user.map { String(validating: $0, as: UTF8.self) }
        guard user != .some(nil), let password = String(validating: proxy.password, as: UTF8.self) else {
            throw .unsupported("route.proxy", reason: "the proxy's user name or password is not UTF-8")
        }
        return .server(
            SessionProxy.ProxyServer(
                kind: kind, host: proxy.host, port: UInt16(clamping: proxy.port), user: user ?? nil,
                password: password))
    }
}

extension TransportError {
    fileprivate static func unsupported(_ option: String, reason: String) -> TransportError {
        let cause = UnsupportedByURLSessionError(option: option, reason: "\(reason); or \(SessionFeatures.engine)")
        return TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }
}
