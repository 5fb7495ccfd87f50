// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One open WebSocket on the engine.
final class NIOWebSocketLink: WebSocketLink {
    let subprotocol: String?
    let compression: WebSocketCompression?
    let response: TransportResponse
    private let options: WebSocketLinkOptions
    private let inbox: WebSocketInbox
    private let outbox: WebSocketOutbox
    private let pings: PendingPings
    private let loop: any EventLoop
    private let handler: NIOLoopBound<WebSocketHandler>
    /// Made when the first message is compressed; the mutex is only ever asked by who has the turn to send.
    private let deflater = Mutex<MessageDeflater?>(nil)

    init(_ connection: WebSocketConnectionParts, _ response: TransportResponse) {
        subprotocol = connection.agreement.subprotocol
        compression = connection.agreement.compression
        options = connection.options
        inbox = connection.inbox
        outbox = connection.outbox
        pings = connection.pings
        loop = connection.handler.eventLoop
        handler = connection.handler
        self.response = response
    }

    deinit { drop() }

    var closure: WebSocketClosure? { inbox.closure }

    // MARK: Receiving

    func receive() async throws(WebSocketError) -> WebSocketMessage? {
        while true {
            switch try await next(inParts: false) {
            case .message(let message): return message
            case .beginning(let kind):
                if let message = try await whole(kind) { return message }
            case .part, .end: break  // The rest of a message that was taken in parts, and not to its end.
            case nil: return nil
            }
        }
    }

    func receiveParts() async throws(WebSocketError) -> WebSocketParts? {
        while true {
            switch try await next(inParts: true) {
            case .message(let message):
                let rest = Mutex<Data?>(message.bytes)
                return WebSocketParts(kind: message.kind) { () throws(WebSocketError) in
                    rest.withLock { $0.take() }.flatMap { $0.isEmpty ? nil : $0 }
                }
            case .beginning(let kind):
                let hasEnded = Mutex(false)
                return WebSocketParts(kind: kind) { () async throws(WebSocketError) in
                    guard !hasEnded.withLock({ $0 }) else { return nil }
                    switch try await self.next(inParts: false) {
                    case .part(let data): return data
                    case .end, .message, .beginning:
                        hasEnded.withLock { $0 = true }
                        return nil
                    case nil: throw .closing
                    }
                }
            case .part, .end: break
            case nil: return nil
            }
        }
    }

    /// A message that came in parts since somebody had asked for that, and is wanted whole now.
    private func whole(_ kind: WebSocketMessage.Kind) async throws(WebSocketError) -> WebSocketMessage? {
        var bytes = Data()
        while true {
            switch try await next(inParts: false) {
            case .part(let part):
                guard part.count <= options.maximumMessageSize - bytes.count else {
                    let fault = WebSocketFault.tooLarge(limit: options.maximumMessageSize)
                    act { $0.fail(fault) }
                    throw fault.error
                }
                bytes += part
            case .end: return kind == .text ? .text(String(decoding: bytes, as: UTF8.self)) : .data(bytes)
            case .message(let message): return message
            case .beginning: bytes = Data()
            case nil: return nil
            }
        }
    }

    private func next(inParts: Bool) async throws(WebSocketError) -> WebSocketInbox.Item? {
        guard !Task.isCancelled else { throw .cancelled }
        let (early, demand) = try inbox.take()
        perform(demand)
        let delivery: WebSocketInbox.Delivery
        if let early {
            delivery = early
        } else {
            delivery = await inbox.wait(inParts: inParts) { self.perform($0) }
        }
        switch delivery {
        case .item(let item): return item
        case .closed: return nil
        case .failed(let error): throw error
        }
    }

    private func perform(_ demand: WebSocketInbox.Demand) {
        switch demand {
        case .none: break
        case .resume: act { $0.resume() }
        case .parts: act { $0.beginParts() }
        case .overflow: act { $0.refuseOverflow() }
        case .fault: act { $0.taken() }
        }
    }

    private func act(_ work: @escaping @Sendable (WebSocketHandler) -> Void) {
        let handler = handler
        loop.execute {
            work(handler.value)
            handler.value.flushIfNeeded()
        }
    }

    // MARK: Sending

