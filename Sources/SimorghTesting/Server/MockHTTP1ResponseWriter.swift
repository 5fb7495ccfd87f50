// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import NIOHTTP1
import SimorghSupport
import Synchronization

/// One exchange over HTTP/1.1.
///
/// It writes the framing itself, so that the framing can be invalid.
final class MockHTTP1ResponseWriter: MockResponseWriter {
    typealias Upgrade = @Sendable (WebSocketScript, RecordedRequest) async throws -> MockSocket?

    private enum Framing {
        case none
        /// The remaining bytes of the announced length.
        case length(Int)
        case chunks
        case untilClose
    }

    private struct State {
        /// The framing; bytes before a head are sent unframed.
        var framing = Framing.untilClose
        var closes: Bool
        var hasHead = false
        var isBroken = false
    }

    private let channel: any Channel
    private let isHead: Bool
    private let minor: Int
    private let upgrade: Upgrade
    private let state: Mutex<State>

    init(
        _ channel: any Channel, isHead: Bool, minor: Int, closes: Bool,
        upgrade: @escaping Upgrade
    ) {
        self.channel = channel
        self.isHead = isHead
        self.minor = minor
        self.upgrade = upgrade
        state = Mutex(State(closes: closes))
    }

    /// True if the connection is to be closed after the response.
    var closes: Bool { state.withLock { $0.closes } }

    /// True if the connection is no longer usable for HTTP: broken, stalled or upgraded to a WebSocket.
    var isBroken: Bool { state.withLock { $0.isBroken } }

    func interim(_ head: HTTPResponse) async throws {
        try await write("HTTP/1.1 \(head.status.code) \(reason(head.status))\r\n\(fields(head.headerFields))\r\n")
    }

    func head(_ head: HTTPResponse, length: Int?) async throws {
        let isBodiless = head.status.code < 200 || head.status.code == 204 || head.status.code == 304
        var text = "HTTP/1.1 \(head.status.code) \(reason(head.status))\r\n"
        text += fields(head.headerFields.filter { $0.name != .contentLength && $0.name != .transferEncoding })
        let closes = state.withLock { state in
            state.hasHead = true
            if isBodiless {
                state.framing = .none
            } else if let length {
                state.framing = .length(isHead ? 0 : length)
            } else {
                state.framing = minor > 0 ? .chunks : .untilClose
            }
            if case .untilClose = state.framing { state.closes = true }
            if head.headerFields[.connection]?.lowercased() == "close" { state.closes = true }
            return state.closes
        }
        if !isBodiless {
            if let length {
                text += "Content-Length: \(length)\r\n"
            } else if minor > 0 {
                text += "Transfer-Encoding: chunked\r\n"
            }
        }
        if head.headerFields[.connection] == nil {
            if closes { text += "Connection: close\r\n" } else if minor == 0 { text += "Connection: keep-alive\r\n" }
        }
        try await write(text + "\r\n")
    }

    func bytes(_ bytes: Data) async throws {
        // An empty chunk would end the body (RFC 9112, section 7.1).
        guard !bytes.isEmpty else { return }
        var buffer = ByteBuffer()
        state.withLock { state in
            switch state.framing {
            case .none: return
            case .untilClose: buffer.writeBytes(bytes)
            case .length(let rest):
                state.framing = .length(rest - bytes.count)
                buffer.writeBytes(bytes)
            case .chunks:
                buffer.writeString(String(bytes.count, radix: 16) + "\r\n")
                buffer.writeBytes(bytes)
                buffer.writeString("\r\n")
            }
        }
        if buffer.readableBytes > 0 { try await channel.writeAndFlush(buffer).get() }
    }

    func end(_ trailers: HTTPFields) async throws {
        let isChunked = state.withLock { state in
            // Fewer or more bytes than announced make the connection unusable.
            if case .length(let rest) = state.framing, rest != 0 { state.closes = true }
            if case .chunks = state.framing { return !isHead }
            return false
        }
        if isChunked { try await write("0\r\n\(fields(trailers))\r\n") }
    }

    func fault(_ fault: WireFault) async throws -> Bool {
        let isChunked = state.withLock { state in
            if case .chunks = state.framing { true } else { false }
        }
        if case .truncate = fault, isChunked {
            try await end(HTTPFields())
            return false
        }
        if case .goAway = fault, state.withLock({ $0.hasHead }) {
            state.withLock { $0.closes = true }
            return true
        }
        // The plan contains waits for it.
        if case .slow = fault { return true }
        state.withLock { $0.isBroken = true }
        switch fault {
        case .reset, .resetStream: try? await channel.triggerUserOutboundEvent(HardReset()).get()
        case .stall: try await channel.closeFuture.get()
        case .garbage:
            try? await channel.writeAndFlush(
                ByteBuffer(bytes: SeededBytes(seed: 7, count: 256).chunk(at: 0, upTo: 256))
            ).get()
            try? await channel.close().get()
        case .close, .truncate, .goAway, .slow: try? await channel.close().get()
        }
        return false
    }

    func abandon() {
        state.withLock { $0.isBroken = true }
        channel.close(promise: nil)
    }

    func openWebSocket(_ script: WebSocketScript, for request: RecordedRequest) async throws -> MockSocket? {
        let socket = try await upgrade(script, request)
        if socket != nil { state.withLock { $0.isBroken = true } }
        return socket
    }

    private func write(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)).get() }

    private func fields(_ fields: some Sequence<HTTPField>) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }

    private func reason(_ status: HTTPResponse.Status) -> String {
        status.reasonPhrase.isEmpty ? HTTPResponseStatus(statusCode: status.code).reasonPhrase : status.reasonPhrase
    }
}
