// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a body record by record, asking for no chunk before the records of the last one are taken.
package struct RecordIterator<Parser: RecordParser>: AsyncIteratorProtocol {
    private var chunks: ResponseBody.Iterator
    package private(set) var parser: Parser
    private var chunk = Data()
    /// How much of the chunk was read.
    private var position = 0
    private var isOver = false
    private var isFinishing = false

    package init(_ body: ResponseBody, _ parser: Parser) {
        chunks = body.makeAsyncIterator()
        self.parser = parser
    }

    /// The next record, or `nil` at the end; after an error there is none.
    package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Parser.Record? {
        while !isOver {
            if position < chunk.count {
                do {
                    if let record = try parser.next(in: chunk, at: &position) { return record }
                } catch {
                    stop()
                    throw error
                }
            }
            if isFinishing { return try finish() }
            // Given up before the next one is waited for: a stream may be silent for hours.
            chunk = Data()
            position = 0
            do {
                guard let next = try await chunks.next(isolation: actor) else {
                    isFinishing = true
                    continue
                }
                chunk = next
            } catch {
                stop()
                throw error
            }
        }
        return nil
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

    /// Lets go of the body, which closes the exchange.
    private mutating func stop() {
        isOver = true
        chunk = Data()
        chunks = ResponseBody.empty.makeAsyncIterator()
    }
}

extension RecordParser {
    fileprivate mutating func next(in chunk: Data, at position: inout Int) throws(StreamingError) -> Record? {
        // The closure throws nothing itself: Data hands on untyped errors alone.
        let result = chunk.withUnsafeBytes { bytes -> Result<Record?, StreamingError> in
            do throws(StreamingError) {
                return .success(try next(in: bytes, at: &position))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
