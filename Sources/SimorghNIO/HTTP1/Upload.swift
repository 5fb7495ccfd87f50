// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport
import Synchronization

/// The way of a body that is read while it is sent: from the sending task, chunk by chunk, to the connection's loop.
///
/// The task asks its source for a chunk only when the connection has taken the last one, so nothing piles up. It stops
/// at the next chunk, or at once while it waits for the connection, when the exchange needs no more of the body; the
/// exchange does not wait for that.
final class Upload: Sendable {
    private struct State: Sendable {
        var connection: WireConnection?
        /// Whether the connection has asked for more before the task came to wait for that.
        var isWanted = false
        var isOver = false
        var waiter: CheckedContinuation<Bool, Never>?
        var reading: Task<Void, Never>?
    }

    private let makeIterator: @Sendable () -> any AsyncIteratorProtocol<Data, any Error>
    let length: Int64?
    private let trailers: RequestTrailers?
    private let state = Mutex(State())

    init(
        _ makeIterator: @escaping @Sendable () -> any AsyncIteratorProtocol<Data, any Error>, length: Int64?,
        trailers: RequestTrailers?
    ) {
        self.makeIterator = makeIterator
        self.trailers = trailers
        self.length = length
    }

    /// Begins to read the body, once the connection asks for it.
    ///
    /// In a task of its own and not in a child of the sending one, which could not end before a source does that ignores
    /// its cancellation.
    func start(for exchange: Exchange) {
        let reading = Task(executorPreference: exchange.executor) { await self.run(for: exchange) }
        let isOver = state.withLock { state in
            if !state.isOver { state.reading = reading }
            return state.isOver
        }
        if isOver { reading.cancel() }
    }

    /// Reads the body to its end, or as far as it is wanted.
    private func run(for exchange: Exchange) async {
        guard await isWanted(), let connection = state.withLock({ $0.connection }) else { return }
        do {
            var sent: Int64 = 0
            var iterator = makeIterator()
            while let chunk = try await iterator.next(isolation: nil) {
                guard !chunk.isEmpty else { continue }
                sent += Int64(chunk.count)
                if let length, sent > length {
                    throw TransportError(
                        .requestBodyStreamExhausted, phase: .request,
                        message: "the body has more than the \(length) bytes it promised", requestMayHaveBeenSent: true)
                }
                connection.send(chunk, of: exchange)
                guard await isWanted() else { return }
            }
            if let length, sent < length {
                throw TransportError(
                    .requestBodyStreamExhausted, phase: .request,
                    message: "the body ended after \(sent) of the \(length) bytes it promised",
                    requestMayHaveBeenSent: true)
            }
            connection.endUpload(of: exchange, try await trailers?.fields() ?? HTTPFields())
        } catch {
            connection.failUpload(
                of: exchange,
                with: error as? TransportError
                    ?? TransportError(
                        .requestBodyStreamExhausted, phase: .request, message: "the body could not be read: \(error)",
                        requestMayHaveBeenSent: true, underlying: error))
        }
    }

    /// Waits until the connection takes more; `false` when it never will.
    private func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isOver { return false }
                if state.isWanted {
                    state.isWanted = false
                    return true
                }
                state.waiter = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// The head is on its way over a connection: the body may follow.
    func begin(on connection: WireConnection) {
        state.withLock { $0.connection = connection }
        wantMore()
    }

    /// The connection takes the next chunk.
    func wantMore() {
        let waiter = state.withLock { state in
            let waiter = state.waiter.take()
            if waiter == nil { state.isWanted = true }
            return waiter
        }
        waiter?.resume(returning: true)
    }

    /// No more of the body is wanted.
    func stop() {
        let (waiter, reading) = state.withLock { state in
            state.isOver = true
            state.connection = nil
            return (state.waiter.take(), state.reading.take())
        }
        waiter?.resume(returning: false)
        // Let go of, whether or not the source listens.
        reading?.cancel()
    }
}
