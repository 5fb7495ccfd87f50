// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The concatenation of several bodies; each is read when the previous one has ended.
package struct ConcatenatedChunks: AsyncSequence, Sendable {
    package typealias Element = Data
    package typealias Failure = any Error

    /// An error for a part whose length differs from the declared one, so that the parts after it would be misplaced.
    package struct WrongLengthError: Error, CustomStringConvertible {
        let declared: Int64
        let actual: Int64
        package var description: String {
            "a part of the form has \(actual > declared ? "more than" : "only \(actual) of") the \(declared) bytes "
                + "it promised"
        }
    }

    let pieces: [RequestBody]

    package init(pieces: [RequestBody]) { self.pieces = pieces }

    /// The total number of bytes; `nil` if the length of one part is unknown.
    package var length: Int64? {
        var sum: Int64 = 0
        for piece in pieces {
            guard let length = piece.length, length >= 0 else { return nil }
            let (next, overflows) = sum.addingReportingOverflow(length)
            guard !overflows else { return nil }
            sum = next
        }
        return sum
    }

    package func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces[...]) }

    package struct Iterator: AsyncIteratorProtocol {
        var pieces: ArraySlice<RequestBody>
        /// The part being read, its declared length, and the number of bytes read.
        private var current: (chunks: any AsyncIteratorProtocol<Data, any Error>, declared: Int64?, actual: Int64)?

        init(pieces: ArraySlice<RequestBody>) { self.pieces = pieces }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            try Task.checkCancellation()
            while true {
                if var piece = current {
                    current = nil
                    if let chunk = try await piece.chunks.next(isolation: actor) {
                        piece.actual += Int64(chunk.count)
                        if let declared = piece.declared, piece.actual > declared {
                            throw WrongLengthError(declared: declared, actual: piece.actual)
                        }
                        current = piece
                        if chunk.isEmpty { continue }
                        return chunk
                    }
                    if let declared = piece.declared, piece.actual < declared {
                        throw WrongLengthError(declared: declared, actual: piece.actual)
                    }
                }
                guard let piece = pieces.popFirst() else { return nil }
                current = (piece.makeChunks(), piece.length, 0)
            }
        }
    }
}

extension RequestBody {
    /// Creates an iterator over the bytes of an encoded body, from its first byte.
    package func makeChunks() -> any AsyncIteratorProtocol<Data, any Error> {
        switch content {
        case .empty, .encodable, .pieces: DataChunks(pieces: []).makeAsyncIterator()
        case .bytes(let bytes): DataChunks(pieces: [bytes]).makeAsyncIterator()
        case .chunks(let make): make()
        }
    }
}
