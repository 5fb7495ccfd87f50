// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Bytes in memory as chunks of at most 128 KiB, without copying them.
package struct DataChunks: AsyncSequence, Sendable {
    package typealias Element = Data
    package typealias Failure = any Error

    let pieces: [Data]
    let size: Int

    /// Creates chunks of at most `size` bytes.
    package init(pieces: [Data], size: Int = FileChunks.chunkSize) {
        self.pieces = pieces
        self.size = size
    }

    package func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces[...], size: size) }

    package struct Iterator: AsyncIteratorProtocol {
        var pieces: ArraySlice<Data>
        let size: Int
        var rest = Data()

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            try Task.checkCancellation()
            while rest.isEmpty {
                guard let piece = pieces.popFirst() else { return nil }
                rest = piece
            }
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(chunk.count)
            return chunk
        }
    }
}
