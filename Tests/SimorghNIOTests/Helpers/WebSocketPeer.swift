// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import SimorghRealtime
import Synchronization
import TestSupport

/// A WebSocket server that accepts every handshake, sends the test's bytes, and records the frames it receives.
///
/// For behavior that no well-behaved server shows. It closes when its last reference is released.
final class WebSocketPeer: Sendable {
    /// A received frame with its payload unmasked.
    struct Frame: Sendable, Hashable {
        var opcode: UInt8
        var isFinal: Bool
        var isCompressed: Bool
        var isMasked: Bool
        var payload: [UInt8]

        var text: String { String(decoding: payload, as: UTF8.self) }
    }

    private struct State {
        var heard: [UInt8] = []
        var frames: [Frame] = []
        var taken = 0
        var channel: (any Channel)?
        var hasEnded = false
        var failure: (any Error)?
        var accepted = 0
        var open = 0
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let fields: @Sendable (String) -> String
        let behind: [UInt8]
        let onOpen: (@Sendable (any Channel, Int) -> Void)?

        init(
            _ fields: @escaping @Sendable (String) -> String, _ behind: [UInt8],
            _ onOpen: (@Sendable (any Channel, Int) -> Void)?
        ) {
            self.fields = fields
            self.behind = behind
            self.onOpen = onOpen
        }
    }

    private let listener: any Channel
    private let shared: Shared

    /// Starts listening on a free port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - fields: Returns further fields of the response, each with its line end, for a request.
    ///   - behind: The bytes that are sent in one packet with the response.
    ///   - onOpen: Called for each open connection with its number, counted from 1.
    /// - Throws: The system's error if no port is available.
    init(
        fields: @escaping @Sendable (String) -> String = { _ in "" }, behind: [UInt8] = [],
        onOpen: (@Sendable (_ channel: any Channel, _ number: Int) -> Void)? = nil
    ) async throws {
        let shared = Shared(fields, behind, onOpen)
        self.shared = shared
        listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(shared))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit {
        listener.close(promise: nil)
        shared.state.withLock { $0.channel }?.close(promise: nil)
    }

    var port: Int { listener.localAddress?.port ?? 0 }

    var authority: String { "127.0.0.1:\(port)" }

    /// True if the connection has ended; `accepted` counts the connections.
    var hasEnded: Bool { shared.state.withLock { $0.hasEnded } }
    var accepted: Int { shared.state.withLock { $0.accepted } }

    /// The number of open connections.
    var open: Int { shared.state.withLock { $0.open } }

    /// The system's error if the connection did not end cleanly.
    var failure: (any Error)? { shared.state.withLock { $0.failure } }

    var channel: (any Channel)? { shared.state.withLock { $0.channel } }

    /// The number of received frames.
    var frameCount: Int { shared.state.withLock { $0.frames.count } }

    /// Waits for a frame and takes it.
    func next() async -> Frame? {
        try? await eventually { shared.state.withLock { $0.taken < $0.frames.count || $0.hasEnded } }
        return shared.state.withLock { state in
            guard state.taken < state.frames.count else { return nil }
            defer { state.taken += 1 }
            return state.frames[state.taken]
        }
    }

