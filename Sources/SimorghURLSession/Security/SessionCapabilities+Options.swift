// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime

/// The checks of the TLS and route options, which a session without them would ignore silently.
extension SessionCapabilities {
    /// The way out of a rejection.
    static let engine = "import SimorghNIO and give the client NIOTransport.shared"

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
        if tls.identity?.isPEM == true { throw .unsupported("tls.identity", reason: ClientIdentity.reasonAgainstPEM) }
    }

    /// Returns the proxy of the session for a request.
    ///
    /// - Parameters:
    ///   - options: The options of the request.
    ///   - host: The host of the request.
    ///   - port: The port of the request.
    ///   - isSecure: True if the request uses TLS.
    /// - Returns: The proxy.
    /// - Throws: An error for a route that a session cannot use.
    func proxy(
        _ options: TransportOptions, host: String, port: Int, isSecure: Bool
    ) throws(TransportError) -> SystemProxy {
        let route = try SystemProxy.route(
            options.route, to: host, port: port, isSecure: isSecure, unsupported: TransportError.unsupported)
        guard hasProxies || options.route.proxy.isSystem else {
            if route.proxy == nil, !usesSystemProxy(host, isSecure) { return .direct }
            throw .unsupported(
                "route.proxy", reason: "FoundationNetworking uses the proxies of the environment variables only")
        }
        return try SystemProxy(route, options: options, unsupported: TransportError.unsupported)
    }
}

extension TransportError {
    fileprivate static func unsupported(_ option: String, reason: String) -> TransportError {
        let cause = UnsupportedByURLSessionError(option: option, reason: "\(reason); or \(SessionCapabilities.engine)")
        return TransportError(
            .unknown, phase: .total, message: cause.description, requestMayHaveBeenSent: false, underlying: cause)
    }
}
