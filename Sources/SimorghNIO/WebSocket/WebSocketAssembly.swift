// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOFoundationEssentialsCompat
import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The message that is coming, as far as it has come.
struct WebSocketAssembly {
    /// So much of a frame's length is believed before its bytes are there.
    private static let mostReserved = 1024 * 1024
    /// From so many bytes on the memory itself is handed over, and not a copy of it.
    private static let handsOver = 16 * 1024

    let kind: WebSocketMessage.Kind
    let isCompressed: Bool
    /// Whether it is handed on piece by piece; if so, whether its beginning was told.
    var isInParts: Bool
    private var buffer = ByteBuffer()
    private var text = UTF8Check()

    init(_ kind: WebSocketMessage.Kind, isCompressed: Bool, isInParts: Bool) {
        self.kind = kind
        self.isCompressed = isCompressed
        self.isInParts = isInParts
    }

    /// How many bytes of it wait to be handed on.
    var count: Int { buffer.readableBytes }

    /// A frame of it was begun.
    mutating func expect(_ length: Int) {
        let wanted = buffer.readableBytes + min(length, Self.mostReserved)
        if buffer.capacity < wanted { buffer.reserveCapacity(wanted) }
    }

    /// More of it came.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(WebSocketFault) {
        guard kind == .binary || text.take(bytes) else { throw .invalidText }
        buffer.writeBytes(bytes)
    }

    /// More of it came, compressed.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - inflater: Undoes it.
    ///   - limit: The most bytes that may wait to be handed on.
    /// - Returns: How many bytes of the input were used; fewer than there are when the limit is reached.
    /// - Throws: `WebSocketFault` for what cannot be undone, or is no text.
    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ inflater: MessageInflater, upTo limit: Int
    ) throws(WebSocketFault) -> Int {
        let before = buffer.writerIndex
        let progress = try inflater.inflate(bytes, to: &buffer, upTo: limit - buffer.readableBytes)
        try checkText(from: before)
        return progress.taken
    }

    /// What is left in the inflater.
    ///
    /// - Parameters:
    ///   - inflater: Holds it.
    ///   - limit: The most bytes that may wait to be handed on.
    /// - Returns: Whether that was all; not when the limit is reached.
    /// - Throws: `WebSocketFault` for what cannot be undone, or is no text.
    mutating func end(_ inflater: MessageInflater, upTo limit: Int) throws(WebSocketFault) -> Bool {
        let before = buffer.writerIndex
        let room = limit - buffer.readableBytes
        let given = try inflater.end(to: &buffer, upTo: room)
        try checkText(from: before)
        return given < room
    }

    private mutating func checkText(from start: Int) throws(WebSocketFault) {
        guard kind == .text else { return }
        let isText = buffer.withUnsafeReadableBytes { bytes in
            text.take(UnsafeRawBufferPointer(rebasing: bytes[(start - buffer.readerIndex)...]))
        }
        guard isText else { throw .invalidText }
    }

    /// What came since the last time.
    mutating func takePart() -> Data? {
        guard buffer.readableBytes > 0 else { return nil }
        defer { buffer = ByteBuffer() }
        return Self.data(&buffer)
    }

    /// The message, which is whole.
    mutating func finish() throws(WebSocketFault) -> WebSocketMessage {
        guard kind == .text else { return .data(Self.data(&buffer)) }
        guard text.isComplete else { throw .invalidText }
        return .text(buffer.readString(length: buffer.readableBytes) ?? "")
    }

    /// The end of a message that is taken in parts.
    func checkEnd() throws(WebSocketFault) {
        guard text.isComplete else { throw .invalidText }
    }

    private static func data(_ buffer: inout ByteBuffer) -> Data {
        let count = buffer.readableBytes
        let isLarge = count >= handsOver && count * 2 >= buffer.capacity
        return buffer.readData(length: count, byteTransferStrategy: isLarge ? .noCopy : .copy) ?? Data()
    }
}
