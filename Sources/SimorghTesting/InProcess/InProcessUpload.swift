// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// The progress of a request's body, from the client's source to a responder.
final class InProcessUpload: Sendable {
    private struct State {
        var count: Int64 = 0
        var isSent: Bool
        var error: TransportError?
    }

    /// Signaled for each chunk, and at the end.
    let progress = AsyncSignal()
    private let state: Mutex<State>
    private let length: Int64?
    private let reporter: UploadProgressReporter?
    /// Settled with the error that ends the exchange, also if the responder ignores it.
    let failure = Waiter<TransportError, any Error>()

    init(_ body: RequestBody, reporter: UploadProgressReporter?) {
        length = body.length
        self.reporter = reporter
        // The system would buffer a body that is in memory.
        state = Mutex(State(isSent: body.bytes != nil))
    }

    /// The error of the client's source; `nil` if it has not failed.
    var error: TransportError? { state.withLock { $0.error } }

    /// True once the body was read to its end.
    var isSent: Bool { state.withLock { $0.isSent } }

    /// Returns the chunks of the body, each read when the responder asks for it.
    func chunks(of body: RequestBody) throws(TransportError) -> ResponseBody {
        switch body.content {
        case .empty: return .empty
        case .bytes(let bytes): return ResponseBody(Chunks(upload: self, makeIterator: { Slices(rest: bytes) }))
        case .encodable, .pieces:
            throw ScriptedBody.failure("the body reached the transport before it was encoded")
        case .chunks(let makeIterator): return ResponseBody(Chunks(upload: self, makeIterator: makeIterator))
        }
    }

    private func received(_ count: Int) throws(TransportError) {
        let total = state.withLock { state in
            state.count += Int64(count)
            // A responder that knows the length may not ask for the end.
            if state.count == length { state.isSent = true }
            return state.count
        }
        progress.ring()
        reporter?.sent(total, of: length)
        if let length, total > length { throw ScriptedBody.lengthFailure(total, announced: length) }
    }

    private func fail(_ error: TransportError) {
        state.withLock { $0.error = $0.error ?? error }
        failure.settle(.success(error))
    }

    private func ended() throws(TransportError) {
        let total = state.withLock { $0.count }
        if let length, total != length { throw ScriptedBody.lengthFailure(total, announced: length) }
        state.withLock { $0.isSent = true }
        progress.ring()
    }

    /// The chunks of a body that is read as it is sent.
    private struct Chunks: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = any Error

        let upload: InProcessUpload
        let makeIterator: @Sendable () -> any AsyncIteratorProtocol<Data, any Error>

        func makeAsyncIterator() -> Iterator { Iterator(upload: upload, base: makeIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            let upload: InProcessUpload
            var base: any AsyncIteratorProtocol<Data, any Error>

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
                do {
                    while let chunk = try await base.next(isolation: actor) {
                        guard !chunk.isEmpty else { continue }
                        try upload.received(chunk.count)
                        return chunk
                    }
                    try upload.ended()
                    return nil
                } catch is CancellationError where Task.isCancelled {
                    // The exchange has ended already, and its error is not that of the body.
                    throw CancellationError()
                } catch {
                    let failure = ScriptedBody.failure(of: error)
                    upload.fail(failure)
                    throw failure
                }
            }
        }
    }

    /// The chunks of a body in memory.
    private struct Slices: AsyncIteratorProtocol {
        /// The size of a chunk, in bytes.
        private static let chunkSize = 64 * 1024

        var rest: Data

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard !rest.isEmpty else { return nil }
            let chunk = Data(rest.prefix(Self.chunkSize))
            rest = rest.dropFirst(chunk.count)
            return chunk
        }
    }
}
