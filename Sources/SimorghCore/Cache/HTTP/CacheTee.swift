// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The body of a response that is stored while it is read.
///
/// Each chunk is written before it is delivered, and the response is committed at the end of the body. A body that is
/// interrupted, or not read to its end, is not stored.
struct CacheTee: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let body: ResponseBody
    let writer: any BlobWriter
    /// The expected number of bytes; `nil` if unknown.
    let length: Int64?

    func makeAsyncIterator() -> Iterator {
        Iterator(base: body.makeAsyncIterator(), writer: writer, length: length)
    }

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var base: ResponseBody.Iterator
        var writer: (any BlobWriter)?
        let length: Int64?
        var count: Int64 = 0

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard let chunk = try await base.next(isolation: actor) else {
                // Without a length only the end marks a complete body, but some sequences also end when cancelled.
                if length.map({ $0 == count }) ?? !Task.isCancelled { await writer?.commit() }
                writer = nil
                return nil
            }
            count += Int64(chunk.count)
            if let open = writer, await !open.write(chunk) { writer = nil }
            return chunk
        }

        func linger() {
            var base = base
            base.linger()
        }
    }
}
