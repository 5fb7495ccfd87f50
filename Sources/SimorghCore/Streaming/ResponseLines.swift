// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The lines of a body, each as soon as its end has arrived.
///
/// A line ends in LF, CR LF or CR, and the last one with the body. Like the body, it can be iterated once.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String
    /// ``StreamingError``, or what the body throws.
    public typealias Failure = any Error

    /// What becomes of lines without a byte.
    public enum BlankLines: Sendable, Hashable {
        /// They are lines: they separate the events of a stream.
        case kept
        /// They are left out.
        case skipped
    }

    /// What becomes of bytes that are no UTF-8.
    public enum InvalidUTF8: Sendable, Hashable {
        /// They are replaced by U+FFFD.
        case replaced
        /// They end the stream with ``StreamingError/invalidUTF8(line:)``.
        case refused
    }

    let body: ResponseBody
    let parser: LineParser

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(records: RecordIterator(body, parser)) }

    /// Reads a body line by line, asking for no chunk before the lines of the last one are taken.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var records: RecordIterator<LineParser>

        /// The next line, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next line.
        /// - Throws: ``StreamingError``, or what the body throws.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> String? {
            // Part of the caller's loop, which waits only where no line is here.
            if let line = try ready() { return line }
            return try await waited(isolation: actor)
        }

        @usableFromInline
        mutating func ready() throws -> String? { try records.ready() }

        @usableFromInline
        mutating func waited(isolation actor: isolated (any Actor)?) async throws -> String? {
            try await records.next(isolation: actor)
        }
    }
}

extension ResponseBody {
    /// The body as lines of text, each as soon as its end has arrived.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes; 1 MiB by default, and below zero is zero. A longer one ends the
    ///     stream with ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - blankLines: What becomes of lines without a byte; they are kept by default.
    ///   - invalidUTF8: What becomes of bytes that are no UTF-8; they are replaced by default.
    /// - Returns: The lines, read from the network only as fast as they are taken; like the body they can be iterated
    ///   once.
    public func lines(
        limit: Int = 1024 * 1024,
        blankLines: ResponseLines.BlankLines = .kept,
        invalidUTF8: ResponseLines.InvalidUTF8 = .replaced
    ) -> ResponseLines {
        ResponseLines(body: self, parser: LineParser(limit: limit, blankLines: blankLines, invalidUTF8: invalidUTF8))
    }
}
