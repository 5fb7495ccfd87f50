// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The message that is being received.
struct MessageAssembler {
    /// The maximum memory that is reserved for a frame's announced length before its bytes arrive, in bytes.
    private static let maximumReservedBytes = 1024 * 1024

    let kind: WebSocketMessage.Kind
    let isCompressed: Bool
    /// True if the message is delivered in fragments; its beginning was then reported.
    var isInParts: Bool
    private let buffer = MessageBuffer()
    private var text = UTF8Validator()

    init(_ kind: WebSocketMessage.Kind, isCompressed: Bool, isInParts: Bool) {
        self.kind = kind
        self.isCompressed = isCompressed
        self.isInParts = isInParts
    }

    /// The number of bytes that were not delivered yet.
    var count: Int { buffer.count }

    /// Reserves memory for a frame that has begun.
    mutating func expect(_ length: Int) {
        buffer.reserve(buffer.count + min(length, Self.maximumReservedBytes))
    }

    /// Appends received bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(WebSocketProtocolError) {
        guard kind == .binary || text.take(bytes) else { throw .invalidText }
        buffer.append(bytes)
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
        let before = buffer.count
        var output = buffer
        let progress = try inflater.inflate(bytes, to: &output, upTo: limit - buffer.count)
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
        let before = buffer.count
        let room = limit - buffer.count
        var output = buffer
        let produced = try inflater.end(to: &output, upTo: room)
        try checkText(from: before)
        return produced < room
    }

    private mutating func checkText(from start: Int) throws(WebSocketProtocolError) {
        guard kind == .text else { return }
        let isText = buffer.withBytes { text.take(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        guard isText else { throw .invalidText }
    }

    /// Removes and returns the undelivered bytes.
    mutating func takePart() -> Data? { buffer.count > 0 ? buffer.takeData() : nil }

    /// Returns the complete message.
    mutating func finish() throws(WebSocketProtocolError) -> WebSocketMessage {
        guard kind == .text else { return .data(buffer.takeData()) }
        guard text.isComplete else { throw .invalidText }
        return .text(buffer.takeText())
    }

    /// Checks the end of a message that is delivered in fragments.
    func checkEnd() throws(WebSocketProtocolError) {
        guard text.isComplete else { throw .invalidText }
    }
}
