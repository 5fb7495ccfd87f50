// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Splits bytes into lines, independently of chunk boundaries, in linear time.
package struct LineSplitter: Sendable {
    /// The line terminators.
    package enum Breaks: Sendable {
        /// LF or CR LF.
        case lineFeeds
        /// LF, CR LF or CR, as in WHATWG's event streams. A CR ends the line immediately; an LF after it is skipped.
        case any
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
    /// The largest buffer to keep for the next line that spans pieces, in bytes.
    private static let retainedCapacity = 64 * 1024

    private let breaks: Breaks
    private let limit: Int
    /// The part of the line that began in an earlier piece.
    private var partial: [UInt8] = []
    /// The positions of the next LF and the next CR in the piece, cached so that each byte is searched once for each.
    private var nextLineFeed = -1
    private var nextCarriageReturn = -1
    /// True if the last piece ended in a CR, which an LF can follow.
    private var skipsLineFeed = false

    /// Creates a splitter.
    ///
    /// - Parameters:
    ///   - breaks: The line terminators.
    ///   - limit: The longest line without its terminator, in bytes.
    package init(_ breaks: Breaks, limit: Int) {
        self.breaks = breaks
        self.limit = max(0, limit)
    }

    /// Passes the next complete line of a piece to a closure.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - position: The position to read from; 0 for a new piece. Advanced past the line.
    ///   - context: The state that the closure changes.
    ///   - take: Receives the line without its terminator.
    /// - Returns: The result of `take`; `nil` if the piece contains no further line end.
    /// - Throws: ``StreamingError/lineTooLong(limitBytes:)``, or the error of `take`.
    package mutating func next<Context, Taken>(
        in bytes: UnsafeRawBufferPointer, at position: inout Int, for context: inout Context,
        _ take: (inout Context, UnsafeRawBufferPointer) throws(StreamingError) -> Taken
    ) throws(StreamingError) -> Taken? {
        if position == 0 { (nextLineFeed, nextCarriageReturn) = (-1, -1) }
        if skipsLineFeed, position < bytes.count {
            skipsLineFeed = false
            if bytes[position] == Self.lineFeed { position += 1 }
        }
        guard position < bytes.count else { return nil }
        if nextLineFeed < position {
            nextLineFeed = bytes.firstOffset(of: Self.lineFeed, in: position..<bytes.count)
        }
        var end = nextLineFeed
        if breaks == .any {
            if nextCarriageReturn < position {
                nextCarriageReturn = bytes.firstOffset(of: Self.carriageReturn, in: position..<bytes.count)
            }
            end = min(end, nextCarriageReturn)
        }
        let line = bytes[bytes: position..<end]
        guard end < bytes.count else {
            position = end
            partial.append(contentsOf: line)
            guard partial.count - (mayEndInBreak(partial.last) ? 1 : 0) <= limit else { throw tooLong() }
            return nil
        }
        position = end + 1
        if bytes[end] == Self.carriageReturn {
            if position == bytes.count {
                skipsLineFeed = true
            } else if bytes[position] == Self.lineFeed {
                position += 1
            }
        }
        guard !partial.isEmpty else { return try take(&context, whole(line)) }
        partial.append(contentsOf: line)
        return try takePartial(for: &context, take)
    }

    /// Passes the unterminated last line to a closure, if there is one.
    package mutating func finish<Context, Taken>(
        for context: inout Context,
        _ take: (inout Context, UnsafeRawBufferPointer) throws(StreamingError) -> Taken
    ) throws(StreamingError) -> Taken? {
        partial.isEmpty ? nil : try takePartial(for: &context, take)
    }

    private mutating func takePartial<Context, Taken>(
        for context: inout Context,
        _ take: (inout Context, UnsafeRawBufferPointer) throws(StreamingError) -> Taken
    ) throws(StreamingError) -> Taken {
        var line: [UInt8] = []
        swap(&line, &partial)
        let taken = try line.withUnsafeBufferPointer { bytes throws(StreamingError) in
            try take(&context, try whole(UnsafeRawBufferPointer(bytes)))
        }
        if line.capacity <= Self.retainedCapacity {
            line.removeAll(keepingCapacity: true)
            swap(&line, &partial)
        }
        return taken
    }

    /// Returns a line without the CR of its terminator; throws if it is too long.
    private func whole(_ line: UnsafeRawBufferPointer) throws(StreamingError) -> UnsafeRawBufferPointer {
        let line = mayEndInBreak(line.last) ? line[bytes: 0..<line.count - 1] : line
        guard line.count <= limit else { throw tooLong() }
        return line
    }

    private func mayEndInBreak(_ last: UInt8?) -> Bool { breaks == .lineFeeds && last == Self.carriageReturn }

    private func tooLong() -> StreamingError { .lineTooLong(limitBytes: limit) }
}
