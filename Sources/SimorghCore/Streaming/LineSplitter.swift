// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Cuts bytes into lines, wherever the pieces are cut, in time that grows with the bytes alone.
package struct LineSplitter: Sendable {
    /// What ends a line.
    package enum Breaks: Sendable {
        /// LF or CR LF.
        case lineFeeds
        /// LF, CR LF or CR, as WHATWG's event streams say: a CR ends the line at once, and an LF after it is part of it.
        case any
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
    /// How large a buffer is kept for the next line that is cut.
    private static let kept = 64 * 1024

    private let breaks: Breaks
    private let limit: Int
    /// The line that began in an earlier piece.
    private var partial: [UInt8] = []
    /// The next LF and the next CR of the piece, so that it is searched once for each, whichever there are more of.
    private var nextLineFeed = -1
    private var nextCarriageReturn = -1
    /// The last piece ended in a CR, which an LF may follow.
    private var skipsLineFeed = false

    /// Creates a splitter.
    ///
    /// - Parameters:
    ///   - breaks: What ends a line.
    ///   - limit: The longest line, in bytes, its end not counted.
    package init(_ breaks: Breaks, limit: Int) {
        self.breaks = breaks
        self.limit = max(0, limit)
    }

    /// Hands over the next line that ends in a piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - position: How much of it was read; 0 for a new piece.
    ///   - context: What the taking of a line changes.
    ///   - take: Takes the line, without its end.
    /// - Returns: What `take` gives; `nil` when the piece is used up.
    /// - Throws: ``StreamingError/lineTooLong(limitBytes:)``, or what `take` throws.
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
            nextLineFeed = bytes.firstPlace(of: Self.lineFeed, in: position..<bytes.count)
        }
        var end = nextLineFeed
        if breaks == .any {
            if nextCarriageReturn < position {
                nextCarriageReturn = bytes.firstPlace(of: Self.carriageReturn, in: position..<bytes.count)
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

    /// Hands over the line that the end of the bytes ends, where one has begun.
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
        if line.capacity <= Self.kept {
            line.removeAll(keepingCapacity: true)
            swap(&line, &partial)
        }
        return taken
    }

    /// A line without the CR of its end, if it is not too long.
    private func whole(_ line: UnsafeRawBufferPointer) throws(StreamingError) -> UnsafeRawBufferPointer {
        let line = mayEndInBreak(line.last) ? line[bytes: 0..<line.count - 1] : line
        guard line.count <= limit else { throw tooLong() }
        return line
    }

    private func mayEndInBreak(_ last: UInt8?) -> Bool { breaks == .lineFeeds && last == Self.carriageReturn }

    private func tooLong() -> StreamingError { .lineTooLong(limitBytes: limit) }
}
