// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// The chunks of a scripted body, one per call.
///
/// Its exchange ends with the body, or when the last reference is released.
struct ScriptedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let steps: ArraySlice<WirePlan.Step>
    /// True if a length was announced, so that an early end is a truncation.
    let isMeasured: Bool
    /// Keeps the exchange running while the body can be read.
    let lease: Lease

    init(
        _ steps: ArraySlice<WirePlan.Step>, ending: ResponseCompletion, isMeasured: Bool, exchange: ScriptedExchange,
        timings: ExchangeTimings
    ) {
        self.steps = steps
        self.isMeasured = isMeasured
        lease = Lease(exchange, ending: ending, timings: timings)
    }

    func makeAsyncIterator() -> Iterator { Iterator(steps: steps, isMeasured: isMeasured, lease: lease) }

    /// Ends an exchange when the last reference to its body is released.
    final class Lease: Sendable {
        let exchange: ScriptedExchange
        let ending: ResponseCompletion
        private let timings: ExchangeTimings
        private let received = Atomic<Int64>(0)

        init(_ exchange: ScriptedExchange, ending: ResponseCompletion, timings: ExchangeTimings) {
            self.exchange = exchange
            self.ending = ending
            self.timings = timings
        }

        deinit { end(.cancelled(phase: .body)) }

        func count(_ bytes: Data) { received.wrappingAdd(Int64(bytes.count), ordering: .relaxed) }

        /// Ends the exchange: its body was read, or will never be.
        ///
        /// A second call has no effect.
        func end(_ error: TransportError? = nil) {
            exchange.end()
            var timings = timings
            timings.receivedBytes = received.load(ordering: .relaxed)
            ending.end(timings, error: error)
        }
    }

    struct Iterator: AsyncIteratorProtocol {
        var steps: ArraySlice<WirePlan.Step>
        let isMeasured: Bool
        let lease: Lease

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            while let step = steps.popFirst() {
                do throws(TransportError) {
                    if let bytes = try await lease.perform(step, isMeasured: isMeasured) { return bytes }
                } catch {
                    steps = []
                    lease.end(error)
                    throw error
                }
            }
            lease.end()
            return nil
        }
    }
}

extension ScriptedChunks.Lease {
    /// Performs one step of the body and returns its bytes, if it has some.
    fileprivate func perform(_ step: WirePlan.Step, isMeasured: Bool) async throws(TransportError) -> Data? {
        switch step {
        case .interim, .head, .webSocket: break
        case .end(let fields): ending.set(fields)
        case .bytes(let bytes):
            // Suspends on nothing, but stops reading a body whose exchange is cancelled.
            try await exchange.run(.body) {}
            count(bytes)
            return bytes
        case .wait, .gate, .fault, .fail:
            try await exchange.run(.body) { [exchange] in
                try await exchange.perform(step, phase: .body, isMeasured: isMeasured)
            }
        }
        return nil
    }
}
