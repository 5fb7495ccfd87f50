// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Parses a JSON text sequence into its texts (RFC 7464).
///
/// Each text begins with RS and ends in LF.
///
/// An object, an array or a string is returned with its last byte. A number, `true`, `false` or `null` is returned with
/// the white space after it, because without that it may be truncated (section 2.4). An invalid text affects only that
/// record: parsing continues at the next RS (section 2.3).
package struct JSONSequenceParser: RecordParser {
    private static let separator: UInt8 = 0x1E
    /// The number of bytes of an invalid text that its failure contains.
    private static let shown = 512

    private enum State { case outside, begun, text, after, broken }

    private let limit: Int
    private var state = State.outside
    private var text = JSONText()
    private var bytes: [UInt8] = []
    private var number = 0
    private var defect = ""

    package init(limit: Int) { self.limit = max(0, limit) }

    package mutating func next(
        in piece: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> JSONRecord? {
        while position < piece.count {
            if piece[position] == Self.separator {
                position += 1
                let last = closed()
                state = .begun
                if let last { return last }
                continue
            }
            let end = piece.firstOffset(of: Self.separator, in: position..<piece.count)
            if let record = try read(piece, from: &position, to: end) { return record }
        }
        return nil
    }

    package mutating func finish() throws(StreamingError) -> JSONRecord? {
        let last = closed()
        state = .outside
        return last
    }

    /// Parses bytes that contain no separator.
    private mutating func read(
        _ piece: UnsafeRawBufferPointer, from position: inout Int, to end: Int
    ) throws(StreamingError) -> JSONRecord? {
        if state != .text, state != .broken {
            while position < end, piece[position].isJSONSpace { position += 1 }
            guard position < end else { return nil }
            switch state {
            case .begun:
                number += 1
                text = JSONText()
                state = .text
            case .outside: breakOff("there are bytes before the first record separator")
            default: breakOff("there are bytes after the text")
            }
        }
        if state == .broken {
            bytes.append(contentsOf: piece[position..<end].prefix(max(0, Self.shown - bytes.count)))
            position = end
            return nil
        }
        let valueEnd = text.end(in: piece, position..<end)
        let part = piece[bytes: position..<(valueEnd ?? end)]
        position = valueEnd ?? end
        guard part.count <= limit - bytes.count else { throw .recordTooLong(limitBytes: limit) }
        guard let valueEnd else {
            bytes.append(contentsOf: part)
            return nil
        }
        if text.isScalar, !piece[valueEnd].isJSONSpace {
            // A bracket or a comma: the decoder reports what is wrong with it.
            bytes.append(contentsOf: part)
            breakOff(nil)
            return nil
        }
        state = .after
        guard !bytes.isEmpty else { return JSONRecord(number: number, bytes: Data(part)) }
        bytes.append(contentsOf: part)
        return JSONRecord(number: number, bytes: taken())
    }

    /// Returns the incomplete or invalid record that an RS or the end of the body ends.
    private mutating func closed() -> JSONRecord? {
        switch state {
        case .outside, .begun, .after: return nil
        case .text: return JSONRecord(number: number, bytes: taken(), defect: "the text is truncated")
        case .broken: return JSONRecord(number: number, bytes: taken(), defect: defect)
        }
    }

    private mutating func breakOff(_ reason: String?) {
        if reason != nil { number += 1 }
        defect = reason ?? "the text is not valid JSON"
        state = .broken
    }

    private mutating func taken() -> Data {
        defer { bytes.removeAll(keepingCapacity: bytes.capacity <= 64 * 1024) }
        return Data(bytes)
    }
}
