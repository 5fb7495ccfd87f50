// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// Hands the chunks of a body from a writer to a reader, one at a time.
///
/// The writer waits until the reader has taken the previous chunk, so at most one is in memory.
final class BodyHandoff: Sendable {
    enum Item: Sendable {
        case chunk(Data)
        case end(HTTPFields)
        case failed(TransportError)
    }

    private struct State {
        /// The chunk that the reader has not taken.
        var chunk: Data?
        /// The end of the body, which comes after the chunk.
        var ending: Item?
        /// True if there is no reader any more.
        var isClosed = false
        var reader: Waiter<Item, any Error>?
        var writer: Waiter<Void, any Error>?
    }

    private enum Writing {
        case handed(Waiter<Item, any Error>)
        case waits
        case closed
        case occupied
    }

    private let state = Mutex(State())

    /// Hands a chunk to the reader, and waits until the reader has taken it.
    ///
    /// - Throws: `CancellationError` if there is no reader any more, or if the body has ended; `TransportError` if
    ///   another task is writing.
    func write(_ chunk: Data) async throws {
        guard !chunk.isEmpty else { return }
        let waiter = Waiter<Void, any Error>()
        let writing = state.withLock { state -> Writing in
            if state.isClosed || state.ending != nil { return .closed }
            if let reader = state.reader.take() { return .handed(reader) }
            if state.chunk != nil { return .occupied }
            (state.chunk, state.writer) = (chunk, waiter)
            return .waits
        }
        switch writing {
        case .handed(let reader): reader.settle(.success(.chunk(chunk)))
        case .closed: throw CancellationError()
        case .occupied:
            throw TransportError(.unknown, phase: .body, message: "two tasks write the same body at the same time")
        case .waits:
            try await waiter.value {
                self.state.withLock { if $0.writer === waiter { ($0.chunk, $0.writer) = (nil, nil) } }
            }
        }
    }

    /// Ends the body, after the chunk that the reader has not taken; only the first call has an effect.
    func end(with item: Item) {
        let reader = state.withLock { state -> Waiter<Item, any Error>? in
            guard state.ending == nil else { return nil }
            state.ending = item
            return state.reader.take()
        }
        reader?.settle(.success(item))
    }

    /// Takes the next chunk, or the end of the body, if there is one.
    func take() -> Item? {
        let (item, writer) = state.withLock { state -> (Item?, Waiter<Void, any Error>?) in
            guard let chunk = state.chunk.take() else { return (state.ending, nil) }
            return (.chunk(chunk), state.writer.take())
        }
        writer?.settle(.success(()))
        return item
    }

    /// Waits for the next chunk, or the end of the body.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    func next() async throws -> Item {
        let waiter = Waiter<Item, any Error>()
        // Between this and the next lock a writer may arrive, so the state is checked again.
        if let item = take() { return item }
        let isWaiting = state.withLock { state in
            guard state.chunk == nil, state.ending == nil else { return false }
            state.reader = waiter
            return true
        }
        guard isWaiting else { return try await next() }
        return try await waiter.value {
            self.state.withLock { if $0.reader === waiter { $0.reader = nil } }
        }
    }

    /// Drops what the writer hands over from now on: there is no reader any more.
    func close() {
        let writer = state.withLock { state -> Waiter<Void, any Error>? in
            state.isClosed = true
            state.chunk = nil
            return state.writer.take()
        }
        writer?.settle(.failure(CancellationError()))
    }
}
