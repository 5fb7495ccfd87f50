// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import Synchronization

/// What a server has seen: its connections, its requests, and who waits for one of them.
package final class ServerLog: Sendable {
    /// A request was asked for that is not kept any more.
    package struct Forgotten: Error, CustomStringConvertible {
        let index: Int
        package var description: String { "request \(index) is not among the latest, which are kept" }
    }

    /// What a waiter's condition looks at.
    package struct Counts: Sendable {
        /// The requests that came.
        package let requests: Int
        /// The connections that are open.
        package let open: Int
        /// The responses that were sent.
        package let served: Int
    }

    private struct State {
        var accepted = 0
        var served = 0
        var isClosing = false
        var open: [ObjectIdentifier: any Channel] = [:]
        var first = 0
        var requests: [LoggedRequest] = []
        var waiters: [(condition: @Sendable (Counts) -> Bool, gate: Gate)] = []

        var next: Int { first + requests.count }
        var counts: Counts { Counts(requests: next, open: open.count, served: served) }

        mutating func ready() -> [Gate] {
            guard !waiters.isEmpty else { return [] }
            let counts = counts
            let gates = waiters.filter { $0.condition(counts) }.map(\.gate)
            waiters.removeAll { $0.condition(counts) }
            return gates
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int) { self.capacity = max(1, capacity) }

    package var acceptedCount: Int { state.withLock { $0.accepted } }
    package var openCount: Int { state.withLock { $0.open.count } }
    package var servedCount: Int { state.withLock { $0.served } }
    package var requestCount: Int { state.withLock { $0.next } }
    package var requests: [LoggedRequest] { state.withLock { $0.requests.suffix(capacity) } }

    /// Notes a connection; gives its number, or `nil` where the server is closing.
    package func opened(_ channel: any Channel) -> Int? {
        state.withLock { state in
            guard !state.isClosing else { return nil }
            state.open[ObjectIdentifier(channel)] = channel
            defer { state.accepted += 1 }
            return state.accepted
        }
    }

    package func closed(_ channel: any Channel) {
        let gates = state.withLock { state in
            state.open[ObjectIdentifier(channel)] = nil
            return state.ready()
        }
        for gate in gates { gate.open() }
    }

    package func closeAll() {
        let channels = state.withLock { state in
            state.isClosing = true
            return Array(state.open.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Notes a request by what is made of its number, which is given back.
    package func began(_ make: (Int) -> LoggedRequest) -> Int {
        let (index, gates) = state.withLock { state in
            let index = state.next
            if state.requests.count >= 2 * capacity {
                state.requests.removeFirst(capacity)
                state.first += capacity
            }
            state.requests.append(make(index))
            return (index, state.ready())
        }
        for gate in gates { gate.open() }
        return index
    }

    package func received(_ index: Int, bytes: Int64, isComplete: Bool) {
        state.withLock { state in
            guard index >= state.first else { return }
            state.requests[index - state.first].bodyLength = bytes
            state.requests[index - state.first].isComplete = isComplete
        }
    }

    package func served() {
        let gates = state.withLock { state in
            state.served += 1
            return state.ready()
        }
        for gate in gates { gate.open() }
    }

    package func request(at index: Int) async throws -> LoggedRequest {
        try await wait { index < $0.requests }
        return try state.withLock { state in
            guard index >= state.first, index < state.next else { throw Forgotten(index: index) }
            return state.requests[index - state.first]
        }
    }

    /// Waits until a condition on the counts holds.
    package func wait(until condition: @escaping @Sendable (Counts) -> Bool) async throws {
        let gate = Gate()
        let isMet = state.withLock { state in
            if condition(state.counts) { return true }
            state.waiters.append((condition, gate))
            return false
        }
        guard !isMet else { return }
        defer { state.withLock { $0.waiters.removeAll { $0.gate === gate } } }
        try await gate.wait()
    }
}
