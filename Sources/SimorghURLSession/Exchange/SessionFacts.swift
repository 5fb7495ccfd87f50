// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore

/// The facts of an exchange, from the measurements of its transactions.
package struct SessionFacts: Sendable, Hashable {
    /// The last transaction.
    private let last: TransactionSnapshot
    /// The number of transactions.
    private let count: Int
    /// True if a byte of the request may have been sent in one of them.
    package let isRequestStarted: Bool

    /// Creates the facts; `nil` if no transaction used the network.
    ///
    /// - Parameter transactions: The transactions of the task, in order.
    package init?(_ transactions: [TransactionSnapshot]) {
        // A transaction that failed early may have an unknown source.
        let used = transactions.filter { $0.source == .network || $0.source == .unknown }
        guard let last = used.last else { return nil }
        self.last = last
        count = used.count
        isRequestStarted = used.contains { $0.requestStart != nil }
    }

    /// The phase in which a transaction ended whose request was not sent.
    private var unsentPhase: TransportError.Phase { last.secureConnectionStart == nil ? .connect : .tls }

    /// Returns the timings, with those that only the transport can measure.
    ///
    /// - Parameter measured: The transport's own measurements.
    /// - Returns: The timings.
    package func timings(over measured: ExchangeTimings) -> ExchangeTimings {
        var timings = measured
        let firstStep = last.domainLookupStart ?? last.connectStart ?? last.requestStart
        timings.queue = Self.duration(last.fetchStart, firstStep)
        timings.dns = Self.duration(last.domainLookupStart, last.domainLookupEnd)
        timings.connect = Self.duration(
            last.domainLookupStart ?? last.connectStart, last.secureConnectionStart ?? last.connectEnd)
        timings.tls = Self.duration(last.secureConnectionStart, last.secureConnectionEnd)
        timings.request = Self.duration(last.requestStart, last.requestEnd)
        timings.firstByte = Self.duration(last.requestEnd, last.responseStart)
        timings.body = Self.duration(last.responseStart, last.responseEnd)
        timings.isReusedConnection = last.isReusedConnection
        timings.sentBytes = last.sentBytes
        timings.receivedBytes = last.receivedBytes
        timings.transmissions = max(1, count)
        return timings
    }

    /// Returns the connection of the last transaction; `nil` if it had none.
    ///
    /// - Parameter serverName: The host of the request. The certificates of its server are not among the measurements.
    /// - Returns: The connection.
    package func connection(serverName: String) -> ConnectionInfo? {
        guard let remote = Self.address(last.remoteAddress, port: last.remotePort) else { return nil }
        let local = Self.address(last.localAddress, port: last.localPort)
        let version = last.tlsVersion.map(Self.tlsName)
        return ConnectionInfo(
            id: Self.identity(local: local ?? "", remote: remote),
            applicationProtocol: last.networkProtocol ?? "http/1.1", localAddress: local, remoteAddress: remote,
            tlsVersion: version,
            tls: version.map { version in
                TLSInfo(
                    version: version, cipherSuite: last.cipherSuite.flatMap { Self.cipherSuites[$0] },
                    serverName: serverName, negotiatedProtocol: last.networkProtocol, hasClientIdentity: false,
                    chain: { [] })
            },
            // A session does not tell which kind of proxy it uses; the remote address is that of the proxy.
            proxy: last.isProxyConnection ? "//\(remote)" : nil)
    }

    /// Returns the connection of the last transaction of a request; `nil` if it had none.
    func connection(to request: TransportRequest) -> ConnectionInfo? {
        connection(serverName: request.head.authority.map { Self.host(of: $0) } ?? "")
    }

    /// Returns an error with what the transactions tell of the request: if it was sent, and where the exchange ended.
    ///
    /// - Parameter error: The error, judged without the facts.
    /// - Returns: The error.
    package func refined(_ error: TransportError) -> TransportError {
        var error = error
        error.requestMayHaveBeenSent = isRequestStarted
        guard !isRequestStarted, error.phase == .request || error.phase == .head else { return error }
        error.phase = unsentPhase
        if error.code == .timedOut { error.message += "; the request was not sent, the connection is not open yet" }
        return error
    }

    /// The names of the cipher suites of TLS 1.3, and of TLS 1.2 with forward secrecy, in IANA's registry.
    private static let cipherSuites: [UInt16: String] = [
        0x1301: "TLS_AES_128_GCM_SHA256", 0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", 0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    ]

    /// Returns the host of an authority, without its port.
    private static func host(of authority: String) -> String {
        guard authority.hasPrefix("[") else { return String(authority.prefix { $0 != ":" }) }
        return String(authority.dropFirst().prefix { $0 != "]" })
    }

    private static func duration(_ start: Double?, _ end: Double?) -> Duration? {
        guard let start, let end, end >= start else { return nil }
        return .seconds(end - start)
    }

    private static func address(_ address: String?, port: Int?) -> String? {
        guard let address else { return nil }
        let host = address.contains(":") && !address.hasPrefix("[") ? "[\(address)]" : address
        return port.map { "\(host):\($0)" } ?? host
    }

    /// Returns a number for a connection, which has none: the same for the same addresses and ports (FNV-1a).
    private static func identity(local: String, remote: String) -> UInt64 {
        "\(local)>\(remote)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func tlsName(_ version: UInt16) -> String {
        switch version {
        case 0x0301: "TLSv1"
        case 0x0302: "TLSv1.1"
        case 0x0303: "TLSv1.2"
        case 0x0304: "TLSv1.3"
        default: "TLS \(version)"
        }
    }
}
