// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The lines of a body, each as soon as its end has arrived.
///
/// A line ends in LF or CR LF, and the last one with the body. Empty lines are lines: they separate the events of a
/// stream. Bytes that are no UTF-8 are replaced by U+FFFD. Like the body, it can be iterated once.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String
    /// ``LineTooLong``, or what the body throws.
    public typealias Failure = any Error

    /// A line is longer than the bound given for it; the body was not read further.
    public struct LineTooLong: Error, Sendable, CustomStringConvertible {
        /// The bound, in bytes.
        public let limit: Int
        /// What happened.
        public var description: String { "a line of the response body is longer than the bound of \(limit) bytes" }
    }

    let body: ResponseBody
    let limit: Int

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), limit: limit) }

    /// Reads a body line by line, asking for no chunk before the lines of the last one are taken.
    public struct Iterator: AsyncIteratorProtocol {
        private var chunks: ResponseBody.Iterator
        private let limit: Int
        /// What came and is not handed out yet.
        private var rest = Data()
        /// How much of ``rest`` is known to hold no line break.
        private var searched = 0
        private var isOver = false

        init(chunks: ResponseBody.Iterator, limit: Int) {
            self.chunks = chunks
            self.limit = limit
        }

        /// The next line, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next line.
        /// - Throws: ``ResponseLines/LineTooLong``, or what the body throws.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> String? {
            while !isOver {
                if let end = rest[(rest.startIndex + searched)...].firstIndex(of: 0x0A) {
                    return try take(upTo: end, breakLength: 1)
                }
                searched = rest.count
                // One byte more than the bound may be the CR of a line break.
                guard searched - 1 <= limit else { throw tooLong() }
                guard let chunk = try await chunks.next(isolation: actor) else {
                    isOver = true
                    return rest.isEmpty ? nil : try take(upTo: rest.endIndex, breakLength: 0)
                }
                // A slice keeps the lines before it, and appending to it would keep them for ever.
                if rest.startIndex > 0 { rest = rest.withUnsafeBytes { Data($0) } }
                rest.append(chunk)
            }
            return nil
        }

        private mutating func take(upTo end: Data.Index, breakLength: Int) throws -> String {
            var line = rest[..<end]
            if line.last == 0x0D { line = line.dropLast() }
            guard line.count <= limit else { throw tooLong() }
            let text = String(decoding: line, as: UTF8.self)
            rest = rest[end...].dropFirst(breakLength)
            searched = 0
            return text
        }

        private mutating func tooLong() -> LineTooLong {
            isOver = true
            rest = Data()
            return LineTooLong(limit: limit)
        }
    }
}

extension ResponseBody {
    /// The body as lines of text.
    ///
    /// - Parameter limit: The longest line to accept, in bytes; 1 MiB by default.
    /// - Returns: The lines, read from the network only as fast as they are taken.
    public func lines(limit: Int = 1024 * 1024) -> ResponseLines {
        ResponseLines(body: self, limit: Swift.max(0, limit))
    }
}
