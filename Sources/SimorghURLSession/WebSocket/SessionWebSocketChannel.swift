// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// An open WebSocket over a session; releasing the last reference drops it.
final class SessionWebSocketChannel: WebSocketChannel {
    let subprotocol: String?
    let response: TransportResponse
    /// A session does not compress messages.
    var compression: WebSocketCompression? { nil }
    private let socket: SessionWebSocket

    init(_ socket: SessionWebSocket, subprotocol: String?, response: TransportResponse) {
        self.socket = socket
        self.subprotocol = subprotocol
        self.response = response
    }

    deinit { socket.drop() }

    var closure: WebSocketCloseInfo? { socket.closure }

    func receive() async throws(WebSocketError) -> WebSocketMessage? { try await socket.receive() }

    func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        guard let message = try await socket.receive() else { return nil }
        let rest = Mutex<Data?>(message.bytes)
        return WebSocketFragments(kind: message.kind) { () throws(WebSocketError) in
            rest.withLock { $0.take() }.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) { try await socket.send(message) }

    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        if let closure { throw closure.failure ?? WebSocketError.closing }
        let limit = socket.options.maximumMessageSize
        var bytes = Data()
        for try await part in parts {
            guard part.count <= limit - bytes.count else {
                throw WebSocketError(
                    .messageTooLarge,
                    message: "URLSession sends a message as a whole, and its parts exceed maximumMessageSize of "
                        + "\(limit) bytes: the engine of import SimorghNIO sends parts of any size")
            }
            bytes += part
        }
        guard kind == .text else { return try await socket.send(.data(bytes)) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw WebSocketError(.invalidArgument, message: "the parts of a text message are not valid UTF-8")
        }
        try await socket.send(.text(text))
    }

    func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        guard payload.count <= WebSocketFrame.maximumControlPayload else {
            throw WebSocketError(.invalidArgument, message: "a ping carries at most 125 bytes, not \(payload.count)")
        }
        return try await socket.ping()
    }

    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        await socket.close(code: code, reason: reason)
    }

    func drop() { socket.drop() }
}
