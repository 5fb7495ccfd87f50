// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import NIOPosix
import SimorghCore
import SimorghRealtime
import Synchronization

/// Records the event loops on which ``note()`` was called.
final class EventLoopRecorder: Sendable {
    private let loops = Mutex<[ObjectIdentifier?]>([])

    /// The event loop of the current thread.
    static var here: ObjectIdentifier? {
        MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) }
    }

    /// The recorded event loops, in order; `nil` for other threads.
    var seen: [ObjectIdentifier?] { loops.withLock { $0 } }

    func note() { loops.withLock { $0.append(Self.here) } }
}

/// A WebSocket router that records where the client asked for its path.
struct RecordingRouter: WebSocketRouter {
    let port: Int
    let loops = EventLoopRecorder()

    var baseURLString: String { "ws://127.0.0.1:\(port)" }

    var path: String {
        loops.note()
        return "/birds"
    }
}

/// A subscription to that server's messages, as text.
struct RecordingSubscriptionRouter: SubscriptionRouter {
    typealias Event = String

    let place: RecordingRouter

    var baseURLString: String { place.baseURLString }
    var path: String { place.path }
    var subscribeMessage: some Encodable { ["topic": "news"] }

    func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> String? {
        String(decoding: message.bytes, as: UTF8.self)
    }
}

/// A WebSocket that records where it was read.
final class RecordingWebSocketChannel: EventLoopWebSocketChannel {
    let loops = EventLoopRecorder()
    let taskExecutor: (any TaskExecutor)?
    private let base: any WebSocketChannel

    init(_ base: any WebSocketChannel) {
        self.base = base
        taskExecutor = (base as? any EventLoopWebSocketChannel)?.taskExecutor
    }

    var subprotocol: String? { base.subprotocol }
    var compression: WebSocketCompression? { base.compression }
    var response: TransportResponse { base.response }
    var closure: WebSocketCloseInfo? { base.closure }

    func receive() async throws(WebSocketError) -> WebSocketMessage? {
        loops.note()
        let message = try await base.receive()
        loops.note()
        return message
    }

    func sendImmediately(_ message: WebSocketMessage) -> Bool {
        (base as? any EventLoopWebSocketChannel)?.sendImmediately(message) ?? false
    }

    func takeBufferedMessage(upTo most: Int) -> WebSocketMessage? {
        (base as? any EventLoopWebSocketChannel)?.takeBufferedMessage(upTo: most)
    }

    /// Does nothing: the test records where the reading task runs.
    func deliverMessages(to hand: @escaping MessageSink) {}

    func receiveParts() async throws(WebSocketError) -> WebSocketFragments? { try await base.receiveParts() }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await base.send(message) }

    func send<Parts: AsyncSequence & Sendable>(_ parts: Parts, as kind: WebSocketMessage.Kind) async throws
    where Parts.Element == Data {
        try await base.send(parts, as: kind)
    }

    func ping(_ payload: Data) async throws(WebSocketError) -> Duration { try await base.ping(payload) }

    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        await base.close(code: code, reason: reason)
    }

    func drop() { base.drop() }
}
