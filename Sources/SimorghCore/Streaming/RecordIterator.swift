// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Reads a body record by record.
///
/// Requests the next chunk only after all records of the last one were consumed.
package struct RecordIterator<Parser: RecordParser>: AsyncIteratorProtocol {
    private var chunks: ResponseBody.Iterator
    package private(set) var parser: Parser
    private var pieces = BodyPieces()
    /// The number of bytes of the piece that were read.
    private var position = 0
    private var isOver = false
    private var isFinishing = false

    package init(_ body: ResponseBody, parser: Parser) {
        chunks = body.makeAsyncIterator()
        self.parser = parser
    }

    /// Returns the next record of the current chunk; `nil` if another chunk is needed or the body has ended.
    ///
    /// Performance: an iterator calls this first, since an async call costs more than most records.
    package mutating func ready() throws -> Parser.Record? {
        repeat {
            guard position < pieces.bytes.count else { continue }
            do {
                if let record = try parser.next(in: pieces.bytes, at: &position) { return record }
            } catch {
                stop()
                throw error
            }
        } while nextPiece()
        return nil
    }

    /// Returns the next record, or `nil` at the end and after an error.
    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Parser.Record? {
        while !isOver {
            if let record = try ready() { return record }
            if isFinishing { return try finish() }
            do {
                if let chunk = try await chunks.next(isolation: actor) {
                    pieces.take(chunk)
                    position = 0
                } else {
                    isFinishing = true
                }
            } catch {
                stop()
                throw error
            }
        }
        return nil
    }

    private mutating func nextPiece() -> Bool {
        position = 0
        return pieces.advance()
    }

    private mutating func finish() throws -> Parser.Record? {
        do {
            if let record = try parser.finish() { return record }
        } catch {
            stop()
            throw error
        }
        stop()
        return nil
    }

    /// Releases a body whose end of stream marker was read, so that its connection can be reused.
    package mutating func release() {
        chunks.linger()
        stop()
    }

    /// Releases the body, which closes the exchange.
    private mutating func stop() {
        isOver = true
        pieces = BodyPieces()
        chunks = ResponseBody.empty.makeAsyncIterator()
    }
}

extension RecordParser {
    fileprivate mutating func next(in bytes: [UInt8], at position: inout Int) throws(StreamingError) -> Record? {
        try bytes.withUnsafeBufferPointer { bytes throws(StreamingError) in
            try next(in: UnsafeRawBufferPointer(bytes), at: &position)
        }
    }
}
