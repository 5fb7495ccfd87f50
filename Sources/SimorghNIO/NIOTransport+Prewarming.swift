// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension NIOTransport {
    /// Opens connections before there are requests for them, so that the first ones wait neither for a handshake nor for
    /// a name.
    ///
    /// They go to the pool, where requests of the same host, TLS options and route find them, and idle no longer than
    /// others. Those that are there already count, and nothing is closed to make room, so there may be fewer than asked
    /// for. An HTTP/2 server gets one, since that carries many requests, unless it is known already and more are asked
    /// for, up to ``Configuration/maximumHTTP2ConnectionsPerHost``.
    ///
    /// - Parameters:
    ///   - request: A request like those that are to come; nothing of it is sent.
    ///   - count: How many connections to its host there are to be.
    /// - Throws: `TransportError`: why a connection could not be opened, as a request on it would; those that could stay.
    public func prewarm(for request: TransportRequest, connections count: Int = 1) async throws {
        defer { withExtendedLifetime(self) {} }
        guard count > 0 else { return }
        let plan = try RequestPlan(request)
        try await pool.prewarm(try pool.planForHTTP1(plan) ?? plan, upTo: count)
    }
}

extension APIClient {
    /// Opens connections before there are requests for them, so that the first ones wait neither for a handshake nor for
    /// a name.
    ///
    /// ```swift
    /// try await client.prewarm(connections: 4)
    /// ```
    /// They idle in the pool that the client shares with others, no longer than its time for idling. An HTTP/2 server
    /// gets one, which carries many requests. Where the client's transport is none of ours, nothing happens.
    ///
    /// - Parameters:
    ///   - path: Where the connections are to lead: what is appended to the client's base URL, or a whole URL where it has
    ///     none.
    ///   - count: How many there are to be, with those that are open already; bounded by the limits of the pool.
    /// - Throws: `NetworkError`: why a connection could not be opened; those that could stay.
    public func prewarm(_ path: String = "", connections count: Int = 1) async throws {
        guard let transport = settings.transport as? NIOTransport else { return }
        let call = call(.get, path)
        let request = try await call.makeRequest(.showing, accept: nil).request
        do {
            try await transport.prewarm(for: request, connections: count)
        } catch {
            throw call.settings.failure(error, request)
        }
    }

    /// What the pool of the client's transport holds and has done; `nil` where that is none of ours.
    ///
    /// The default transport is one for the whole process, so these are the counts of all clients on it.
    public var connectionStatistics: NIOTransport.Statistics? { (settings.transport as? NIOTransport)?.statistics }
}
