// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Network
import Security
import SimorghRealtime

extension URLSessionConfiguration {
    /// Applies the options of a key.
    func apply(_ key: SessionKey) {
        let versions = TLSVersionRange(
            key.tls, configured: tlsMinimumSupportedProtocolVersion.rawValue,
            tlsMaximumSupportedProtocolVersion.rawValue)
        tlsMinimumSupportedProtocolVersion = tls_protocol_version_t(rawValue: versions.minimum) ?? .TLSv12
        tlsMaximumSupportedProtocolVersion = tls_protocol_version_t(rawValue: versions.maximum) ?? .TLSv13
        if let servers = key.proxy.servers { proxyConfigurations = servers.map(ProxyConfiguration.init) }
        if let dictionary = key.proxyDictionary { connectionProxyDictionary = dictionary }
    }
}
#endif
