// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
package import Network

extension ProxyConfiguration {
    /// Creates the configuration of a proxy server, without a fallback to a direct connection.
    package init(_ server: SystemProxy.ProxyServer) {
        let endpoint = NWEndpoint.hostPort(
            host: NWEndpoint.Host(server.host), port: NWEndpoint.Port(integerLiteral: server.port))
        switch server.kind {
        case .http: self.init(httpCONNECTProxy: endpoint)
        case .https: self.init(httpCONNECTProxy: endpoint, tlsOptions: NWProtocolTLS.Options())
        case .socks5: self.init(socksv5Proxy: endpoint)
        }
        allowFailover = false
        if let user = server.user { applyCredential(username: user, password: server.password) }
    }
}
#endif
