// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import NIOCore
import SimorghCore
import SimorghSupport
import Synchronization

/// The upload of a body that is read while it is sent: passes chunks from a task to the connection's loop.
///
/// The task reads a chunk only when the connection has written the last one, so nothing accumulates. If the exchange
/// needs no more of the body, the task stops at the next chunk, or at once if it waits for the connection; the
/// exchange does not wait for that.
final class Upload: Sendable {
    private struct State: Sendable {
        var connection: PooledConnection?
        /// True if the connection has asked for a chunk before the task began to wait for that.
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

    /// Starts the task that reads the body when the connection asks for it.
    ///
    /// It is not a child of the sending task, which could not end before a source that ignores cancellation.
    func start(for exchange: Exchange) {
        let reading = Task(executorPreference: exchange.executor) { await self.run(for: exchange) }
        let isOver = state.withLock { state in
            if !state.isOver { state.reading = reading }
            return state.isOver
        }
        if isOver { reading.cancel() }
    }

    /// Reads the body to its end, or until the upload is stopped.
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
            connection.endUpload(of: exchange, trailers: try await trailers?.fields() ?? HTTPFields())
        } catch {
            connection.failUpload(
                of: exchange,
                with: error as? TransportError
                    ?? TransportError(
                        .requestBodyStreamExhausted, phase: .request, message: "the body could not be read: \(error)",
                        requestMayHaveBeenSent: true, underlying: error))
        }
    }

    /// Waits until the connection asks for a chunk; false if it never will.
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

    /// Sets the connection, whose head is being sent, and asks for the first chunk.
    func begin(on connection: PooledConnection) {
        state.withLock { $0.connection = connection }
        wantMore()
    }

    /// Asks for the next chunk.
    func wantMore() {
        let waiter = state.withLock { state in
            let waiter = state.waiter.take()
            if waiter == nil { state.isWanted = true }
            return waiter
        }
        waiter?.resume(returning: true)
    }

    /// Stops the upload.
    func stop() {
        let (waiter, reading) = state.withLock { state in
            state.isOver = true
            state.connection = nil
            return (state.waiter.take(), state.reading.take())
        }
        waiter?.resume(returning: false)
        // Not awaited, because the source may ignore cancellation.
        reading?.cancel()
    }
}
