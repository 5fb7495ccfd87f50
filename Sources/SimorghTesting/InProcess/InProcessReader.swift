// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// The client's side of a response body: takes its chunks from the responder, and ends the exchange.
final class InProcessReader: Sendable {
    private struct State {
        var received: Int64 = 0
        var hasEnded = false
    }

    private let application: InProcessApplication
    /// The announced number of bytes; `nil` if none was announced.
    private let length: Int64?
    private let lease: ScriptedChunks.Lease
    private let state = Mutex(State())

    init(_ application: InProcessApplication, length: Int64?, lease: ScriptedChunks.Lease) {
        self.application = application
        self.length = length
        self.lease = lease
    }

    deinit {
        if !state.withLock({ $0.hasEnded }) { application.cancel() }
    }

    /// Returns the next chunk; `nil` at the end.
    func next() async throws(TransportError) -> Data? {
        guard !state.withLock({ $0.hasEnded }) else { return nil }
        do throws(TransportError) {
            let (exchange, handoff) = (lease.exchange, application.handoff)
            let item = try await exchange.run(.body) { try await Self.item(from: handoff, in: exchange) }
            switch item {
            case .failed(let error): throw application.upload.error ?? error
            case .chunk(let bytes):
                let received = state.withLock { state in
                    state.received += Int64(bytes.count)
                    return state.received
                }
                if let length, received > length { throw lengthFailure(received, announced: length) }
                lease.count(bytes)
                return bytes
            case .end(let trailers):
                // The responder may have handled the error of the request's body.
                if let error = application.upload.error { throw error }
                let received = state.withLock { $0.received }
                if let length, received != length { throw lengthFailure(received, announced: length) }
                state.withLock { $0.hasEnded = true }
                lease.ending.set(trailers)
                lease.end()
                return nil
            }
        } catch {
            fail(error)
            throw error
        }
    }

    /// Reads the body to its end.
    func collect(upTo limit: Int) async throws(TransportError) -> Data {
        var body = Data()
        while let chunk = try await next() {
            body.append(chunk)
            guard body.count <= limit else {
                let error = TransportError(
                    .dataLengthExceedsMaximum, phase: .body,
                    message: "the response body is larger than the limit of \(limit) bytes")
                fail(error)
                throw error
            }
        }
        return body
    }

    private func fail(_ error: TransportError) {
        state.withLock { $0.hasEnded = true }
        application.cancel()
        lease.end(error)
    }

    private func lengthFailure(_ count: Int64, announced: Int64) -> TransportError {
        TransportError(
            .networkConnectionLost, phase: .body,
            message: "the body of the response has \(count) bytes, not the announced \(announced)")
    }

    /// Waits for the next part of the body, at most as long as the timeouts allow.
    private static func item(from handoff: BodyHandoff, in exchange: ScriptedExchange) async throws -> BodyHandoff.Item
    {
        try exchange.checkTotalTimeout()
        if let item = handoff.take() { return item }
        return try await withThrowingTaskGroup(of: BodyHandoff.Item.self) { group in
            group.addTask { try await handoff.next() }
            group.addTask {
                try await exchange.perform(.fault(.stall), phase: .body, isMeasured: true)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            guard let item = try await group.next() else { throw CancellationError() }
            return item
        }
    }
}

/// The chunks of a streamed response body.
struct InProcessChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    let reader: InProcessReader

    func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    struct Iterator: AsyncIteratorProtocol {
        let reader: InProcessReader

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            try await reader.next()
        }
    }
}
