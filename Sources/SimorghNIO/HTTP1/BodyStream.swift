// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore
import NIOFoundationEssentialsCompat
package import SimorghCore
import SimorghSupport
import Synchronization

/// The bytes of a response between the connection's loop, which puts them in, and the task that reads them.
///
/// Small parts are copied together, so that a byte does not keep the whole read alive that it came in, nor cost a place
/// of its own. At most ``most`` bytes and one more read of the socket lie here: past that the loop reads no more until
/// the reader has taken half of them. So much, since to wake the reader, or the loop, costs as much as to read a hundred
/// kilobytes.
package final class BodyStream: Sendable {
    package static let most = 512 * 1024
    /// Small parts are copied into pieces of about this size.
    private static let piece = 16 * 1024

    private struct State: Sendable {
        var chunks = CircularBuffer<ByteBuffer>()
        /// The last piece, where it is a copy of small parts to which more may be added.
        var tail: ByteBuffer?
        var buffered = 0
        var isPaused = false
        /// The bytes taken while the loop waits, which the loop does not know of yet.
        var taken = 0
        var isEnded = false
        var error: TransportError?
        var reader: UnsafeContinuation<Void, Never>?

        mutating func append(_ chunk: ByteBuffer) {
            buffered += chunk.readableBytes
            let isSmall = chunk.readableBytes < chunk.storageCapacity / 4 && chunk.readableBytes < BodyStream.piece
            // The first one is taken at once by a reader that keeps up, and costs it no copy.
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
                // An HTTP/2 window can leave far more here: the loop then gives back what was taken before the half is reached.
                let isHalf = buffered <= BodyStream.most / 2
                guard isHalf || buffered > BodyStream.most && taken >= BodyStream.most / 2 else {
                    return .chunk(chunk, resumes: false)
                }
                if isHalf { isPaused = false }
                taken = 0
                return .chunk(chunk, resumes: true)
            }
            if let error { return .failed(error) }
            return isEnded ? .ended : .wait
        }

        mutating func forget() {
            chunks.removeAll()
            tail = nil
            buffered = 0
        }
    }

    private let state = Mutex(State())

    /// The room for more bytes.
    package enum Room: Sendable {
        /// The reader keeps up.
        case ample
        /// More than half of the room is taken.
        case little
        /// None: the loop has to wait for the reader.
        case none
    }

    /// Puts a chunk in; ``wake()`` tells the reader.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: The room that is left.
    package func push(_ chunk: ByteBuffer) -> Room {
        state.withLock { state in
            guard !state.isEnded else { return .ample }
            state.append(chunk)
            if state.buffered >= Self.most { state.isPaused = true }
            if state.isPaused { return .none }
            return state.buffered <= Self.most / 2 ? .ample : .little
        }
    }

    /// The bytes that lie here unread.
    package var buffered: Int { state.withLock { $0.buffered } }

    /// Tells the reader that there are chunks; once for all that came together.
    ///
    /// - Parameter bytes: How many bytes there have to be.
    /// - Returns: Whether a reader waits on, though there are some.
    @discardableResult
    package func wake(atLeast bytes: Int = 1) -> Bool {
        let (reader, waits) = state.withLock { state in
            let reader = state.buffered < bytes ? nil : state.reader.take()
            return (reader, state.reader != nil && !state.isEmpty)
        }
        reader?.resume()
        return waits
    }

    /// Ends the body: whole, or with an error, which the reader meets after the chunks that came before it; of one that
    /// was cancelled there is nothing more to read.
    package func end(_ error: TransportError? = nil) {
        let reader = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            state.error = error
            if error?.code == .cancelled { state.forget() }
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Forgets what is left: nobody reads it.
    ///
    /// - Returns: Whether the loop waits to be told that there is room.
    func discard() -> Bool {
        state.withLock { state in
            state.isEnded = true
            state.forget()
            return state.isPaused
        }
    }

    package init() {}

    /// Whether a reader waits.
    package var isAwaited: Bool { state.withLock { $0.reader != nil } }

    package enum Take {
        case chunk(ByteBuffer, resumes: Bool)
        case wait
        case ended
        case failed(TransportError)
    }

    /// What there is for the reader, without waiting.
    package func take() -> Take { state.withLock { $0.take() } }

    /// The next chunk, or `nil` at the end; calls `resume` when the loop should read on.
    package func next(resume: () -> Void) async throws(TransportError) -> ByteBuffer? {
        while true {
            switch state.withLock({ $0.take() }) {
            case .chunk(let chunk, let resumes):
                if resumes { resume() }
                return chunk
            case .ended: return nil
            case .failed(let error): throw error
            case .wait:
                // Not a checked one, for its allocations: it is resumed by whoever takes it out under the lock.
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

/// The chunks of a body that arrives; letting go of them before the end closes the exchange.
struct BodyChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = any Error

    /// Stops the exchange when the last who could read its body lets go.
    final class Reader: Sendable {
        let stream: BodyStream
        let exchange: Exchange
        let connection: WireConnection
        private let lingers = Atomic(false)

        init(stream: BodyStream, exchange: Exchange, connection: WireConnection) {
            self.stream = stream
            self.exchange = exchange
            self.connection = connection
        }

        func next() async throws(TransportError) -> Data? {
            // What lies here is not for somebody who was told to stop.
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

        private func resume() { connection.resumeReading(for: exchange, stream) }

        /// Leaves the exchange to end by itself, if it does so soon.
        func linger() { lingers.store(true, ordering: .relaxed) }

        deinit {
            if stream.discard() { connection.letGo(of: exchange) }
            if lingers.load(ordering: .relaxed) { exchange.linger() } else { exchange.cancel() }
        }
    }

    /// Holds the reader until somebody iterates; a sequence that outlives its iterator must not keep the exchange going.
    private final class Start: Sendable {
        let reader: Mutex<Reader?>
        init(_ reader: Reader) { self.reader = Mutex(reader) }
    }

    private let start: Start

    init(_ reader: Reader) { start = Start(reader) }

    func makeAsyncIterator() -> Iterator { Iterator(reader: start.reader.withLock { $0.take() }) }

    struct Iterator: AsyncIteratorProtocol, LingeringChunks {
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
    /// The bytes of a body: copied where they are few, so that they do not keep the memory alive that the socket was
    /// read into.
    init(body buffer: ByteBuffer) {
        self = Data(buffer: buffer, byteTransferStrategy: buffer.readableBytes < 16 * 1024 ? .copy : .noCopy)
    }
}
