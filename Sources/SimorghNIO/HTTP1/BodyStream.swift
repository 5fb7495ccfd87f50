// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghCore
import SimorghSupport
import Synchronization

/// The buffer of a response body between the connection's loop, which fills it, and the task that reads it.
///
/// Small chunks are copied together, so that a single byte neither keeps a whole read buffer alive nor takes an entry
/// of its own. The buffer holds at most ``capacity`` bytes and one more read of the socket: above that the loop stops
/// reading until the reader has consumed half of them. The limit is large, because waking the reader or the loop costs
/// as much as reading a hundred kilobytes.
package final class BodyStream: Sendable {
    package static let capacity = 512 * 1024
    /// The approximate size of the chunks into which small ones are copied, in bytes.
    private static let piece = 16 * 1024

    private struct State: Sendable {
        var chunks = CircularBuffer<ByteBuffer>()
        /// The last chunk, if it is a copy of small chunks and more may be added.
        var tail: ByteBuffer?
        var buffered = 0
        var isPaused = false
        /// The number of bytes that were consumed while the loop is paused and that it does not know of yet.
        var taken = 0
        var isEnded = false
        var error: TransportError?
        var reader: UnsafeContinuation<Void, Never>?

        mutating func append(_ chunk: ByteBuffer) {
            buffered += chunk.readableBytes
            let isSmall = chunk.readableBytes < chunk.storageCapacity / 4 && chunk.readableBytes < BodyStream.piece
            // A reader that keeps up takes the first chunk at once, so copying it would be wasted.
            guard isSmall, tail != nil || !chunks.isEmpty else {
                closeTail()
                return chunks.append(chunk)
            }
            if let readable = tail?.readableBytes, readable + chunk.readableBytes > BodyStream.piece { closeTail() }
            if tail == nil { tail = ByteBufferAllocator().buffer(capacity: max(512, chunk.readableBytes)) }
            tail?.writeImmutableBuffer(chunk)
        }

        private mutating func closeTail() {
            if let tail = tail.take() { chunks.append(tail) }
        }

        var isEmpty: Bool { chunks.isEmpty && tail == nil }

        mutating func take() -> Take {
            if let chunk = chunks.popFirst() ?? tail.take() {
                buffered -= chunk.readableBytes
                guard isPaused else { return .chunk(chunk, resumes: false) }
                taken += chunk.readableBytes
                // An HTTP/2 window may leave far more here: the loop then returns window for the consumed bytes before
                // the half is reached.
                let isHalf = buffered <= BodyStream.capacity / 2
                guard isHalf || buffered > BodyStream.capacity && taken >= BodyStream.capacity / 2 else {
                    return .chunk(chunk, resumes: false)
                }
                if isHalf { isPaused = false }
                taken = 0
                return .chunk(chunk, resumes: true)
            }
            if let error { return .failed(error) }
            return isEnded ? .ended : .wait
        }

        mutating func discardChunks() {
            chunks.removeAll()
            tail = nil
            buffered = 0
        }
    }

    private let state = Mutex(State())

    /// The remaining capacity.
    package enum Room: Sendable {
        /// At most half of the capacity is used.
        case ample
        /// More than half of the capacity is used.
        case little
        /// The buffer is full: the loop has to pause.
        case none
    }

    /// Appends a chunk; ``wake(atLeast:)`` wakes the reader.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: The remaining capacity.
    package func push(_ chunk: ByteBuffer) -> Room {
        state.withLock { state in
            guard !state.isEnded else { return .ample }
            state.append(chunk)
            if state.buffered >= Self.capacity { state.isPaused = true }
            if state.isPaused { return .none }
            return state.buffered <= Self.capacity / 2 ? .ample : .little
        }
    }

    /// The number of unread bytes.
    package var buffered: Int { state.withLock { $0.buffered } }

    /// Wakes the reader; called once for all chunks that arrived together.
    ///
    /// - Parameter bytes: The minimum number of buffered bytes for waking the reader.
    /// - Returns: True if a reader still waits although bytes are buffered.
    @discardableResult
    package func wake(atLeast bytes: Int = 1) -> Bool {
        let (reader, waits) = state.withLock { state in
            let reader = state.buffered < bytes ? nil : state.reader.take()
            return (reader, state.reader != nil && !state.isEmpty)
        }
        reader?.resume()
        return waits
    }

    /// Ends the body, complete or with an error, which the reader gets after the chunks before it; a cancelled body
    /// discards its chunks.
    package func end(_ error: TransportError? = nil) {
        let reader = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            state.error = error
            if error?.code == .cancelled { state.discardChunks() }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Ends the body and discards the unread bytes.
    ///
    /// - Returns: True if the loop is paused and has to be resumed.
    func discard() -> Bool {
        state.withLock { state in
            state.isEnded = true
            state.discardChunks()
            return state.isPaused
        }
    }

    package init() {}

    /// True if a reader waits.
    package var isAwaited: Bool { state.withLock { $0.reader != nil } }

    package enum Take {
        case chunk(ByteBuffer, resumes: Bool)
        case wait
        case ended
        case failed(TransportError)
    }

    /// Takes the next chunk or the end, without waiting.
    package func take() -> Take { state.withLock { $0.take() } }

    /// Returns the next chunk, or `nil` at the end; calls `resume` if the loop should read again.
    package func next(resume: () -> Void) async throws(TransportError) -> ByteBuffer? {
        while true {
            switch state.withLock({ $0.take() }) {
            case .chunk(let chunk, let resumes):
                if resumes { resume() }
                return chunk
            case .ended: return nil
            case .failed(let error): throw error
            case .wait:
                // An unsafe continuation, to avoid the allocations of a checked one: it is resumed once, by the caller
                // that takes it out of the state under the lock.
                await withUnsafeContinuation { continuation in
                    let isReady = state.withLock { state in
                        guard state.isEmpty, !state.isEnded, state.reader == nil else { return true }
                        state.reader = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            }
        }
    }
}

/// The chunks of an arriving body; releasing them before the end aborts the exchange.
struct BodyChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    /// The shared reader of a body; aborts the exchange when the last reference is released.
    final class Reader: Sendable {
        let stream: BodyStream
        let exchange: Exchange
        let connection: PooledConnection
        private let lingers = Atomic(false)

        init(stream: BodyStream, exchange: Exchange, connection: PooledConnection) {
            self.stream = stream
            self.exchange = exchange
            self.connection = connection
        }

        func next() async throws(TransportError) -> Data? {
            // A cancelled task gets no chunk, even if one is buffered.
            guard !Task.isCancelled else {
                exchange.cancel()
                throw .cancelled(phase: .body)
            }
            let chunk: ByteBuffer?
            switch stream.take() {
            case .chunk(let chunk, let resumes):
                if resumes { resume() }
                return Data(body: chunk)
            case .ended: return nil
            case .failed(let error): throw error
            case .wait: break
            }
            do {
                chunk = try await withTaskCancellationHandler {
                    try await stream.next { resume() }
                } onCancel: {
                    exchange.cancel()
                }
            } catch let error as TransportError {
                throw error
            } catch {
                throw .cancelled(phase: .body)
            }
            return chunk.map { Data(body: $0) }
        }

        private func resume() { connection.resumeReading(for: exchange, body: stream) }

        /// Lets the exchange end by itself if that happens soon; see ``Exchange/linger()``.
        func linger() { lingers.store(true, ordering: .relaxed) }

        deinit {
            if stream.discard() { connection.discardUnread(of: exchange) }
            if lingers.load(ordering: .relaxed) { exchange.linger() } else { exchange.cancel() }
        }
    }

    /// Holds the reader until the first iterator takes it; a sequence that outlives its iterator must not keep the
    /// exchange alive.
    private final class Start: Sendable {
        let reader: Mutex<Reader?>
        init(_ reader: Reader) { self.reader = Mutex(reader) }
    }

    private let start: Start

    init(_ reader: Reader) { start = Start(reader) }

    func makeAsyncIterator() -> Iterator { Iterator(reader: start.reader.withLock { $0.take() }) }

    struct Iterator: AsyncIteratorProtocol, DrainableChunks {
        var reader: Reader?

        func linger() { reader?.linger() }

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            guard let reader else { return nil }
            do {
                if let chunk = try await reader.next() { return chunk }
                self.reader = nil
                return nil
            } catch {
                self.reader = nil
                throw error
            }
        }
    }
}

extension Data {
    /// Creates data from the bytes of a body; small ones are copied, so that they do not keep the read buffer alive.
    init(body buffer: ByteBuffer) {
        self = Data(buffer: buffer, byteTransferStrategy: buffer.readableBytes < 16 * 1024 ? .copy : .noCopy)
    }
}
