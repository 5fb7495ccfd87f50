// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How long each phase of one exchange took, and how many bytes it moved.
///
/// A phase that did not happen is `nil`: a reused connection has no connect, nor has one that was opened before anybody
/// asked for it.
public struct ExchangeTimings: Sendable, Hashable {
    /// Waiting for a connection of the pool.
    public var queue: Duration?
    /// Resolving the name, the first part of ``connect``; `nil` for an address.
    public var dns: Duration?
    /// Resolving the name and connecting, over all addresses that were tried, through the proxy where there is one; with
    /// reading certificates and keys, the first time.
    public var connect: Duration?
    /// The TLS handshake.
    public var tls: Duration?
    /// Writing the request, its body with it.
    public var request: Duration?
    /// From the last byte of the request to the head of the response.
    public var firstByte: Duration?
    /// From the head to the last byte of the body; `nil` while it is still arriving.
    public var body: Duration?
    /// From the call of the transport to the last of the above.
    public var total: Duration?
    /// Whether the connection had carried an exchange before.
    public var isReusedConnection = false
    /// The bytes of the request, its head and what of its body was handed to the connection, before TLS.
    public var sentBytes: Int64 = 0
    /// The bytes of the response that had come, its head and its body as it is on the wire.
    ///
    /// Of a response whose body streams, those that had come with its head; ``TransportResponse/finalTimings`` has all.
    public var receivedBytes: Int64 = 0
    /// How often the transport sent the request.
    ///
    /// More than once where a connection was found dead, or the server did not take it so. The times are those of the
    /// last.
    public var rides = 1

    /// Creates timings in which nothing has happened yet.
    public init() {}
}

/// The facts of one connection, made once when it opens and shared by every exchange on it.
public final class ConnectionInfo: Sendable, CustomStringConvertible {
    /// A number that no other connection of this process has.
    public let id: UInt64
    /// The protocol spoken on it, as ALPN names it: `http/1.1`.
    public let applicationProtocol: String
    /// Our end, as `address:port`; `nil` where it is not known.
    public let localAddress: String?
    /// The peer's end, as `address:port`, or the path of a Unix socket; `nil` where it is not known.
    public let remoteAddress: String?
    /// The version of TLS, such as `TLSv1.3`; `nil` on a connection in the clear.
    public let tlsVersion: String?
    /// What TLS agreed on; `nil` on a connection in the clear.
    public let tls: TLSFacts?
    /// The proxy between, as a URL without credentials; `nil` without one.
    public let proxy: String?

    /// Creates the facts of a connection.
    ///
    /// - Parameters:
    ///   - id: A number of its own.
    ///   - applicationProtocol: The protocol's ALPN name.
    ///   - localAddress: Our end.
    ///   - remoteAddress: The peer's end.
    ///   - tlsVersion: The version of TLS, or `nil`.
    ///   - tls: What TLS agreed on, or `nil`.
    ///   - proxy: The proxy between, or `nil`.
    public init(
        id: UInt64,
        applicationProtocol: String,
        localAddress: String?,
        remoteAddress: String?,
        tlsVersion: String?,
        tls: TLSFacts? = nil,
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
