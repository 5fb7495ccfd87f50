// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The measurements of one transaction of a task, as a session reports them.
///
/// All times are seconds since the same moment; `nil` for a step that did not happen.
package struct TransactionSnapshot: Sendable, Hashable {
    /// The source of the response.
    package enum Source: Sendable, Hashable {
        case unknown, network, serverPush, cache
    }

    package var source = Source.network
    package var fetchStart: Double?
    package var domainLookupStart: Double?
    package var domainLookupEnd: Double?
    package var connectStart: Double?
    package var connectEnd: Double?
    package var secureConnectionStart: Double?
    package var secureConnectionEnd: Double?
    package var requestStart: Double?
    package var requestEnd: Double?
    package var responseStart: Double?
    package var responseEnd: Double?
    package var isReusedConnection = false
    package var isProxyConnection = false
    /// The bytes of the request on the wire, head and body.
    package var sentBytes: Int64 = 0
    /// The bytes of the response on the wire, head and body.
    package var receivedBytes: Int64 = 0
    /// The ALPN name of the protocol.
    package var networkProtocol: String?
    package var localAddress: String?
    package var localPort: Int?
    package var remoteAddress: String?
    package var remotePort: Int?
    /// The number of the TLS version in its handshake; `nil` without TLS.
    package var tlsVersion: UInt16?
    /// The number of the cipher suite in IANA's registry; `nil` without TLS.
    package var cipherSuite: UInt16?

    package init() {}
}
