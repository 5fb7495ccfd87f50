// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport
import Synchronization

/// The body of a response: bytes in memory, or chunks that are still arriving.
///
/// A body that is arriving can be iterated once; a second iteration throws ``ResponseBody/AlreadyConsumedError``.
/// Releasing the iterator before the end closes the exchange at once.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk, never empty, of the size in which it arrived from the network.
    public typealias Element = Data
    /// Any error that a transport or an interceptor throws.
    public typealias Failure = any Error

    /// An error for a body that is iterated a second time; its bytes are no longer available.
    public struct AlreadyConsumedError: Error, Sendable, CustomStringConvertible {
        /// A message that describes the error and the remedy.
        public let description = "this response body was read already: keep what the first reading gave, or collect it"
    }

    /// An error for a body that is larger than its limit.
    public struct TooLargeError: Error, Sendable, CustomStringConvertible {
        /// The limit, in bytes.
        public let limit: Int
        /// A message that describes the error.
        public var description: String { "the response body is larger than the limit of \(limit) bytes" }
    }

    private enum Storage: Sendable {
        case collected(Data)
        case stream(Stream)
    }

    /// The chunks still to arrive, until an iterator takes them: then they live no longer than it.
    private final class Stream: Sendable {
        typealias MakeIterator = @Sendable () -> any AsyncIteratorProtocol<Data, any Error>
        let makeIterator: Mutex<MakeIterator?>

        init(_ makeIterator: @escaping MakeIterator) { self.makeIterator = Mutex(makeIterator) }
    }

    private let storage: Storage

    /// A body of zero bytes.
    public static let empty = ResponseBody(Data())

    /// Creates a body from bytes.
    ///
    /// - Parameter bytes: The whole body.
    public init(_ bytes: Data) { storage = .collected(bytes) }

    /// Creates a body from chunks that are still arriving; it can be iterated once.
    ///
    /// - Parameter chunks: The chunks, read only as fast as the body is.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks)
    where Chunks.Element == Data, Chunks.Failure == any Error {
        storage = .stream(Stream { chunks.makeAsyncIterator() })
    }

    /// The bytes, if the body is already in memory.
    public var collectedBytes: Data? {
        guard case .collected(let bytes) = storage else { return nil }
        return bytes
    }

    /// Reads the body to its end.
    ///
    /// - Parameter limit: The largest number of bytes to accept.
    /// - Returns: The whole body.
    /// - Throws: ``TooLargeError`` beyond the limit, ``AlreadyConsumedError``, or the transport's error.
    public func collect(upTo limit: Int) async throws -> Data {
        if case .collected(let bytes) = storage {
            guard bytes.count <= limit else { throw TooLargeError(limit: limit) }
            return bytes
        }
        var bytes = Data()
        for try await chunk in self {
            guard chunk.count <= limit - bytes.count else { throw TooLargeError(limit: limit) }
            bytes.append(chunk)
        }
        return bytes
    }

    /// Creates an iterator over the chunks.
    public func makeAsyncIterator() -> Iterator {
        switch storage {
        case .collected(let bytes): Iterator(state: .bytes(bytes))
        case .stream(let stream):
            Iterator(state: stream.makeIterator.withLock { $0.take() }.map { .chunks($0()) } ?? .taken)
        }
    }

    /// An iterator over the chunks of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum State {
            case bytes(Data)
            case chunks(any AsyncIteratorProtocol<Data, any Error>)
            case taken
            case ended
        }

        fileprivate var state: State

        /// Stops reading the body; drains the rest instead of closing the exchange if its end is near.
        package mutating func linger() {
            if case .chunks(let chunks as any DrainableChunks) = state { chunks.linger() }
            state = .ended
        }

        /// Returns the next chunk, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next chunk.
        /// - Throws: ``ResponseBody/AlreadyConsumedError``, or the transport's error.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            switch state {
            case .bytes(let bytes):
                state = .ended
                return bytes.isEmpty ? nil : bytes
            case .chunks(var iterator):
                state = .ended  // Remains if the next line throws: after a failure the body yields no more chunks.
                guard let chunk = try await iterator.next(isolation: actor) else { return nil }
                state = .chunks(iterator)
                return chunk
            case .taken: throw AlreadyConsumedError()
            case .ended: return nil
            }
        }
    }
}
