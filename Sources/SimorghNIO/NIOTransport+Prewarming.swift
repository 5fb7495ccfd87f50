// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension NIOTransport {
    /// Opens connections ahead of requests, so that the first requests wait neither for a DNS lookup nor for a
    /// handshake.
    ///
    /// The connections go to the pool and serve requests with the same host, TLS options and route. They have the same
    /// idle timeout as other connections. Existing connections count, and no connection is closed to free capacity, so
    /// there may be fewer than requested. An HTTP/2 server gets one connection, because that carries many requests. If
    /// the host is already known to speak HTTP/2 and `count` is larger, it gets up to
    /// ``Configuration/maximumHTTP2ConnectionsPerHost``.
    ///
    /// - Parameters:
    ///   - request: A request like the expected ones; it is not sent.
    ///   - count: The number of connections to its host, including the open ones.
    /// - Throws: `TransportError` if a connection could not be opened, the same as for a request. Connections that
    ///   were opened stay open.
    public func prewarm(for request: TransportRequest, connections count: Int = 1) async throws {
        defer { withExtendedLifetime(self) {} }
        guard count > 0 else { return }
        let plan = try RequestPlan(request)
        try await pool.prewarm(try pool.planForHTTP1(plan) ?? plan, upTo: count)
    }
}

extension APIClient {
    /// Opens connections ahead of requests, so that the first requests wait neither for a DNS lookup nor for a
    /// handshake.
    ///
    /// ```swift
    /// try await client.prewarm(connections: 4)
    /// ```
    /// The connections idle in the pool that the client shares with others, at most for its idle timeout. An HTTP/2
    /// server gets one connection, which carries many requests. Does nothing if the client's transport is not an
    /// `NIOTransport`.
    ///
    /// - Parameters:
    ///   - path: The path to append to the client's base URL, or a whole URL if the client has no base URL.
    ///   - count: The number of connections, including the open ones; limited by the pool's configuration.
    /// - Throws: `NetworkError` if a connection could not be opened. Connections that were opened stay open.
    public func prewarm(_ path: String = "", connections count: Int = 1) async throws {
        guard let transport = settings.transport as? NIOTransport else { return }
        let call = call(.get, path)
        let request = try await call.makeRequest(.showing, accept: nil).request
        do {
            try await transport.prewarm(for: request, connections: count)
        } catch {
            throw call.settings.failure(error, for: request)
        }
    }

    /// The counters of the pool of the client's transport; `nil` if the transport is not an `NIOTransport`.
    ///
    /// The default transport is shared by the whole process, so these are the counts of all clients that use it.
    public var connectionStatistics: NIOTransport.Statistics? { (settings.transport as? NIOTransport)?.statistics }
}
