// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// Opens WebSockets over Apple's Network framework, with the library's own implementation of the protocol.
///
/// Take it for WebSockets on Apple platforms when `URLSessionWebSocketTask` is not enough: it compresses messages
/// (permessage-deflate), sends and receives messages in fragments of any size, sends pings with a payload and measures
/// their round trip, and reads no faster than messages are taken. Take the engine (`SimorghNIO`) for unix sockets and
/// fixed addresses.
///
/// Connections are made by host name, so the system's VPN on demand and per-app VPN apply. Proxies and client
/// certificates are those that `URLSessionTransport` supports; PEM, unix sockets and fixed addresses are refused before
/// connecting. Trust of one's own, pins and an evaluation apply with `URLSessionTransport.networkWebSockets`, and are
/// refused otherwise. A connection with any of them, or with a client certificate, does not resume a TLS session of an
/// earlier connection, so that each server is judged. A network that ``/SimorghCore/TransportOptions/access`` forbids
/// fails the opening with a `NetworkAccessError`, if the client has a network monitor. watchOS allows such connections
/// only to audio and VoIP apps. The timeouts `connect` and `tls` apply together. Other platforms than Apple's have no such
/// connections, so it cannot be created there.
public struct NetworkWebSocketTransport: WebSocketTransport, Transport {
    private let requests: any Transport
    private let sockets: ByteStreamWebSocketTransport

    /// Creates a transport with its own judgement of certificates.
    ///
    /// - Parameters:
    ///   - requests: The transport that sends the client's HTTP requests.
    ///   - verify: The judgement; `nil` for that of the system.
    ///   - connect: Creates a connection, which is not started yet.
    package init(
        requests: any Transport, verify: NetworkConnectionPlan.Verify?,
        connect: @escaping NetworkConnectionPlan.Connect
    ) {
        self.requests = requests
        sockets = ByteStreamWebSocketTransport { target, options throws(TransportError) in
            let plan = try NetworkConnectionPlan(target, options: options, verify: verify)
            return try await NetworkConnectionByteStream.open(plan, over: plan.connection(by: connect))
        }
    }

    /// Sends an HTTP request with the transport that was passed to the initializer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The error of that transport.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await requests.send(request)
    }

    /// Opens a WebSocket.
    ///
    /// - Parameters:
    ///   - request: The request, a GET without a body, with the scheme `ws`, `wss`, `http` or `https`.
    ///   - options: The options of the connection.
    /// - Returns: The open connection, or the response of a server that refused, with at most 1 MiB of its body.
    /// - Throws: `TransportError`, also for options that are not supported.
    public func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        try await sockets.open(request, options: options)
    }
}

extension NetworkWebSocketTransport: ConnectivityWaitingTransport {
    /// True if the transport of the requests can hold a request until there is a network for it.
    package var waitsForConnectivity: Bool {
        (requests as? any ConnectivityWaitingTransport)?.waitsForConnectivity == true
    }
}
