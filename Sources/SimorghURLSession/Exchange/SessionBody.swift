// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The chunks of a response that is still arriving; releasing the last reference ends the exchange.
struct SessionBody: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    private let lease: Lease

    init(_ exchange: SessionExchange) { lease = Lease(exchange) }

    /// Ends the exchange when the last reader is released.
    final class Lease: Sendable {
        let exchange: SessionExchange

        init(_ exchange: SessionExchange) { self.exchange = exchange }

        deinit { exchange.bodyReleased() }
    }

    struct Iterator: AsyncIteratorProtocol {
        let lease: Lease

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            try await lease.exchange.next()
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(lease: lease) }
}
