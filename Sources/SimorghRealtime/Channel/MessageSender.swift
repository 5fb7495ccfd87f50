// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport
import Synchronization

/// The queue that takes the frames of a connection's messages.
package protocol WebSocketFrameQueue: TurnQueue {
    associatedtype Frame: Sendable

    /// Encodes a frame.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - payload: The payload, of the length in the header.
    /// - Returns: The frame.
    func encode(_ header: WebSocketFrame, payload: UnsafeRawBufferPointer) -> Frame

    /// Adds frames of the active sender, all of them or none, and has them written.
    func add(_ frames: [Frame]) throws(WebSocketError)
}

/// Sends the messages of a WebSocket connection, whole or in parts: compresses them and splits them into frames.
package final class MessageSender<Queue: WebSocketFrameQueue>: Sendable {
    /// The largest buffer that is allocated, in bytes.
    private static var maximumBufferSize: Int { 1 << 30 }

    private let queue: Queue
    private let compression: WebSocketCompression?
    /// The maximum payload of a frame, in bytes.
    package let frameSize: Int
    /// Created when the first message is compressed.
    ///
    /// Only the task that holds the queue's turn locks it.
    private let deflater = Mutex<MessageDeflater?>(nil)

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - queue: The queue of frames.
    ///   - options: The options of the connection.
    ///   - compression: The agreed compression.
    package init(_ queue: Queue, options: WebSocketChannelOptions, compression: WebSocketCompression?) {
        self.queue = queue
        self.compression = compression
        frameSize = min(max(options.maximumFrameSize ?? .max, 1), Self.maximumBufferSize)
    }

    /// Returns true if a message of this size is compressed.
    package func compresses(_ count: Int) -> Bool {
        guard let compression, count <= Self.maximumBufferSize else { return false }
        // zlib does not support a window of 8 bits. Compression is optional for the sender.
        return count >= compression.threshold && compression.clientMaximumWindowBits >= 9
    }

    /// Sends a message; see ``WebSocketChannel/send(_:)``.
    package func send(_ message: WebSocketMessage) async throws(WebSocketError) {
        try await queue.enter()
        defer { queue.leave() }
        // The connection may end at any time. Once it has, the queue throws before anything of this message is added.
        guard compresses(message.byteCount) else {
            return try queue.add(message.withBytes { frames(message.kind, payload: $0, isCompressed: false) })
        }
        let packed = deflater.withLock { deflater -> [Queue.Frame]? in
            guard let deflater = readied(&deflater) else { return nil }
            var output = MessageBuffer()
            message.withBytes { deflater.compress($0, to: &output, endsMessage: true) }
            return output.withBytes { frames(message.kind, payload: $0, isCompressed: true) }
        }
        guard let packed else { throw .noMemory }
        try queue.add(packed)
    }

    private func frames(
        _ kind: WebSocketMessage.Kind, payload: UnsafeRawBufferPointer, isCompressed: Bool
    ) -> [Queue.Frame] {
        var frames: [Queue.Frame] = []
        var offset = 0
        repeat {
            let piece = UnsafeRawBufferPointer(rebasing: payload[offset...].prefix(frameSize))
            let header = WebSocketFrame(
                offset == 0 ? kind.opcode : .continuation, length: piece.count,
                isFinal: offset + piece.count == payload.count, isCompressed: isCompressed && offset == 0)
            frames.append(queue.encode(header, payload: piece))
            offset += piece.count
        } while offset < payload.count
        return frames
    }

    private func readied(_ deflater: inout MessageDeflater?) -> MessageDeflater? {
        if deflater == nil, let compression {
            deflater = MessageDeflater(
                windowBits: compression.clientMaximumWindowBits, forgetsContext: compression.clientNoContextTakeover)
        }
        return deflater
    }

    /// Sends a message in parts; see ``WebSocketChannel/send(_:as:)``.
    ///
    /// - Parameters:
    ///   - parts: The parts.
    ///   - kind: The kind of the message.
    ///   - drop: Ends the connection, because a message that was sent in part cannot be withdrawn.
    /// - Throws: `WebSocketError`, or the error of `parts`.
    package func send<Parts: AsyncSequence & Sendable>(
        _ parts: Parts, as kind: WebSocketMessage.Kind, orDrop drop: () -> Void
    ) async throws where Parts.Element == Data {
        try await queue.enter()
        defer { queue.leave() }
        let isCompressed = compresses(Self.maximumBufferSize)
        var isFirst = true
        var check = UTF8Validator()
        do {
            for try await part in parts where !part.isEmpty {
                guard kind == .binary || part.withUnsafeBytes({ check.take($0) }) else { throw WebSocketError.noText }
                var rest = part[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(frameSize)
                    rest = rest.dropFirst(piece.count)
                    // Wait before compressing: a compressed part must be sent, because the server's context depends on
                    // it.
                    try await queue.room()
                    try queue.add([try frame(of: piece, kind, isFirst: isFirst, isCompressed: isCompressed)])
                    isFirst = false
                }
            }
            guard check.isComplete else { throw WebSocketError.noText }
            // An empty message is not compressed.
            try queue.add([lastFrame(of: kind, isFirst: isFirst, isCompressed: isCompressed && !isFirst)])
        } catch {
            if !isFirst { drop() }
            throw error
        }
    }

    private func frame(
        of piece: Data, _ kind: WebSocketMessage.Kind, isFirst: Bool, isCompressed: Bool
    ) throws(WebSocketError) -> Queue.Frame {
        let opcode = isFirst ? kind.opcode : .continuation
        guard isCompressed else {
            return piece.withUnsafeBytes {
                queue.encode(WebSocketFrame(opcode, length: $0.count, isFinal: false), payload: $0)
            }
        }
        let frame = deflater.withLock { deflater -> Queue.Frame? in
            guard let deflater = readied(&deflater) else { return nil }
            var output = MessageBuffer()
            piece.withUnsafeBytes { deflater.compress($0, to: &output, endsMessage: false) }
            return output.withBytes {
                queue.encode(
                    WebSocketFrame(opcode, length: $0.count, isFinal: false, isCompressed: isFirst), payload: $0)
            }
        }
        guard let frame else { throw .noMemory }
        return frame
    }

    private func lastFrame(of kind: WebSocketMessage.Kind, isFirst: Bool, isCompressed: Bool) -> Queue.Frame {
        deflater.withLock { deflater in
            var output = MessageBuffer()
            if isCompressed { deflater?.endParts(to: &output) }
            return output.withBytes {
                queue.encode(WebSocketFrame(isFirst ? kind.opcode : .continuation, length: $0.count), payload: $0)
            }
        }
    }
}

extension WebSocketMessage {
    /// Calls a closure with the bytes of the message, without a copy.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .data(let data): return data.withUnsafeBytes { body($0) }
        case .text(let text): return text.withBytes(body)
        }
    }
}

extension WebSocketMessage.Kind {
    package var opcode: WebSocketOpcode { self == .text ? .text : .binary }
}

extension WebSocketError {
    fileprivate static let noText = WebSocketError(
        .invalidArgument, message: "the parts of a text message are not valid UTF-8")
    fileprivate static let noMemory = WebSocketError(
        .invalidArgument, message: "there is no memory to compress the message")
}
