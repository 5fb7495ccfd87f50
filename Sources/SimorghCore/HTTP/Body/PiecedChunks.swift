// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Several bodies one after the other, each read when its turn has come.
package struct PiecedChunks: AsyncSequence, Sendable {
    package typealias Element = Data
    package typealias Failure = any Error

    /// A piece has another length than it promised; what follows it would stand at the wrong place.
    package struct WrongLength: Error, CustomStringConvertible {
        let promised: Int64
        let came: Int64
        package var description: String {
            "a part of the form has \(came > promised ? "more than" : "only \(came) of") the \(promised) bytes it promised"
        }
    }

    let pieces: [RequestBody]

    package init(pieces: [RequestBody]) { self.pieces = pieces }

    /// How many bytes all have together; `nil` where one does not know.
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
        /// What is being read, what it promised, and what came.
        private var current: (chunks: any AsyncIteratorProtocol<Data, any Error>, promised: Int64?, came: Int64)?

        init(pieces: ArraySlice<RequestBody>) { self.pieces = pieces }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            try Task.checkCancellation()
            while true {
                if var piece = current {
                    current = nil
                    if let chunk = try await piece.chunks.next(isolation: actor) {
                        piece.came += Int64(chunk.count)
                        if let promised = piece.promised, piece.came > promised {
                            throw WrongLength(promised: promised, came: piece.came)
                        }
                        current = piece
                        if chunk.isEmpty { continue }
                        return chunk
                    }
                    if let promised = piece.promised, piece.came < promised {
                        throw WrongLength(promised: promised, came: piece.came)
                    }
                }
                guard let piece = pieces.popFirst() else { return nil }
                current = (piece.makeChunks(), piece.length, 0)
            }
        }
    }
}

extension RequestBody {
    /// The bytes of a body that is encoded, from the first on, in chunks.
    package func makeChunks() -> any AsyncIteratorProtocol<Data, any Error> {
        switch content {
        case .empty, .encodable, .pieces: DataChunks(pieces: []).makeAsyncIterator()
        case .bytes(let bytes): DataChunks(pieces: [bytes]).makeAsyncIterator()
        case .chunks(let make): make()
        }
    }
}
