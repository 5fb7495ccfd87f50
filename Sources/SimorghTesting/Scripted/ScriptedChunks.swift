// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The chunks of a scripted body, one for each call; its exchange ends with it, or when it is let go.
struct ScriptedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let steps: [StubResponse.BodyStep]
    /// Alive as long as the body: nobody may still read it once this is gone.
    let lease: Lease

    init(steps: [StubResponse.BodyStep], exchange: ScriptedExchange) {
        self.steps = steps
        lease = Lease(exchange)
    }

    func makeAsyncIterator() -> Iterator { Iterator(steps: steps[...], lease: lease) }

    /// Ends an exchange when the last who could read its body lets go.
    final class Lease: Sendable {
        let exchange: ScriptedExchange

        init(_ exchange: ScriptedExchange) { self.exchange = exchange }

        deinit { exchange.end() }
    }

    struct Iterator: AsyncIteratorProtocol {
        var steps: ArraySlice<StubResponse.BodyStep>
        let lease: Lease

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            while let step = steps.popFirst() {
                switch step {
                case .bytes(let bytes):
                    try await lease.exchange.run(.body) {}
                    if !bytes.isEmpty { return bytes }
                case .wait(let gate): try await lease.exchange.run(.body) { try await gate.wait() }
                case .fail(let error):
                    steps = []
                    lease.exchange.end()
                    throw error
                }
            }
            lease.exchange.end()
            return nil
        }
    }
}
