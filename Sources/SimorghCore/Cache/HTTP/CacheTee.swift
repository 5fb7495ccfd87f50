// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The body of a response while it is stored.
///
/// Each chunk is written down before it is handed on, and the whole is kept when its end has come. A body that breaks off, or that nobody reads to its end, leaves nothing.
struct CacheTee: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let body: ResponseBody
    let writer: any BlobWriter
    /// How many bytes have to come; `nil` where nobody said.
    let length: Int64?

    func makeAsyncIterator() -> Iterator {
        Iterator(base: body.makeAsyncIterator(), writer: writer, length: length)
    }

    struct Iterator: AsyncIteratorProtocol, LingeringChunks {
        var base: ResponseBody.Iterator
        var writer: (any BlobWriter)?
        let length: Int64?
        var count: Int64 = 0

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard let chunk = try await base.next(isolation: actor) else {
                // Without a length the end is all that tells the whole, and there are sequences that end when cancelled.
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
