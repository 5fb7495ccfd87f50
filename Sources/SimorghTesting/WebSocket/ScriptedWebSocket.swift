// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
public import SimorghRealtime
import SimorghSupport
import Synchronization

/// A transport without a network for WebSockets: a test holds the server's end of every connection.
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
/// Every opening is accepted, with the first subprotocol that was offered, unless ``onOpen(_:)`` says otherwise. Plain
/// requests go to ``http``, which answers nothing until it gets rules.
public final class ScriptedWebSocket: Transport, WebSocketTransport {
    /// What the server says to an opening.
    public enum Answer: Sendable {
        /// It agrees, and has chosen a subprotocol or none.
        case accept(subprotocol: String?)
        /// It stays with HTTP.
        case refuse(StubResponse)
        /// There is no answer.
        case fail(TransportError)

        /// The server agrees and chooses no subprotocol.
        public static let accept = Answer.accept(subprotocol: nil)
    }

    /// Works out the answer to an opening.
    public typealias Handler =
        @Sendable (_ request: RecordedRequest, _ options: WebSocketLinkOptions) async throws -> Answer

    private struct State {
        var handler: Handler = { _, options in .accept(subprotocol: options.subprotocols.first) }
        var peers: [ScriptedPeer] = []
        var awaited: [Int: Gate] = [:]
    }

    /// Answers plain requests.
    public let http: StubServer
    private let state = Mutex(State())
    private let recorder = RequestRecorder()
    private let maximumBacklog: Int

    /// Creates a transport that accepts every opening.
    ///
    /// - Parameters:
    ///   - http: Answers plain requests.
    ///   - maximumBacklog: How many bytes of a connection's messages, and 64 more for each, wait to be received at the
    ///     server's end; then the client's sends wait until some are. 16 MiB by default; one message is always taken.
    public init(http: StubServer = StubServer(precedence: .first), maximumBacklog: Int = 16 * 1024 * 1024) {
        self.http = http
        self.maximumBacklog = max(1, maximumBacklog)
    }

    /// Sets how openings are answered from now on.
    ///
    /// - Parameter handler: Works out each answer, called once for each opening. What it throws is a failed opening.
    public func onOpen(_ handler: @escaping Handler) { state.withLock { $0.handler = handler } }

    /// The openings so far, accepted or not, in their order; the first 100,000 are kept.
    public var requests: [RecordedRequest] { recorder.requests }

    /// Waits until an opening was asked for.
    ///
    /// - Parameter index: How many came before it.
    /// - Returns: The request.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    public func request(at index: Int) async throws -> RecordedRequest { try await recorder.request(at: index) }

    /// The connections so far, in the order in which they were accepted.
    public var peers: [ScriptedPeer] { state.withLock { $0.peers } }

    /// How many connections stand.
    public var openCount: Int { peers.count(where: \.isOpen) }

    /// Waits until a connection was accepted.
    ///
    /// - Parameter index: How many were accepted before it.
    /// - Returns: The server's end of it.
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
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

    /// Answers a plain request, by ``http``.
    ///
    /// - Parameter request: The request.
    /// - Returns: The scripted response.
    /// - Throws: The scripted error.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await http.send(request)
    }

    /// Answers an opening, as ``onOpen(_:)`` says.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: How the connection is to behave.
    /// - Returns: The client's end of the connection, or the refusal.
    /// - Throws: The scripted error.
    public func open(
        _ request: TransportRequest, _ options: WebSocketLinkOptions
    ) async throws(TransportError) -> WebSocketOpening {
        let exchange = ScriptedExchange(scope: request.options.scope)
        defer { exchange.end() }
        do {
            return try await exchange.run(.head) { [self] in
                let recorded = try exchange.noting { recorder.record(request, body: Data()) }
                let answer = try await state.withLock { $0.handler }(recorded, options)
                try Task.checkCancellation()
                switch answer {
                case .fail(let error): throw error
                case .refuse(let stub): return .refused(try await exchange.respond(with: stub, to: request))
                case .accept(let subprotocol): return .opened(accept(recorded, options, subprotocol))
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
        _ request: RecordedRequest, _ options: WebSocketLinkOptions, _ subprotocol: String?
    ) -> ScriptedLink {
        let wire = ScriptedWire(maximumBacklog: maximumBacklog)
        let peer = ScriptedPeer(request, options, wire)
        var head = HTTPResponse(status: .switchingProtocols)
        if let subprotocol { head.headerFields[.secWebSocketProtocol] = subprotocol }
        let link = ScriptedLink(
            wire, options, subprotocol: subprotocol, response: TransportResponse(head: head))
        let gates = state.withLock { state in
            state.peers.append(peer)
            return state.awaited.removeValue(forKey: state.peers.count - 1)
        }
        gates?.open()
        return link
    }
}
