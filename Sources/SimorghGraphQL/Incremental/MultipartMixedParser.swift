// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A parser of `multipart/mixed` responses (RFC 2046, section 5.1), which arrive in pieces.
///
/// A value without a socket, a task or a clock. A part is returned as soon as the delimiter after it has arrived. Memory
/// is bounded by the limits; the preamble and the epilogue are discarded.
///
/// Lines end with CR LF; a header line or a delimiter that ends with LF alone is an error, because its parts would not
/// be found before the response ends. A line of a body that begins with the delimiter and goes on is an error, too,
/// although RFC 2046 allows it: JSON has no such line.
package struct MultipartMixedParser: Sendable {
    /// A part.
    package struct Part: Sendable, Equatable {
        /// The media type of the part in lower case, without parameters; `nil` if it has none.
        package let contentType: String?
        /// The body.
        package let body: Data
    }

    /// The largest header of a part, and the largest preamble, in bytes.
    package static let maximumHeaderBytes = 16 * 1024

    private enum State { case preamble, header, body, delimiter, closed }

    /// CR LF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let limit: Int
    private var state = State.preamble
    /// The number of bytes of the delimiter that the last bytes match.
    private var matched = 2
    /// True if the line break of the delimiter was not part of the body: at the beginning of the preamble or of a body.
    private var isAtStart = true
    private var line: [UInt8] = []
    private var contentType: String?
    private var body: [UInt8] = []
    /// The bytes of the preamble or of the current header.
    private var skipped = 0

    /// Creates a parser; `nil` if the boundary is empty, longer than 70 bytes, or has other characters than RFC 2046
    /// allows.
    ///
    /// - Parameters:
    ///   - boundary: The boundary of the `Content-Type`.
    ///   - limit: The largest body of a part, in bytes.
    package init?(boundary: [UInt8], limit: Int) {
        guard (1...70).contains(boundary.count), boundary.allSatisfy(Self.isBoundaryByte), boundary.last != 0x20 else {
            return nil
        }
        delimiter = [0x0D, 0x0A, 0x2D, 0x2D] + boundary
        self.limit = min(max(0, limit), Int.max / 4)
    }

    /// True after the closing delimiter.
    package var isClosed: Bool { state == .closed }

    /// Returns the next part that ends in a piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - position: The position to read from; 0 for a new piece. Advanced past the part.
    /// - Returns: The part; `nil` if no further part ends in the piece.
    /// - Throws: ``GraphQLProtocolError``, after which there are no more parts.
    package mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(GraphQLProtocolError) -> Part? {
        while position < bytes.count {
            switch state {
            case .preamble:
                let start = position
                let isFound = readDelimiter(in: bytes, at: &position, keepsBytes: false)
                try skip(position - start, of: "the preamble")
                if isFound { beginDelimiter() }
            case .body:
                if readDelimiter(in: bytes, at: &position, keepsBytes: true) {
                    beginDelimiter()
                    return takePart()
                }
                guard body.count <= limit else {
                    throw GraphQLProtocolError(.limitExceeded, "a part is larger than the limit of \(limit) bytes")
                }
            case .delimiter: try readDelimiterEnd(bytes[position], at: &position)
            case .header: try readHeader(bytes[position], at: &position)
            case .closed: position = bytes.count
            }
        }
        return nil
    }

    /// Checks that the response is complete.
    ///
    /// - Throws: ``GraphQLProtocolError`` with the reason `truncated` if the closing delimiter is missing.
    package func finish() throws(GraphQLProtocolError) {
        guard isClosed else {
            throw GraphQLProtocolError(.truncated, "the multipart response ended without its closing delimiter")
        }
    }

    /// Reads up to the end of a delimiter.
    ///
    /// - Returns: True if the delimiter ends in the piece.
    private mutating func readDelimiter(
        in bytes: UnsafeRawBufferPointer, at position: inout Int, keepsBytes: Bool
    ) -> Bool {
        while position < bytes.count {
            if matched == 0 {
                let end = bytes.firstOffset(of: 0x0D, in: position..<bytes.count)
                if keepsBytes {
                    // One byte more than the limit is enough to detect the excess.
                    body.append(contentsOf: bytes[bytes: position..<min(end, position + limit - body.count + 1)])
                    guard body.count <= limit else {
                        position = end
                        return false
                    }
                }
                position = end
                guard position < bytes.count else { return false }
            }
            let byte = bytes[position]
            if byte == delimiter[matched] {
                matched += 1
                position += 1
                guard matched == delimiter.count else { continue }
                return true
            }
            // A CR occurs only at the beginning of the delimiter, so no shorter match can have begun in between.
            if keepsBytes { body.append(contentsOf: delimiter[(isAtStart ? min(2, matched) : 0)..<matched]) }
            isAtStart = false
            matched = 0
            if byte != 0x0D {
                if keepsBytes { body.append(byte) }
                position += 1
            }
            guard body.count <= limit else { return false }
        }
        return false
    }

    private mutating func beginDelimiter() {
        state = .delimiter
        line = []
        skipped = 0
    }

    private mutating func beginHeader() {
        state = .header
        contentType = nil
        line = []
        skipped = 0
    }

    private mutating func takePart() -> Part {
        defer { body.removeAll(keepingCapacity: body.capacity <= 64 * 1024) }
        return Part(contentType: contentType, body: Data(body))
    }

    /// Reads the bytes after a delimiter: two hyphens, or white space and a line break.
    private mutating func readDelimiterEnd(_ byte: UInt8, at position: inout Int) throws(GraphQLProtocolError) {
        position += 1
        try skip(1, of: "a delimiter")
        switch (byte, line) {
        case (0x2D, []): line = [byte]
        case (0x2D, [0x2D]): state = .closed
        case (0x20, []), (0x09, []): break
        case (0x0D, []): line = [byte]
        case (0x0A, [0x0D]): beginHeader()
        default:
            throw GraphQLProtocolError(
                .malformedMultipart, "a delimiter of the multipart response has other text behind")
        }
    }

    private mutating func readHeader(_ byte: UInt8, at position: inout Int) throws(GraphQLProtocolError) {
        position += 1
        try skip(1, of: "the header of a part")
        guard byte == 0x0A else {
            line.append(byte)
            return
        }
        guard line.popLast() == 0x0D else {
            throw GraphQLProtocolError(.malformedMultipart, "a header line of a part ends without CR")
        }
        defer { line = [] }
        if line.isEmpty {
            state = .body
            (matched, isAtStart) = (2, true)
        } else if line.starts(with: delimiter[2...]) {
            // Strawberry writes a delimiter directly after another one at the end of a subscription.
            let rest = line.dropFirst(delimiter.count - 2)
            if rest.starts(with: [0x2D, 0x2D]) {
                state = .closed
            } else {
                guard rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
                    throw GraphQLProtocolError(
                        .malformedMultipart, "a delimiter of the multipart response has other text behind")
                }
                beginHeader()
            }
        } else {
            try readField()
        }
    }

    private mutating func readField() throws(GraphQLProtocolError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            // A line that begins with white space continues the last field.
            guard line.first == 0x20 || line.first == 0x09 else {
                throw GraphQLProtocolError(.malformedMultipart, "a header line of a part has no colon")
            }
            return
        }
        guard String(decoding: line[..<colon], as: UTF8.self).lowercased() == "content-type" else { return }
        contentType = MediaTypePattern.essence(of: String(decoding: line[(colon + 1)...], as: UTF8.self))
    }

    private mutating func skip(_ count: Int, of name: String) throws(GraphQLProtocolError) {
        skipped += count
        guard skipped <= Self.maximumHeaderBytes else {
            throw GraphQLProtocolError(
                .limitExceeded, "\(name) is larger than the limit of \(Self.maximumHeaderBytes) bytes")
        }
    }

    /// Returns true for a character of a boundary.
    private static func isBoundaryByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " '()+_,-./:=?".utf8.contains(byte)
        }
    }
}
