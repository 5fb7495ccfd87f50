// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import TestSupport

/// The server's end of a WebSocket over a pipe: it reads the frames of the client, and sends what the test says.
final class PipePeer: Sendable {
    /// A received frame with its payload unmasked.
    struct Frame: Hashable {
        var opcode: UInt8
        var isFinal: Bool
        var isCompressed: Bool
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
    }

    let stream: PipeByteStream
    private let unread = LockedValue<[UInt8]>([])

    init(_ stream: PipeByteStream) { self.stream = stream }

    deinit { stream.abort() }

    /// Reads the request head.
    func head() async throws -> String {
        while true {
            let text = String(decoding: unread.value, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n") {
                let head = String(text[..<end.upperBound])
                unread.change { $0.removeFirst(head.utf8.count) }
                return head
            }
            guard let bytes = try await stream.read(upTo: 100) else { return text }
            unread.change { $0 += bytes }
        }
    }

    /// Reads the request, and accepts the handshake.
    func accept(_ fields: String = "", behind: [UInt8] = []) async throws {
        let key = try await head().split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key: ") }
        let answer = WebSocketHandshake.answer(to: String(key?.dropFirst(19) ?? ""))
        let head =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Accept: \(answer)\r\n\(fields)\r\n"
        try await stream.write(Data(head.utf8) + Data(behind))
    }

    func send(_ bytes: [UInt8]) async throws { try await stream.write(Data(bytes)) }

    /// Reads the next frame; `nil` at the end.
    func next() async -> Frame? {
        while true {
            if let frame = take() { return frame }
            guard let bytes = try? await stream.read(upTo: 1000) else { return nil }
            unread.change { $0 += bytes }
        }
    }

    private func take() -> Frame? {
        let unread = unread.value
        guard unread.count >= 2 else { return nil }
        var length = Int(unread[1] & 0x7F)
        var offset = 2
        let more = length == 126 ? 2 : length == 127 ? 8 : 0
        guard unread.count >= offset + more + 4 else { return nil }
        if more > 0 { length = unread[2..<(2 + more)].reduce(0) { $0 << 8 | Int($1) } }
        offset += more
        let mask = Array(unread[offset..<(offset + 4)])
        offset += 4
        guard unread.count >= offset + length else { return nil }
        let end = offset + length
        let payload = unread[offset..<end].enumerated().map { $1 ^ mask[$0 % 4] }
        let first = unread[0]
        self.unread.change { $0.removeFirst(end) }
        return Frame(
            opcode: first & 0x0F, isFinal: first & 0x80 != 0, isCompressed: first & 0x40 != 0, payload: payload)
    }

    /// Returns a frame as a server sends it.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return bytes + payload
    }

    static func text(_ text: String) -> [UInt8] { frame(1, Array(text.utf8)) }

    /// The request of a WebSocket.
    static let request = TransportRequest(
        head: HTTPRequest(method: .get, scheme: "ws", authority: "birds.example", path: "/simorgh"))

    /// Opens a WebSocket over a pipe.
    static func open(
        over client: PipeByteStream, time: TimeSource = .system, request: TransportRequest = request,
        _ change: (inout WebSocketChannelOptions) -> Void = { _ in }
    ) async throws -> WebSocketOpenResult {
        var options = WebSocketChannelOptions()
        options.pingInterval = nil
        change(&options)
        return try await ByteStreamWebSocketTransport(time: time) { _, _ throws(TransportError) in client }
            .open(request, options: options)
    }

    /// Opens a WebSocket over a pipe whose server accepts it.
    static func connected(
        room: Int = 4096, seed: UInt64 = 1, time: TimeSource = .system, fields: String = "", behind: [UInt8] = [],
        _ change: (inout WebSocketChannelOptions) -> Void = { _ in }
    ) async throws -> (any WebSocketChannel, PipePeer) {
        let (client, server) = PipeByteStream.pair(room: room, seed: seed)
        let peer = Task {
            let peer = PipePeer(server)
            try await peer.accept(fields, behind: behind)
            return peer
        }
        guard case .opened(let channel) = try await open(over: client, time: time, change) else {
            throw CancellationError()
        }
        return (channel, try await peer.value)
    }
}
