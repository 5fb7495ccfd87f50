// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The bytes of a body, one by one.
///
/// Can be iterated once, as the body.
///
/// ``ResponseBody`` itself returns the chunks in which the bytes arrived, at a fraction of the cost.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8
    /// The error of the body.
    public typealias Failure = any Error

    let body: ResponseBody

    /// Returns an iterator that reads the body.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

    /// Reads a body byte by byte.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: ResponseBody.Iterator
        @usableFromInline var chunk: [UInt8] = []
        @usableFromInline var position = 0

        init(chunks: ResponseBody.Iterator) { self.chunks = chunks }

        /// Returns the next byte, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next byte.
        /// - Throws: The error of the body.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> UInt8? {
            // Performance: inlined into the caller's loop; an async call costs fifty times as much as the byte.
            if position < chunk.count {
                let byte = chunk[position]
                position += 1
                return byte
            }
            return try await first(isolation: actor)
        }

        /// Returns the first byte of the next chunk.
        @usableFromInline
        mutating func first(isolation actor: isolated (any Actor)?) async throws -> UInt8? {
            chunk = []
            position = 0
            guard let next = try await chunks.next(isolation: actor) else { return nil }
            chunk = [UInt8](next)
            position = 1
            return chunk.first
        }
    }
}

extension ResponseBody {
    /// The body byte by byte.
    public var bytes: ResponseBytes { ResponseBytes(body: self) }
}
