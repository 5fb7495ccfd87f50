// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One attempt at a connection: the request, and who reads and writes its messages.
public struct SubscriptionOpening<Session: SubscriptionSession>: Sendable {
    /// Where to connect, with what header fields, query and subprotocols.
    public var router: any WebSocketRouter
    /// Reads and writes the messages of the connection.
    public var session: Session
    /// Whether a server that chooses none of the subprotocols is refused; on by default where some are offered.
    public var requiresSubprotocol: Bool
    /// What is said before the session is told of the connection, as a dialogue; nothing by default.
    ///
    /// It is bounded by ``SubscriptionOptions/readyTimeout``. What it throws ends every subscription.
    public var negotiate: (@Sendable (any SubscriptionTransport) async throws -> Void)?

    /// Creates an attempt from a router.
    ///
    /// - Parameters:
    ///   - router: Where to connect.
    ///   - session: Reads and writes the messages.
    public init(_ router: any WebSocketRouter, session: Session) {
        self.router = router
        self.session = session
        requiresSubprotocol = !router.protocols.isEmpty
    }

    /// Creates an attempt from a URL.
    ///
    /// - Parameters:
    ///   - url: Where to connect: a `ws` or `wss` URL.
    ///   - query: More for the URL's query.
    ///   - headers: Header fields of the request.
    ///   - subprotocols: What is offered, the best first.
    ///   - session: Reads and writes the messages.
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

/// A URL with what belongs to it, as a router.
private struct URLRouter: WebSocketRouter {
    let baseURLString: String
    let headers: [String: String]?
    let queryParams: [String: String]?
    let protocols: [String]
}