    func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        guard !Task.isCancelled else { throw .cancelled }
        let count = message.byteCount
        let isCompressed = compresses(count)
        let frameSize = max(options.maximumFrameSize ?? .max, 1)
        if !isCompressed, count <= frameSize {
            let sending = try Self.withBytes(of: message, outbox.sendAtOnce)
            if sending != .refused { return tell(sending) }
        }
        try await outbox.enter()
        defer { outbox.leave() }
        let opcode = message.kind.opcode
        guard isCompressed else {
            let frames = Self.frames(message, frameSize) { self.outbox.mask() }
            for frame in frames { tell(try outbox.add(frame)) }
            return
        }
        var payload = ByteBuffer()
        try deflate(message, to: &payload)
        var isFirst = true
        repeat {
            guard let piece = payload.readSlice(length: min(frameSize, payload.readableBytes)) else { break }
            try add(
                isFirst ? opcode : .continuation, piece, isFinal: payload.readableBytes == 0, isCompressed: isFirst)
            isFirst = false
        } while payload.readableBytes > 0
    }

    private func compresses(_ count: Int) -> Bool {
        guard let compression else { return false }
        // zlib cannot look back as little as 8 bits say; nobody must compress.
        return count >= compression.threshold && compression.clientMaximumWindowBits >= 9
    }

    private func deflate(_ message: WebSocketMessage, to output: inout ByteBuffer) throws(WebSocketError) {
        let result = deflater.withLock { deflater -> (ByteBuffer, WebSocketError?) in
            var buffer = ByteBuffer()
            guard let deflater = readied(&deflater) else { return (buffer, .noMemory) }
            Self.withBytes(of: message) { deflater.compress($0, to: &buffer, isWhole: true) }
            return (buffer, nil)
        }
        if let error = result.1 { throw error }
        output = result.0
    }

    private func readied(_ deflater: inout MessageDeflater?) -> MessageDeflater? {
        if deflater == nil, let compression {
            deflater = MessageDeflater(
                windowBits: compression.clientMaximumWindowBits, forgetsContext: compression.clientForgetsContext)
        }
        return deflater
    }

    private func add(
        _ opcode: WebSocketOpcode, _ payload: ByteBuffer, isFinal: Bool, isCompressed: Bool
    ) throws(WebSocketError) {
        var frame = ByteBuffer()
        let mask = outbox.mask()
        payload.withUnsafeReadableBytes {
            FrameWriter.write(
                opcode, $0, isFinal: isFinal, isCompressed: isCompressed, mask: mask, to: &frame)
        }
        tell(try outbox.add(frame))
    }

    /// Lets the loop write, where it does not know yet that it is to.
    private func tell(_ sending: WebSocketOutbox.Sending) {
        guard sending == .addedFirst else { return }
        let handler = handler
        loop.execute { handler.value.flush() }
    }

    private static func frames(
        _ message: WebSocketMessage, _ size: Int, _ mask: () -> UInt32
    ) -> [ByteBuffer] {
        withBytes(of: message) { bytes in
            var frames: [ByteBuffer] = []
            var offset = 0
            repeat {
                let piece = UnsafeRawBufferPointer(rebasing: bytes[offset...].prefix(size))
                var frame = ByteBuffer()
                FrameWriter.write(
                    offset == 0 ? message.kind.opcode : .continuation, piece,
                    isFinal: offset + piece.count == bytes.count, mask: mask(), to: &frame)
                frames.append(frame)
                offset += piece.count
            } while offset < bytes.count
            return frames
        }
    }

    private static func withBytes<Result>(
        of message: WebSocketMessage, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch message {
        case .data(let data): return data.withUnsafeBytes { body($0) }
        case .text(var text): return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
    }

    private static func withBytes(
        of message: WebSocketMessage,
        _ body: (WebSocketOpcode, UnsafeRawBufferPointer) throws(WebSocketError) -> WebSocketOutbox.Sending
    ) throws(WebSocketError) -> WebSocketOutbox.Sending {
        let opcode = message.kind.opcode
        let result: Result<WebSocketOutbox.Sending, WebSocketError> = withBytes(of: message) { bytes in
            Result { () throws(WebSocketError) in try body(opcode, bytes) }
        }
        return try result.get()
    }

    func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind
    ) async throws where Parts.Element == Data {
        try await outbox.enter()
        defer { outbox.leave() }
        let isCompressed = compresses(.max)
        var isFirst = true
        var check = UTF8Check()
        do {
            for try await part in parts where !part.isEmpty {
                guard kind == .binary || part.withUnsafeBytes({ check.take($0) }) else { throw WebSocketError.noText }
                var payload = ByteBuffer()
                if isCompressed {
                    payload = try deflatePart(part)
                } else {
                    payload = ByteBuffer(data: part)
                }
                try await outbox.room()
                try add(
                    isFirst ? kind.opcode : .continuation, payload, isFinal: false,
                    isCompressed: isCompressed && isFirst)
                isFirst = false
            }
            guard check.isComplete else { throw WebSocketError.noText }
            var end = ByteBuffer()
            // A message without a part is not compressed: there is nothing to compress.
            if isCompressed, !isFirst {
                end = deflater.withLock { deflater in
                    var buffer = ByteBuffer()
                    deflater?.endParts(to: &buffer)
                    return buffer
                }
            }
            try add(isFirst ? kind.opcode : .continuation, end, isFinal: true, isCompressed: false)
        } catch {
            // Half a message cannot be taken back.
            if !isFirst { drop() }
            throw error
        }
    }

    private func deflatePart(_ part: Data) throws(WebSocketError) -> ByteBuffer {
        let payload = deflater.withLock { deflater -> ByteBuffer? in
            guard let deflater = readied(&deflater) else { return nil }
            var buffer = ByteBuffer()
            part.withUnsafeBytes { deflater.compress($0, to: &buffer, isWhole: false) }
            return buffer
        }
        guard let payload else { throw .noMemory }
        return payload
    }

    // MARK: Pings and the end

    func ping(_ payload: Data) async throws(WebSocketError) -> Duration {
        guard payload.count <= WebSocketFrame.mostControlBytes else {
            throw WebSocketError(.invalidArgument, message: "a ping has at most 125 bytes, and not \(payload.count)")
        }
        let payload = payload.isEmpty ? pings.nextPayload() : Array(payload)
        return try await pings.wait(payload) { () throws(WebSocketError) in self.tell(try self.outbox.ping(payload)) }
    }

    func close(code: WebSocketCloseCode, reason: String) async -> WebSocketClosure {
        act { $0.close(code, reason) }
        return await inbox.closed { self.drop() }
    }

    func drop() { act { $0.drop() } }
}

extension WebSocketMessage.Kind {
    var opcode: WebSocketOpcode { self == .text ? .text : .binary }
}

extension WebSocketError {
    fileprivate static let noText = WebSocketError(
        .invalidArgument, message: "the parts of a text message are not valid UTF-8")
    fileprivate static let noMemory = WebSocketError(
        .invalidArgument, message: "there is no memory to compress the message")
}
