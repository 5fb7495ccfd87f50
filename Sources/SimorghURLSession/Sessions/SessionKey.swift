// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
package import SimorghRealtime
import SimorghSupport

/// The options of a request that its session applies to all connections: requests with equal keys share a session.
///
/// TLS options belong to it, because trust is judged for a connection and not for a request: over one session, a request
/// with pins would use the connection of a request without them.
package struct SessionKey: Hashable, Sendable {
    /// The TLS options for the host, without rules; the defaults for `http`.
    package private(set) var tls = TLSOptions()
    /// The proxy.
    package private(set) var proxy = SystemProxy.system
    /// The host, if the TLS options are not the defaults; otherwise `nil`.
    ///
    /// HTTP/2 may use a connection to one host for another one that its certificate names, and such a connection is
    /// judged only for the first.
    package private(set) var host: String?

    /// True if tasks wait for the network.
    package private(set) var waitsForConnectivity = false

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
        let resolved: TLSOptions
        do {
            resolved = try options.tls.resolved(for: host)
        } catch {
            throw TransportError(error)
        }
        try capabilities.check(resolved)
        if isSecure, resolved != TLSOptions() { (tls, self.host) = (resolved, host) }
        proxy = try capabilities.proxy(
            options, host: host, port: port.flatMap { Int($0) } ?? (isSecure ? 443 : 80), isSecure: isSecure)
    }
}
