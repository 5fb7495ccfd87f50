// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

extension ResponseBody {
    /// Returns the same body, with its errors transformed.
    package func mapErrors(_ transform: @escaping @Sendable (any Error) -> any Error) -> ResponseBody {
        guard collectedBytes == nil else { return self }
        return ResponseBody(MappedErrors(base: self, transform: transform))
    }
}

/// The chunks of a body, with its errors transformed.
private struct MappedErrors: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let base: ResponseBody
    let transform: @Sendable (any Error) -> any Error

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var base: ResponseBody.Iterator
        let transform: @Sendable (any Error) -> any Error

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            do {
                return try await base.next(isolation: actor)
            } catch {
                throw transform(error)
            }
        }

        func linger() {
            var base = base
            base.linger()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), transform: transform) }
}
