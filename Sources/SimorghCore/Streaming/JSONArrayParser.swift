// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Parses a large JSON array into its elements and keeps at most one element in memory.
package struct JSONArrayParser: RecordParser {
    private enum State { case start, first, element, separator, next, ended }

    private let limit: Int
    private var state = State.start
    private var text = JSONText()
    private var bytes: [UInt8] = []
    private var number = 0
    /// The number of bytes read, in this piece and the earlier ones.
    private var read: Int
    /// The number of bytes in the earlier pieces.
    private var earlier = 0
    /// The number of bytes of a byte order mark that were read.
    private var mark = 0

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - limit: The largest element, in bytes.
    ///   - earlierBytes: The number of bytes that were read before.
    package init(limit: Int, earlierBytes: Int = 0) {
        self.limit = max(0, limit)
        read = earlierBytes
    }

    package mutating func next(
        in piece: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> JSONRecord? {
        // Computed here, since a piece that ends with an element is not passed again.
        earlier = read - position
        defer { read = earlier + position }
        while position < piece.count {
            if state == .element {
                if let record = try element(in: piece, at: &position) { return record }
                continue
            }
            let byte = piece[position]
            if byte.isJSONSpace, !isInMark {
                position += 1
                continue
            }
            if state == .start, earlier + position == mark, byte == markByte {
                mark += 1
                position += 1
                continue
            }
            guard !isInMark else { throw malformed("it does not begin with [", at: position) }
            switch (state, byte) {
            case (.start, UInt8(ascii: "[")): state = .first
            case (.first, UInt8(ascii: "]")), (.separator, UInt8(ascii: "]")): state = .ended
            case (.separator, UInt8(ascii: ",")): state = .next
            case (.first, _), (.next, _):
                guard byte != UInt8(ascii: ","), byte != UInt8(ascii: "]"), byte != UInt8(ascii: "}") else {
                    throw malformed("an element is missing", at: position)
                }
                number += 1
                text = JSONText()
                state = .element
                continue
            case (.start, _): throw malformed("it does not begin with [", at: position)
            case (.separator, _): throw malformed("a comma or ] is missing", at: position)
            default: throw malformed("unexpected bytes after the closing ]", at: position)
            }
            position += 1
        }
        return nil
    }

    package mutating func finish() throws(StreamingError) -> JSONRecord? {
        earlier = read
        switch state {
        case .ended: return nil
        case .start: throw malformed("the body is empty", at: 0)
        default: throw malformed("the closing ] is missing", at: 0)
        }
    }

    private mutating func element(
        in piece: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> JSONRecord? {
        let valueEnd = text.end(in: piece, position..<piece.count)
        let part = piece[bytes: position..<(valueEnd ?? piece.count)]
        position = valueEnd ?? piece.count
        guard part.count <= limit - bytes.count else { throw .recordTooLong(limitBytes: limit) }
        guard valueEnd != nil else {
            bytes.append(contentsOf: part)
            return nil
        }
        state = .separator
        guard !bytes.isEmpty else { return JSONRecord(number: number, bytes: Data(part)) }
        bytes.append(contentsOf: part)
        defer { bytes.removeAll(keepingCapacity: bytes.capacity <= 64 * 1024) }
        return JSONRecord(number: number, bytes: Data(bytes))
    }

    /// The next byte of a byte order mark, until the mark is complete.
    private var markByte: UInt8? { mark < ByteOrderMark.bytes.count ? ByteOrderMark.bytes[mark] : nil }

    private var isInMark: Bool { mark > 0 && mark < ByteOrderMark.bytes.count }

    private func malformed(_ reason: String, at position: Int) -> StreamingError {
        .malformedArray(reason: reason, offset: earlier + position)
    }
}
