// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The durations of the phases of one exchange, and the number of bytes it transferred.
///
/// A phase that did not happen is `nil`: for example a reused connection, or one that was opened in advance, has no
/// `connect`.
public struct ExchangeTimings: Sendable, Hashable {
    /// The wait for a connection from the pool.
    public var queue: Duration?
    /// The DNS lookup, the first part of ``connect``; `nil` for an IP address.
    public var dns: Duration?
    /// The DNS lookup and the connect, over all addresses that were tried, and through the proxy if there is one.
    ///
    /// The first time, it includes reading certificates and keys.
    public var connect: Duration?
    /// The TLS handshake.
    public var tls: Duration?
    /// Writing the request with its body.
    public var request: Duration?
    /// The time from the last byte of the request to the head of the response.
    public var firstByte: Duration?
    /// The time from the head to the last byte of the body; `nil` while it is still arriving.
    public var body: Duration?
    /// The time from the call of the transport to the end of the last phase above.
    public var total: Duration?
    /// True if the connection had carried an exchange before.
    public var isReusedConnection = false
    /// The bytes of the request before TLS: its head, and the part of its body that was passed to the connection.
    public var sentBytes: Int64 = 0
    /// The bytes of the response that were received: its head, and its body as transferred, before decompression.
    ///
    /// If the body streams, only the bytes that arrived with the head; ``TransportResponse/finalTimings`` has all.
    public var receivedBytes: Int64 = 0
    /// The number of times that the transport sent the request.
    ///
    /// More than one if a connection turned out to be closed, or if the server rejected the request before processing
    /// it. The durations are those of the last time.
    public var transmissions = 1

    /// Creates timings without any phase.
    public init() {}
}

/// The properties of one connection, created once when it opens and shared by all its exchanges.
public final class ConnectionInfo: Sendable, CustomStringConvertible {
    /// A number that is unique in this process.
    public let id: UInt64
    /// The ALPN name of its protocol: `http/1.1`.
    public let applicationProtocol: String
    /// The local address, as `address:port`; `nil` if unknown.
    public let localAddress: String?
    /// The remote address, as `address:port`, or the path of a Unix socket; `nil` if unknown.
    public let remoteAddress: String?
    /// The TLS version, such as `TLSv1.3`; `nil` for a connection without TLS.
    public let tlsVersion: String?
    /// The parameters that TLS negotiated; `nil` for a connection without TLS.
    public let tls: TLSInfo?
    /// The proxy, as a URL without credentials; `nil` without a proxy.
    public let proxy: String?

    /// Creates the properties of a connection.
    ///
    /// - Parameters:
    ///   - id: A unique number.
    ///   - applicationProtocol: The protocol's ALPN name.
    ///   - localAddress: The local address.
    ///   - remoteAddress: The remote address.
    ///   - tlsVersion: The TLS version, or `nil`.
    ///   - tls: The parameters that TLS negotiated, or `nil`.
    ///   - proxy: The proxy, or `nil`.
    public init(
        id: UInt64,
        applicationProtocol: String,
        localAddress: String?,
        remoteAddress: String?,
        tlsVersion: String?,
        tls: TLSInfo? = nil,
        proxy: String? = nil
    ) {
        self.id = id
        self.applicationProtocol = applicationProtocol
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.tlsVersion = tlsVersion
        self.tls = tls
        self.proxy = proxy
    }

    /// One line: the connection's number, protocol, peer and TLS version.
    public var description: String {
        "#\(id) \(applicationProtocol) \(remoteAddress ?? "?")\(tlsVersion.map { " \($0)" } ?? "")\(proxy.map { " through \($0)" } ?? "")"
    }
}
