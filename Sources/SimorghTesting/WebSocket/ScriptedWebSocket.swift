// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
public import SimorghRealtime
import SimorghSupport
import Synchronization

/// A WebSocket transport without a network: a test controls the server's end of every connection.
///
/// ```swift
/// let server = ScriptedWebSocket()
/// let client = APIClient(transport: server)
/// // … the client connects …
/// let peer = try await server.peer(at: 0)
/// peer.send(#"{"text": "hello"}"#)
/// let answer = try await peer.receiveText()
/// peer.drop()
/// ```
/// Every handshake is accepted with the first offered subprotocol, unless ``onOpen(_:)`` sets a handler. Plain requests
/// go to ``http``, which has no rules at first.
public final class ScriptedWebSocket: Transport, WebSocketTransport {
    /// The server's response to a handshake.
    public enum Answer: Sendable {
        /// The server accepts and chooses a subprotocol or none.
        case accept(subprotocol: String?)
        /// The server refuses with an HTTP response.
        case refuse(StubResponse)
        /// The handshake fails without a response.
        case fail(TransportError)

        /// The server accepts and chooses no subprotocol.
        public static let accept = Answer.accept(subprotocol: nil)
    }

    /// A function that returns the response to a handshake.
    public typealias Handler =
        @Sendable (_ request: RecordedRequest, _ options: WebSocketChannelOptions) async throws -> Answer

    private struct State {
        var handler: Handler = { _, options in .accept(subprotocol: options.subprotocols.first) }
        var peers: [ScriptedPeer] = []
        var awaited: [Int: Gate] = [:]
    }

    /// The stub server for plain requests.
    public let http: StubServer
    private let state = Mutex(State())
    private let recorder = RequestRecorder()
    private let maximumBacklog: Int

    /// Creates a transport that accepts every handshake.
    ///
    /// - Parameters:
    ///   - http: The stub server for plain requests.
    ///   - maximumBacklog: The size of a connection's buffer of unreceived client messages, in bytes, with 64 more for
    ///     each message. When it is full, the client's sends wait. 16 MiB by default; a single message always fits.
    public init(http: StubServer = StubServer(precedence: .first), maximumBacklog: Int = 16 * 1024 * 1024) {
        self.http = http
        self.maximumBacklog = max(1, maximumBacklog)
    }

    /// Sets the handler of handshakes from now on.
    ///
    /// - Parameter handler: Returns each response, called once for each handshake. If it throws, the handshake fails.
    public func onOpen(_ handler: @escaping Handler) { state.withLock { $0.handler = handler } }

    /// The handshake requests so far, accepted or not, in order; the first 100,000 are kept.
    public var requests: [RecordedRequest] { recorder.requests }

    /// Waits for a handshake request.
    ///
    /// - Parameter index: The number of handshakes before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func request(at index: Int) async throws -> RecordedRequest { try await recorder.request(at: index) }

    /// The connections so far, in the order in which they were accepted.
    public var peers: [ScriptedPeer] { state.withLock { $0.peers } }

    /// The number of open connections.
    public var openCount: Int { peers.count(where: \.isOpen) }

    /// Waits until a connection was accepted.
    ///
    /// - Parameter index: The number of connections accepted before it.
    /// - Returns: The server's end of the connection.
    /// - Throws: `CancellationError` if the task is cancelled.
    public func peer(at index: Int) async throws -> ScriptedPeer {
        while true {
            let (found, gate): (ScriptedPeer?, Gate?) = state.withLock { state in
                if index < state.peers.count { return (state.peers[index], nil) }
                let gate = state.awaited[index] ?? Gate()
                state.awaited[index] = gate
                return (nil, gate)
            }
            if let found { return found }
            try await gate?.wait()
        }
    }

    /// Sends a plain request to ``http``.
    ///
    /// - Parameter request: The request.
    /// - Returns: The scripted response.
    /// - Throws: The scripted error.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await http.send(request)
    }

    /// Opens a WebSocket, as the handler of ``onOpen(_:)`` decides.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of the connection.
    /// - Returns: The client's end of the connection, or the refusal.
    /// - Throws: The scripted error.
    public func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        let exchange = ScriptedExchange(scope: request.options.scope)
        defer { exchange.end() }
        do {
            return try await exchange.run(.head) { [self] in
                let recorded = try exchange.unlessCancelled { recorder.record(request, body: Data()) }
                let answer = try await state.withLock { $0.handler }(recorded, options)
                try Task.checkCancellation()
                switch answer {
                case .fail(let error): throw error
                case .refuse(let stub): return .refused(try await exchange.respond(with: stub, to: request))
                case .accept(let subprotocol):
                    return .opened(accept(recorded, options: options, subprotocol: subprotocol))
                }
            }
        } catch {
            var error = error
            error.method = request.head.method.rawValue
            error.url = request.head.urlString
            throw error
        }
    }

    private func accept(
        _ request: RecordedRequest, options: WebSocketChannelOptions, subprotocol: String?
    ) -> ScriptedLink {
        let wire = ScriptedWire(maximumBacklog: maximumBacklog)
        let peer = ScriptedPeer(request, options: options, wire: wire)
        var head = HTTPResponse(status: .switchingProtocols)
        if let subprotocol { head.headerFields[.secWebSocketProtocol] = subprotocol }
        let link = ScriptedLink(
            wire, options: options, subprotocol: subprotocol, response: TransportResponse(head: head))
        let gates = state.withLock { state in
            state.peers.append(peer)
            return state.awaited.removeValue(forKey: state.peers.count - 1)
        }
        gates?.open()
        return link
    }
}
