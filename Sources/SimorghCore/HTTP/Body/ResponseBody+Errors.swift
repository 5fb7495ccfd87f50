// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

extension ResponseBody {
    /// Returns the same body, with its errors transformed.
    ///
    /// - Parameters:
    ///   - pass: Counts the stream as running until the body was read, or is released; `nil` for no count.
    ///   - transform: Transforms an error.
    /// - Returns: The body.
    package func mapErrors(
        until pass: DrainGate.Pass? = nil, _ transform: @escaping @Sendable (any Error) -> any Error
    ) -> ResponseBody {
        guard collectedBytes == nil else { return self }
        return ResponseBody(MappedErrors(base: self, pass: pass, transform: transform))
    }
}

/// The chunks of a body, with its errors transformed.
private struct MappedErrors: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let base: ResponseBody
    let pass: DrainGate.Pass?
    let transform: @Sendable (any Error) -> any Error

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var base: ResponseBody.Iterator
        /// Released at the end of the body, or with the iterator, even if the response is retained.
        let pass: DrainGate.Pass?
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

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), pass: pass, transform: transform)
    }
}
