// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghRealtime
import SimorghSupport

extension URLSessionTransport: WebSocketTransport {
    /// Opens a WebSocket connection with a `URLSessionWebSocketTask`.
    ///
    /// The session's VPN, proxy and certificate settings apply. The timeouts for the head and in total limit the opening.
    /// On Linux every opening fails, and on watchOS it does without the transport's `allowsLowLevelNetworking`.
    ///
    /// Some options have no effect, as with a server that declines them: messages are not compressed, and each is sent
    /// as one frame. A message in parts is collected up to
    /// ``/SimorghRealtime/WebSocketChannelOptions/maximumMessageSize`` before it is sent, and received as one part.
    /// Pings have no payload, and `onPong` receives empty data.
    ///
    /// - Parameters:
    ///   - request: The request, a GET without a body. Its scheme is `ws`, `wss`, `http` or `https`.
    ///   - options: The options of the connection.
    /// - Returns: The open connection, or the response of a server that refused, with an empty body.
    /// - Throws: `TransportError`. Its cause is an ``UnsupportedByURLSessionError`` if the platform or the session cannot
    ///   open it, and a `WebSocketHandshakeError` if the server selected a subprotocol that was not offered. A cancelled
    ///   task throws one with the code `cancelled`.
    public func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        try SessionWebSocketPlatform.current.check(allowsLowLevelNetworking: allowsLowLevelNetworking)
        let upgrade = try SessionWebSocketUpgrade(request, options: options)
        let lease = try await webSocketLease(for: upgrade.request)
        let owner = lease.owner
        let socket = SessionWebSocket(upgrade, options: options, time: .system)
        let task = try owner.webSocketTask(upgrade.request, options: options, reportingTo: socket)
        // The lease is kept as long as the socket reports to the delegate.
        return try await socket.open(over: task) { [lease, identifier = task.identifier] in
            lease.owner.delegate.webSockets.remove(identifier)
        }
    }
}
