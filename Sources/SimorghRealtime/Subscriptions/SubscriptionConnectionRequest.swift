// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The description of one attempt to connect: the request, and the session for the connection.
public struct SubscriptionConnectionRequest<Session: SubscriptionSession>: Sendable {
    /// The address, header fields, query and subprotocols of the connection.
    public var router: any WebSocketRouter
    /// The session that reads and writes the messages of the connection.
    public var session: Session
    /// True if a server that selects none of the subprotocols is rejected.
    ///
    /// Default: true if subprotocols are offered.
    public var requiresSubprotocol: Bool
    /// A dialog with the server before the session starts.
    ///
    /// Default: none.
    ///
    /// Its time is limited by ``SubscriptionOptions/readyTimeout``. An error that it throws ends every subscription.
    public var negotiate: (@Sendable (any SubscriptionTransport) async throws -> Void)?

    /// Creates an attempt from a router.
    ///
    /// - Parameters:
    ///   - router: The description of the connection.
    ///   - session: The session that reads and writes the messages.
    public init(_ router: any WebSocketRouter, session: Session) {
        self.router = router
        self.session = session
        requiresSubprotocol = !router.protocols.isEmpty
    }

    /// Creates an attempt from a URL.
    ///
    /// - Parameters:
    ///   - url: The address, a `ws` or `wss` URL.
    ///   - query: Additional query items.
    ///   - headers: The header fields of the request.
    ///   - subprotocols: The subprotocols to offer, in order of preference.
    ///   - session: The session that reads and writes the messages.
    public init(
        url: String, query: [String: String] = [:], headers: [String: String] = [:], subprotocols: [String] = [],
        session: Session
    ) {
        self.init(
            URLRouter(
                baseURLString: url, headers: headers, queryParams: query.isEmpty ? nil : query, protocols: subprotocols
            ), session: session)
    }
}

/// A router for a URL with query, header fields and subprotocols.
private struct URLRouter: WebSocketRouter {
    let baseURLString: String
    let headers: [String: String]?
    let queryParams: [String: String]?
    let protocols: [String]
}
