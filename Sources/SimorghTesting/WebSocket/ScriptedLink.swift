// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// The client's end of a scripted connection.
final class ScriptedLink: WebSocketChannel {
    let subprotocol: String?
    let compression: WebSocketCompression? = nil
    let response: TransportResponse
    private let options: WebSocketChannelOptions
    private let wire: ScriptedWire
    /// Serializes sends, as on a real connection.
    private let sendLock = AsyncMutex(capacity: 100_000)

    init(_ wire: ScriptedWire, options: WebSocketChannelOptions, subprotocol: String?, response: TransportResponse) {
        self.wire = wire
        self.options = options
        self.subprotocol = subprotocol
        self.response = response
    }

    deinit { drop() }

    var closure: WebSocketCloseInfo? { wire.closure }

    func receive() async throws(WebSocketError) -> WebSocketMessage? {
        let message: WebSocketMessage?
        do {
            message = try await wire.toClient.take()
        } catch {
            throw WebSocketError(.cancelled, message: "the task was cancelled")
        }
        if let message {
            guard message.byteCount <= options.maximumMessageSize else {
                let failure = WebSocketError(
                    .messageTooLarge, message: "a message is larger than \(options.maximumMessageSize) bytes",
                    closeCode: .messageTooBig)
                wire.end(
                    WebSocketCloseInfo(code: .messageTooBig, isClean: false, initiator: .local, failure: failure))
                throw failure
            }
            return message
        }
        if let closure, !closure.isClean { throw closure.failure ?? lost }
        return nil
    }

    func receiveParts() async throws(WebSocketError) -> WebSocketFragments? {
        guard let message = try await receive() else { return nil }
        let rest = Mutex(Optional(message.bytes))
        return WebSocketFragments(kind: message.kind) { () async throws(WebSocketError) in rest.withLock { $0.take() } }
    }

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        try await acquireSendLock()
        defer { sendLock.leave() }
        try put(message)
    }

    func send<Parts: AsyncSequence & Sendable>(_ parts: Parts, as kind: WebSocketMessage.Kind) async throws
    where Parts.Element == Data {
        try await acquireSendLock()
        defer { sendLock.leave() }
        try checkOpen()
        var bytes = Data()
        for try await part in parts { bytes.append(part) }
        try put(kind == .text ? .text(String(decoding: bytes, as: UTF8.self)) : .data(bytes))
    }

    private func acquireSendLock() async throws(WebSocketError) {
        do {
            guard try await sendLock.enter() else {
                throw WebSocketError(.closed, message: "too many tasks send at once")
            }
            do {
                if let gate = wire.writable.withLock({ $0 }) { try await gate.wait() }
                try await wire.waitForCapacity()
            } catch {
                sendLock.leave()
                throw error
            }
        } catch let error as WebSocketError {
            throw error
        } catch {
            throw WebSocketError(.cancelled, message: "the task was cancelled")
        }
    }

    private func checkOpen() throws(WebSocketError) {
        guard wire.closure == nil, wire.receivedClose == nil else {
            throw WebSocketError(.closed, message: "the connection is closed", closeCode: wire.closure?.code)
        }
    }

    private func put(_ message: WebSocketMessage) throws(WebSocketError) {
        try checkOpen()
        wire.put(message)
    }

    func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        guard payload.count <= 125 else {
            throw WebSocketError(.invalidArgument, message: "a ping carries at most 125 bytes")
        }
        guard closure == nil else { throw WebSocketError(.closed, message: "the connection is closed") }
        guard wire.ping() else {
            do {
                try await wire.ended.wait()
            } catch {
                throw WebSocketError(.cancelled, message: "the task was cancelled")
            }
            throw closure?.failure ?? lost
        }
        options.onPong?(payload)
        return .zero
    }

    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketCloseInfo {
        wire.sendClose(code.isSendable ? code : .normal, reason: reason)
        do {
            try await wire.ended.wait()
        } catch {
            drop()
        }
        return closure ?? WebSocketCloseInfo(code: code, reason: reason, isClean: false, initiator: .local)
    }

    func drop() {
        wire.endAbnormally("this side dropped the connection", by: .local)
    }

    private var lost: WebSocketError {
        WebSocketError(.connectionLost, message: "the connection was lost", closeCode: .abnormalClosure)
    }
}
