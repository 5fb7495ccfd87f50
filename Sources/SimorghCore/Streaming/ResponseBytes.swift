// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The bytes of a body, one by one; like the body they can be iterated once.
///
/// ``ResponseBody`` itself gives them in the chunks in which they came, at a fraction of the cost.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8
    /// What the body throws.
    public typealias Failure = any Error

    let body: ResponseBody

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

    /// Reads a body byte by byte.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: ResponseBody.Iterator
        @usableFromInline var chunk: [UInt8] = []
        @usableFromInline var position = 0

        init(chunks: ResponseBody.Iterator) { self.chunks = chunks }

        /// The next byte, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next byte.
        /// - Throws: What the body throws.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> UInt8? {
            // Part of the caller's loop: a call that may wait costs fifty times as much as the byte.
            if position < chunk.count {
                let byte = chunk[position]
                position += 1
                return byte
            }
            return try await first(isolation: actor)
        }

        /// The first byte of the next chunk.
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
