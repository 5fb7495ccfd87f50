// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghURLSession
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport whose WebSockets are those of SimorghURLSession, over tasks of the engine that call back as a session's.
struct EngineSessionTransport: Transport, WebSocketTransport {
    private let engine = NIOTransport()

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await engine.send(request)
    }

    func open(
        _ request: TransportRequest, options: WebSocketChannelOptions
    ) async throws(TransportError) -> WebSocketOpenResult {
        let upgrade = try SessionWebSocketUpgrade(request, options: options)
        let socket = SessionWebSocket(upgrade, options: options, time: .system)
        return try await socket.open(over: EngineWebSocketTask(engine, upgrade, options: options, reportsTo: socket))
    }
}

/// A WebSocket of the engine with the callbacks of a `URLSessionWebSocketTask`.
final class EngineWebSocketTask: SessionWebSocketTask {
    private struct State {
        var channel: (any WebSocketChannel)?
        var response: HTTPResponse?
        var closure: WebSocketCloseInfo?
        var isCancelled = false
    }

    private let engine: NIOTransport
    private let upgrade: SessionWebSocketUpgrade
    private let options: WebSocketChannelOptions
    private let socket: SessionWebSocket
    private let state = Mutex(State())
    /// The messages and the close frame, in order.
    private let writes: AsyncStream<@Sendable () async -> Void>.Continuation
    private let writer: Task<Void, Never>

    init(
        _ engine: NIOTransport, _ upgrade: SessionWebSocketUpgrade, options: WebSocketChannelOptions,
        reportsTo socket: SessionWebSocket
    ) {
        self.engine = engine
        self.upgrade = upgrade
        var options = options
        // The state machine under test does the first two, and a session has no others.
        (options.pingInterval, options.onPong, options.compression, options.maximumFrameSize) = (nil, nil, nil, nil)
        options.subprotocols = upgrade.subprotocols
        self.options = options
        self.socket = socket
        let (stream, continuation) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
        writes = continuation
        writer = Task { for await write in stream { await write() } }
    }

    deinit { writer.cancel() }

    var response: HTTPResponse? { state.withLock { $0.response } }
    var closeCode: WebSocketCloseCode? { state.withLock { $0.closure }.flatMap { $0.isClean ? $0.code : nil } }
    var closeReason: String { state.withLock { $0.closure?.reason ?? "" } }
    private var channel: (any WebSocketChannel)? { state.withLock { $0.channel } }

    func resume() {
        Task { [engine, upgrade, options, socket] in
            do {
                switch try await engine.open(upgrade.request, options: options) {
                case .opened(let channel):
                    let isCancelled = self.state.withLock { state in
                        (state.channel, state.response) = (channel, channel.response.head)
                        return state.isCancelled
                    }
                    if isCancelled { channel.drop() }
                    socket.opened(subprotocol: channel.subprotocol)
                case .refused(let response):
                    self.state.withLock { $0.response = response.head }
                    socket.completed(URLError(.badServerResponse))
                }
            } catch {
                socket.completed(error)
            }
        }
    }

    func send(_ message: WebSocketMessage, completion: @escaping @Sendable ((any Error)?) -> Void) {
        writes.yield { [channel] in
            do {
                try await channel?.send(message)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    func receive(completion: @escaping @Sendable (Result<WebSocketMessage, any Error>) -> Void) {
        Task { [channel] in
            do {
                guard let message = try await channel?.receive() else { throw POSIXError(.ENOTCONN) }
                completion(.success(message))
            } catch {
                // As a session does: first the error, then the close frame, then the completion.
                let isTooLarge = (error as? WebSocketError)?.code == .messageTooLarge
                completion(.failure(isTooLarge ? POSIXError(.EMSGSIZE) : error))
                self.end(channel?.closure, error: error)
            }
        }
    }

    private func end(_ closure: WebSocketCloseInfo?, error: any Error) {
        state.withLock { $0.closure = closure }
        if let closure, closure.isClean { socket.closed(closure.code, reason: closure.reason) }
        socket.completed(closure?.isClean == true ? nil : error)
    }

    func sendPing(onPong: @escaping @Sendable ((any Error)?) -> Void) {
        Task { [channel] in
            do {
                _ = try await channel?.ping()
                onPong(nil)
            } catch {
                onPong(error)
            }
        }
    }

    func cancel(with code: WebSocketCloseCode, reason: Data) {
        writes.yield { [channel] in
            _ = await channel?.close(code: code, reason: String(decoding: reason, as: UTF8.self))
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        channel?.drop()
        writes.finish()
        socket.completed(URLError(.cancelled))
    }
}
