// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The message that is being received.
struct MessageAssembler {
    /// The maximum memory that is reserved for a frame's announced length before its bytes arrive, in bytes.
    private static let maximumReservedBytes = 1024 * 1024
    /// The size from which the buffer's memory itself becomes the message, instead of a copy, in bytes.
    private static let minimumUncopiedSize = 16 * 1024

    let kind: WebSocketMessage.Kind
    let isCompressed: Bool
    /// True if the message is delivered in fragments; its beginning was then reported.
    var isInParts: Bool
    private var buffer = ByteBuffer()
    private var text = UTF8Validator()

    init(_ kind: WebSocketMessage.Kind, isCompressed: Bool, isInParts: Bool) {
        self.kind = kind
        self.isCompressed = isCompressed
        self.isInParts = isInParts
    }

    /// The number of bytes that were not delivered yet.
    var count: Int { buffer.readableBytes }

    /// Reserves memory for a frame that has begun.
    mutating func expect(_ length: Int) {
        let wanted = buffer.readableBytes + min(length, Self.maximumReservedBytes)
        if buffer.capacity < wanted { buffer.reserveCapacity(wanted) }
    }

    /// Appends received bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(WebSocketProtocolError) {
        guard kind == .binary || text.take(bytes) else { throw .invalidText }
        buffer.writeBytes(bytes)
    }

    /// Appends received compressed bytes.
    ///
    /// - Parameters:
    ///   - bytes: The compressed bytes.
    ///   - inflater: The inflater of the connection.
    ///   - limit: The maximum number of undelivered bytes.
    /// - Returns: The number of input bytes consumed; not all of them if the limit is reached.
    /// - Throws: `WebSocketProtocolError` if the bytes cannot be decompressed or a text is not UTF-8.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, inflater: MessageInflater, upTo limit: Int
    ) throws(WebSocketProtocolError) -> Int {
        let before = buffer.writerIndex
        let progress = try inflater.inflate(bytes, to: &buffer, upTo: limit - buffer.readableBytes)
        try checkText(from: before)
        return progress.taken
    }

    /// Appends the bytes that are left in the inflater.
    ///
    /// - Parameters:
    ///   - inflater: The inflater of the connection.
    ///   - limit: The maximum number of undelivered bytes.
    /// - Returns: True if the message is complete; false if the limit is reached.
    /// - Throws: `WebSocketProtocolError` if the bytes cannot be decompressed or a text is not UTF-8.
    mutating func end(_ inflater: MessageInflater, upTo limit: Int) throws(WebSocketProtocolError) -> Bool {
        let before = buffer.writerIndex
        let room = limit - buffer.readableBytes
        let produced = try inflater.end(to: &buffer, upTo: room)
        try checkText(from: before)
        return produced < room
    }

    private mutating func checkText(from start: Int) throws(WebSocketProtocolError) {
        guard kind == .text else { return }
        let isText = buffer.withUnsafeReadableBytes { bytes in
            text.take(UnsafeRawBufferPointer(rebasing: bytes[(start - buffer.readerIndex)...]))
        }
        guard isText else { throw .invalidText }
    }

    /// Removes and returns the undelivered bytes.
    mutating func takePart() -> Data? {
        guard buffer.readableBytes > 0 else { return nil }
        defer { buffer = ByteBuffer() }
        return Self.data(&buffer)
    }

    /// Returns the complete message.
    mutating func finish() throws(WebSocketProtocolError) -> WebSocketMessage {
        guard kind == .text else { return .data(Self.data(&buffer)) }
        guard text.isComplete else { throw .invalidText }
        return .text(buffer.readString(length: buffer.readableBytes) ?? "")
    }

    /// Checks the end of a message that is delivered in fragments.
    func checkEnd() throws(WebSocketProtocolError) {
        guard text.isComplete else { throw .invalidText }
    }

    private static func data(_ buffer: inout ByteBuffer) -> Data {
        let count = buffer.readableBytes
        let isLarge = count >= minimumUncopiedSize && count * 2 >= buffer.capacity
        return buffer.readData(length: count, byteTransferStrategy: isLarge ? .noCopy : .copy) ?? Data()
    }
}
