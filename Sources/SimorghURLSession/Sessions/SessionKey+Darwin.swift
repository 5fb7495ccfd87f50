// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Network
import Security

extension URLSessionConfiguration {
    /// Applies the options of a key.
    func apply(_ key: SessionKey) {
        let versions = TLSVersionRange(
            key.tls, configured: tlsMinimumSupportedProtocolVersion.rawValue,
            tlsMaximumSupportedProtocolVersion.rawValue)
        tlsMinimumSupportedProtocolVersion =
            tls_protocol_version_t(rawValue: versions.minimum) ?? tlsMinimumSupportedProtocolVersion
        tlsMaximumSupportedProtocolVersion =
            tls_protocol_version_t(rawValue: versions.maximum) ?? tlsMaximumSupportedProtocolVersion
        if let servers = key.proxyServers { proxyConfigurations = servers.map(ProxyConfiguration.init) }
        if let dictionary = key.proxyDictionary { connectionProxyDictionary = dictionary }
    }
}

extension ProxyConfiguration {
    fileprivate init(_ server: SessionProxy.ProxyServer) {
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
