// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Creates a WebSocket connection that reconnects automatically.
    ///
    /// It is not connected yet.
    ///
    /// The upgrade request is a request of this client: it carries the client's header fields, query items, cookies
    /// and credentials, passes its interceptors as a GET to `http` or `https`, and respects its timeouts, TLS and
    /// routing options. A token that the server rejects with 401 is refreshed once. The client's settings and the
    /// router are read again for each attempt. Redirects are not followed. The reconnect policy of the options
    /// replaces the client's retries. A drain of the client closes the connection with 1001.
    ///
    /// - Parameters:
    ///   - router: The WebSocket to connect to.
    ///   - options: The options of the connection.
    /// - Returns: The connection; start it with ``WebSocketConnection/connect()``.
    /// - Throws: ``WebSocketRouterError`` if the router does not describe a valid WebSocket URL.
    public func webSocketConnection(
        _ router: some WebSocketRouter, options: WebSocketOptions = WebSocketOptions()
    ) throws -> WebSocketConnection {
        let settings = settings
        let url = try WebSocketRequest(router).url(settings)
        let configuration = settings.configuration
        let hub = WebSocketEventBroadcaster(options.buffer)
        var sessionSettings = WebSocketSession.Settings()
        sessionSettings.policy = options.reconnectPolicy
        sessionSettings.sendWhileReconnecting = options.sendWhileReconnecting
        sessionSettings.pongTimeout = options.link.pongTimeout
        sessionSettings.paths = options.paths ?? configuration.pathWatch
        sessionSettings.fragmentQueue = options.streamsMessages ? FragmentQueue() : nil
        sessionSettings.time = configuration.time
        sessionSettings.random = configuration.random
        if let transport = settings.transport as? any EventLoopTransport {
            sessionSettings.executor = { transport.callerExecutor }
        }
        let observation = settings.observation
        sessionSettings.report = { change, failure in
            guard observation.isActive else { return }
            observation.report { .webSocket(WebSocketReport(url: url, change, because: failure, showing: $0)) }
        }
        let usesCredentials = options.allowsAuthentication
        let linkOptions = options.link
        let describe: @Sendable () async throws -> WebSocketRequest = { try WebSocketRequest(router) }
        let session = WebSocketSession(sessionSettings, hub: hub) {
            onPong async throws(NetworkError) -> any WebSocketChannel in
            var options = linkOptions
            options.onPong = { _ in onPong() }
            return try await self.openWebSocket(options, usesCredentials: usesCredentials, describe: describe)
        }
        gate.add(session)
        return WebSocketConnection(
            url: url, session, decoder: configuration.coding.decoder, encoder: configuration.coding.encoder)
    }

    /// Connects, runs a closure with the connection, and closes the connection.
    ///
    /// No connection or task is left when this returns, whether `body` returns, throws or is cancelled. Without a network
    /// it throws after ``WebSocketReconnectPolicy/maximumAttempts``, and does not wait for one.
    ///
    /// ```swift
    /// let answer = try await client.withWebSocket(ChatSocket()) { socket in
    ///     try await socket.sendText("hello")
    ///     for try await message in socket.messages(of: String.self) { return message }
    ///     return "nothing"
    /// }
    /// ```
    /// - Parameters:
    ///   - router: The WebSocket to connect to.
    ///   - options: The options of the connection.
    ///   - body: The closure to run once the connection is open.
    /// - Returns: The value that `body` returns, after the close handshake or ``WebSocketOptions/closeTimeout``.
    /// - Throws: ``WebSocketRouterError``, ``WebSocketError`` if the connection cannot be opened, or the error of
    ///   `body`.
    public func withWebSocket<Value>(
        _ router: some WebSocketRouter, options: WebSocketOptions = WebSocketOptions(),
        body: (_ socket: WebSocketConnection) async throws -> Value
    ) async throws -> Value {
        let socket = try webSocketConnection(router, options: options)
        do {
            try await socket.open()
            let value = try await body(socket)
            socket.close()
            // A cancellation here only cuts short the wait for the server's close frame.
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
