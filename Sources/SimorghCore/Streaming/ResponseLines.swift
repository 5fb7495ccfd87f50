// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The lines of a body, each returned as soon as its end has arrived.
///
/// A line ends in LF, CR LF or CR, and the last one at the end of the body. Can be iterated once, as the body.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its terminator.
    public typealias Element = String
    /// ``StreamingError``, or the error of the body.
    public typealias Failure = any Error

    /// The handling of empty lines.
    public enum BlankLines: Sendable, Hashable {
        /// Empty lines are returned: they separate the events of a stream.
        case kept
        /// Empty lines are skipped.
        case skipped
    }

    /// The handling of bytes that are not valid UTF-8.
    public enum InvalidUTF8: Sendable, Hashable {
        /// Invalid bytes are replaced by U+FFFD.
        case replaced
        /// Invalid bytes end the stream with ``StreamingError/invalidUTF8(line:)``.
        case refused
    }

    let body: ResponseBody
    let parser: LineParser

    /// Returns an iterator that reads the body.
    public func makeAsyncIterator() -> Iterator { Iterator(records: RecordIterator(body, parser: parser)) }

    /// Reads a body line by line.
    ///
    /// Requests the next chunk only after all lines of the last one were consumed.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var records: RecordIterator<LineParser>

        /// Returns the next line, or `nil` at the end.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next line.
        /// - Throws: ``StreamingError``, or the error of the body.
        @inlinable
        @inline(__always)
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> String? {
            // Performance: inlined into the caller's loop, which suspends only if no line is buffered.
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
    /// Returns the body as lines of text, each as soon as its end has arrived.
    ///
    /// - Parameters:
    ///   - limit: The longest line to accept, in bytes. Default: 1 MiB. A negative limit is zero. A longer line ends
    ///     the stream with ``StreamingError/lineTooLong(limitBytes:)``.
    ///   - blankLines: The handling of empty lines. Default: they are kept.
    ///   - invalidUTF8: The handling of bytes that are not valid UTF-8. Default: they are replaced.
    /// - Returns: The lines, read from the network only as fast as they are consumed. They can be iterated once.
    public func lines(
        limit: Int = 1024 * 1024,
        blankLines: ResponseLines.BlankLines = .kept,
        invalidUTF8: ResponseLines.InvalidUTF8 = .replaced
    ) -> ResponseLines {
        ResponseLines(body: self, parser: LineParser(limit: limit, blankLines: blankLines, invalidUTF8: invalidUTF8))
    }
}