    func send(_ bytes: [UInt8]) { channel?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func send(_ opcode: UInt8, _ text: String, isFinal: Bool = true) {
        send(Self.frame(opcode, Array(text.utf8), isFinal: isFinal))
    }

    func close() { channel?.close(promise: nil) }

    /// Closes the sending side and continues to read.
    func finish() { channel?.close(mode: .output, promise: nil) }

    /// Stops or resumes reading.
    func setReading(_ isReading: Bool) async throws {
        try await channel?.setOption(.autoRead, value: isReading).get()
        if isReading { channel?.read() }
    }

    /// Returns a compressed message as a server sends it.
    static func compressed(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var packed = ByteBuffer()
        let deflater = MessageDeflater(windowBits: 15, forgetsContext: false)
        payload.withUnsafeBytes { deflater?.compress($0, to: &packed, endsMessage: true) }
        return frame(opcode, Array(packed.readableBytesView), isCompressed: true)
    }

    /// The response field that accepts compression.
    static let deflates = "Sec-WebSocket-Extensions: permessage-deflate\r\n"

    /// Resets the connection, as a machine that does not know it would.
    func reset() {
        guard let channel else { return }
        (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    /// Returns a frame as a server sends it.
    static func frame(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false) -> [UInt8]
    {
        var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode]
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ...0xFFFF: bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return bytes + payload
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let shared: Shared
        private var head = ""
        private var isOpen = false

        init(_ shared: Shared) { self.shared = shared }

        func channelActive(context: ChannelHandlerContext) {
            let channel = context.channel
            shared.state.withLock { state in
                state.channel = channel
                state.accepted += 1
                state.open += 1
            }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = Array(unwrapInboundIn(data).readableBytesView)
            if isOpen { return hear(bytes) }
            head += String(decoding: bytes, as: UTF8.self)
            guard head.hasSuffix("\r\n\r\n") else { return }
            isOpen = true
            let key = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key: ") }
            let answer = WebSocketHandshake.answer(to: String(key?.dropFirst(19) ?? ""))
            var response = ByteBuffer(
                string: "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: \(answer)\r\n\(shared.fields(head))\r\n")
            response.writeBytes(shared.behind)
            context.writeAndFlush(NIOAny(response), promise: nil)
            shared.onOpen?(context.channel, shared.state.withLock { $0.accepted })
        }

        private func hear(_ bytes: [UInt8]) {
            shared.state.withLock { state in
                state.heard += bytes
                while let (frame, size) = Self.frame(state.heard) {
                    state.frames.append(frame)
                    state.heard.removeFirst(size)
                }
            }
        }

        private static func frame(_ bytes: [UInt8]) -> (Frame, Int)? {
            guard bytes.count >= 2 else { return nil }
            var length = Int(bytes[1] & 0x7F)
            var offset = 2
            let more = length == 126 ? 2 : length == 127 ? 8 : 0
            if more > 0 {
                guard bytes.count >= 2 + more else { return nil }
                length = bytes[2..<(2 + more)].reduce(0) { $0 << 8 | Int($1) }
                offset += more
            }
            let isMasked = bytes[1] & 0x80 != 0
            let mask = isMasked ? Array(bytes[offset...].prefix(4)) : [0, 0, 0, 0]
            offset += isMasked ? 4 : 0
            guard bytes.count >= offset + length, mask.count == 4 else { return nil }
            let payload = bytes[offset..<(offset + length)].enumerated().map { $1 ^ mask[$0 % 4] }
            return (
                Frame(
                    opcode: bytes[0] & 0x0F, isFinal: bytes[0] & 0x80 != 0, isCompressed: bytes[0] & 0x40 != 0,
                    isMasked: isMasked, payload: payload), offset + length
            )
        }

        func channelInactive(context: ChannelHandlerContext) {
            shared.state.withLock { state in
                state.hasEnded = true
                state.open -= 1
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            shared.state.withLock { $0.failure = error }
            context.close(promise: nil)
        }
    }

    // MARK: The client side

    /// True if tests open their WebSockets over byte streams instead of the engine.
    @TaskLocal static var usesByteStreams = false

    /// Opens a WebSocket to this server.
    func open(
        _ transport: NIOTransport = .shared, port: Int? = nil,
        _ change: (inout WebSocketChannelOptions) -> Void = { _ in }
    ) async throws -> any WebSocketChannel {
        var options = WebSocketChannelOptions()
        options.pingInterval = nil
        options.closeTimeout = .seconds(3600)
        change(&options)
        let request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: "ws", authority: "127.0.0.1:\(port ?? self.port)", path: "/birds"))
        let streams: (any WebSocketTransport)? = Self.usesByteStreams ? SocketByteStream.transport() : nil
        switch try await (streams ?? transport).open(request, options: options) {
        case .opened(let webSocket): return webSocket
        case .refused(let response): throw Refused(status: response.head.status.code)
        }
    }

    struct Refused: Error { let status: Int }
}
