// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Reads a body record by record, asking for no chunk before the records of the last one are taken.
package struct RecordIterator<Parser: RecordParser>: AsyncIteratorProtocol {
    private var chunks: ResponseBody.Iterator
    package private(set) var parser: Parser
    private var pieces = BodyPieces()
    /// How much of the piece was read.
    private var position = 0
    private var isOver = false
    private var isFinishing = false

    package init(_ body: ResponseBody, _ parser: Parser) {
        chunks = body.makeAsyncIterator()
        self.parser = parser
    }

    /// The next record of the chunk that is here; `nil` where one has to be waited for, or the body is over.
    ///
    /// An iterator's loop asks this first, since a call that may wait costs more than most records.
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

    /// The next record, or `nil` at the end; after an error there is none.
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

    /// Lets go of a body that has said that no more will come.
    package mutating func leave() {
        chunks.linger()
        stop()
    }

    /// Lets go of the body, which closes the exchange.
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
