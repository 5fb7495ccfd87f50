// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport
import Synchronization

/// The body of a response: bytes that are here already, or chunks that are still arriving.
///
/// A body that arrives can be iterated once; a second time throws ``ResponseBody/AlreadyConsumed``. Letting the
/// iterator go before the end closes the exchange at once.
public struct ResponseBody: AsyncSequence, Sendable {
    /// A chunk, never empty, as large as it came from the network.
    public typealias Element = Data
    /// Anything a transport or an interceptor throws.
    public typealias Failure = any Error

    /// The body was iterated a second time, and its bytes are gone.
    public struct AlreadyConsumed: Error, Sendable, CustomStringConvertible {
        /// What happened and what to do.
        public let description = "this response body was read already: keep what the first reading gave, or collect it"
    }

    /// The body is larger than the bound given for it.
    public struct TooLarge: Error, Sendable, CustomStringConvertible {
        /// The bound, in bytes.
        public let limit: Int
        /// What happened.
        public var description: String { "the response body is larger than the bound of \(limit) bytes" }
    }

    private enum Storage: Sendable {
        case collected(Data)
        case stream(Stream)
    }

    /// The chunks still to come, and whether somebody reads them already.
    private final class Stream: Sendable {
        let isTaken = Atomic(false)
        let makeIterator: @Sendable () -> any AsyncIteratorProtocol<Data, any Error>

        init(_ makeIterator: @escaping @Sendable () -> any AsyncIteratorProtocol<Data, any Error>) {
            self.makeIterator = makeIterator
        }
    }

    private let storage: Storage

    /// A body without a byte.
    public static let empty = ResponseBody(Data())

    /// Creates a body from bytes.
    ///
    /// - Parameter bytes: The whole body.
    public init(_ bytes: Data) { storage = .collected(bytes) }

    /// Creates a body from chunks that arrive; it can be iterated once.
    ///
    /// - Parameter chunks: The chunks, read only as fast as the body is.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks)
    where Chunks.Element == Data, Chunks.Failure == any Error {
        storage = .stream(Stream { chunks.makeAsyncIterator() })
    }

    /// The bytes, where they are here already.
    public var collectedBytes: Data? {
        guard case .collected(let bytes) = storage else { return nil }
        return bytes
    }

    /// Reads the body to its end.
    ///
    /// - Parameter limit: The most bytes to accept.
    /// - Returns: The whole body.
    /// - Throws: ``TooLarge`` past the limit, ``AlreadyConsumed``, or what the transport throws.
    public func collect(upTo limit: Int) async throws -> Data {
        if case .collected(let bytes) = storage {
            guard bytes.count <= limit else { throw TooLarge(limit: limit) }
            return bytes
        }
        var bytes = Data()
        for try await chunk in self {
            guard chunk.count <= limit - bytes.count else { throw TooLarge(limit: limit) }
            bytes.append(chunk)
        }
        return bytes
    }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        switch storage {
        case .collected(let bytes): Iterator(state: .bytes(bytes))
        case .stream(let stream):
            if stream.isTaken.exchange(true, ordering: .acquiringAndReleasing) {
                Iterator(state: .taken)
            } else {
                Iterator(state: .chunks(stream.makeIterator()))
            }
        }
    }

    /// Reads a body chunk by chunk.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum State {
            case bytes(Data)
            case chunks(any AsyncIteratorProtocol<Data, any Error>)
            case taken
            case ended
        }

        fileprivate var state: State

        /// Lets go of a body that has said all that matters, without closing its exchange where that is about to end.
        package mutating func linger() {
            if case .chunks(let chunks as any LingeringChunks) = state { chunks.linger() }
            state = .ended
        }

        /// The next chunk, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next chunk.
        /// - Throws: ``ResponseBody/AlreadyConsumed``, or what the transport throws.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            switch state {
            case .bytes(let bytes):
                state = .ended
                return bytes.isEmpty ? nil : bytes
            case .chunks(var iterator):
                state = .ended  // Stands if the next line throws: a body that broke off gives nothing more.
                guard let chunk = try await iterator.next(isolation: actor) else { return nil }
                state = .chunks(iterator)
                return chunk
            case .taken: throw AlreadyConsumed()
            case .ended: return nil
            }
        }
    }
}
