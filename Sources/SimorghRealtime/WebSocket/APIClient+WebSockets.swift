// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// A WebSocket that comes back; it is not connected yet.
    ///
    /// The upgrade is a request of this client: its header fields, query items, cookies and credentials go with it, its own
    /// steps see it as a GET to `http` or `https`, and its limits of time, TLS and way hold. A token that is refused with
    /// 401 is refreshed once. All of that, and what the router says, is asked for anew at each attempt. Redirects are not
    /// followed, and instead of the client's retries the policy of the options applies.
    ///
    /// - Parameters:
    ///   - router: Where to.
    ///   - options: How it behaves.
    /// - Returns: The connection, which begins with ``WebSocketConnection/connect()``.
    /// - Throws: ``WebSocketRouterError`` for a router that names nothing to connect to.
    public func webSocketConnection(
        _ router: some WebSocketRouter, options: WebSocketOptions = WebSocketOptions()
    ) throws -> WebSocketConnection {
        let settings = settings
        let url = try WebSocketRequest(router).url(settings)
        let configuration = settings.configuration
        let hub = WebSocketHub(options.buffer)
        var behaviour = WebSocketSession.Settings()
        behaviour.policy = options.reconnectPolicy
        behaviour.sendWhileReconnecting = options.sendWhileReconnecting
        behaviour.pongTimeout = options.link.pongTimeout
        behaviour.paths = options.paths ?? configuration.pathWatch
        behaviour.desk = options.receivesInParts ? WebSocketPartsDesk() : nil
        behaviour.time = configuration.time
        behaviour.random = configuration.random
        if let transport = settings.transport as? any LoopTransport {
            behaviour.executor = { transport.callersExecutor }
        }
        let observation = settings.observation
        behaviour.report = { change, failure in
            guard observation.isActive else { return }
            observation.report { .webSocket(WebSocketReport(url: url, change, because: failure, showing: $0)) }
        }
        let usesCredentials = options.allowsAuthentication
        let linkOptions = options.link
        let describe: @Sendable () async throws -> WebSocketRequest = { try WebSocketRequest(router) }
        let session = WebSocketSession(behaviour, hub: hub) { onPong async throws(NetworkError) -> any WebSocketLink in
            var options = linkOptions
            options.onPong = { _ in onPong() }
            return try await self.openWebSocket(options, usesCredentials: usesCredentials, describe)
        }
        return WebSocketConnection(
            url: url, session, decoder: configuration.coding.decoder, encoder: configuration.coding.encoder)
    }

    /// Connects, does something with the connection, and closes it: whether that returns, throws or is cancelled, nothing
    /// of the connection is left afterwards.
    ///
    /// ```swift
    /// let answer = try await client.withWebSocket(ChatSocket()) { socket in
    ///     try await socket.sendText("hello")
    ///     for try await message in socket.messages(of: String.self) { return message }
    ///     return "nothing"
    /// }
    /// ```
    /// - Parameters:
    ///   - router: Where to.
    ///   - options: How the connection behaves.
    ///   - body: What to do with it, once it stands.
    /// - Returns: What `body` returns, after both sides have said goodbye, or ``WebSocketOptions/closeTimeout`` is over.
    /// - Throws: ``WebSocketRouterError``, ``WebSocketError`` where it cannot be connected, and what `body` throws.
    public func withWebSocket<Value>(
        _ router: some WebSocketRouter, options: WebSocketOptions = WebSocketOptions(),
        _ body: (_ socket: WebSocketConnection) async throws -> Value
    ) async throws -> Value {
        let socket = try webSocketConnection(router, options: options)
        do {
            try await socket.open()
            let value = try await body(socket)
            socket.close()
            // A cancellation now takes nothing away but the wait for the server.
            do {
                try await socket.waitUntilClosed()
            } catch {
                await socket.abandon()
            }
            return value
        } catch {
            await socket.abandon()
            throw error
        }
    }
}
