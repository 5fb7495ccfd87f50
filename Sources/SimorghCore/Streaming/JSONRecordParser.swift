// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Parses a body into JSON records, with any framing.
package struct JSONRecordParser: RecordParser {
    private enum Framing: Sendable {
        case lines(JSONLinesParser)
        case sequence(JSONSequenceParser)
        case array(JSONArrayParser)
        /// Events with JSON data, and the number of events so far.
        case events(ServerSentEventParser, Int)
        /// The framing depends on the first byte, which has not been read.
        case undecided(Blank, isOneText: Bool)
        /// The parser is moved out while it is in use.
        case taken
    }

    /// The white space before the first significant byte.
    private struct Blank: Sendable {
        var count = 0
        var lines = 0
        /// True if the next byte begins a line.
        var isAtLineStart = true

        mutating func take(_ byte: UInt8) {
            count += 1
            if byte == 0x0A { lines += 1 }
            isAtLineStart = byte == 0x0A || byte == 0x0D
        }
    }

    /// The data that ends a stream of events, a convention of language model APIs.
    private static let endMark = "[DONE]"

    private var framing: Framing
    private let limit: Int
    /// The number of bytes of a byte order mark that were read; `nil` after another byte.
    private var markBytes: Int? = 0

    package init(_ framing: JSONFraming, limit: Int) {
        self.limit = limit
        self.framing =
            switch framing {
            case .lines: .lines(JSONLinesParser(limit: limit))
            case .sequence: .sequence(JSONSequenceParser(limit: limit))
            case .array: .array(JSONArrayParser(limit: limit))
            }
    }

    /// Creates a parser that detects the framing.
    package init(contentType: String?, limit: Int) {
        self.limit = limit
        switch contentType.map(MediaTypePattern.essence) {
        case "text/event-stream": framing = .events(ServerSentEventParser(limit: limit), 0)
        case "application/json-seq": framing = .sequence(JSONSequenceParser(limit: limit))
        case let type: framing = .undecided(Blank(), isOneText: type == "application/json")
        }
    }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> JSONRecord? {
        decide(bytes, at: &position)
        // Moved out during parsing, so that there is one owner and no buffer is copied.
        let current = framing
        framing = .taken
        switch consume current {
        case .lines(var parser):
            defer { framing = .lines(parser) }
            return try parser.next(in: bytes, at: &position)
        case .sequence(var parser):
            defer { framing = .sequence(parser) }
            return try parser.next(in: bytes, at: &position)
        case .array(var parser):
            defer { framing = .array(parser) }
            return try parser.next(in: bytes, at: &position)
        case .events(var parser, var number):
            defer { framing = .events(parser, number) }
            while let event = try parser.next(in: bytes, at: &position) {
                number += 1
                // An event without a value: some servers send them to keep the connection alive.
                if event.data.utf8.allSatisfy(\.isJSONSpace) { continue }
                return JSONRecord(
                    number: number, bytes: Data(event.data.utf8), endsStream: event.data == Self.endMark)
            }
            return nil
        case .undecided(let blank, let isOneText):
            framing = .undecided(blank, isOneText: isOneText)
            return nil
        case .taken: return nil
        }
    }

    package mutating func finish() throws(StreamingError) -> JSONRecord? {
        if let count = markBytes.take() { parseAsLine(count) }
        let current = framing
        framing = .taken
        switch consume current {
        case .lines(var parser):
            defer { framing = .lines(parser) }
            return try parser.finish()
        case .sequence(var parser):
            defer { framing = .sequence(parser) }
            return try parser.finish()
        case .array(var parser):
            defer { framing = .array(parser) }
            return try parser.finish()
        case .events, .undecided, .taken: return nil
        }
    }

    /// Skips white space and detects the framing by the first other byte.
    ///
    /// No JSON text begins like an event field.
    private mutating func decide(_ bytes: UnsafeRawBufferPointer, at position: inout Int) {
        skipByteOrderMark(in: bytes, at: &position)
        guard case .undecided(var blank, let isOneText) = framing else { return }
        while position < bytes.count, bytes[position].isJSONSpace {
            blank.take(bytes[position])
            position += 1
        }
        guard position < bytes.count else {
            framing = .undecided(blank, isOneText: isOneText)
            return
        }
        framing =
            switch bytes[position] {
            case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "r"), UInt8(ascii: ":"):
                // After a space it cannot be the name of an event field.
                blank.isAtLineStart
                    ? .events(ServerSentEventParser(limit: limit), 0)
                    : .lines(JSONLinesParser(limit: limit, earlierLines: blank.lines))
            case 0x1E: .sequence(JSONSequenceParser(limit: limit))
            case UInt8(ascii: "[") where isOneText: .array(JSONArrayParser(limit: limit, earlierBytes: blank.count))
            default: .lines(JSONLinesParser(limit: limit, earlierLines: blank.lines))
            }
    }

    /// Skips a byte order mark, even if split between pieces.
    ///
    /// If the mark is incomplete, its bytes belong to a line.
    private mutating func skipByteOrderMark(in bytes: UnsafeRawBufferPointer, at position: inout Int) {
        guard case .undecided(var blank, let isOneText) = framing, let earlier = markBytes else { return }
        let mark = ByteOrderMark.bytes
        var (count, index) = (earlier, position)
        while count < mark.count, index < bytes.count, bytes[index] == mark[count] {
            index += 1
            count += 1
        }
        guard count == mark.count || index == bytes.count else {
            markBytes = nil
            parseAsLine(earlier)
            return
        }
        blank.count += index - position
        framing = .undecided(blank, isOneText: isOneText)
        markBytes = count == mark.count ? nil : count
        position = index
    }

    /// Parses bytes as part of a line that were taken for a byte order mark.
    private mutating func parseAsLine(_ count: Int) {
        guard count > 0, case .undecided = framing else { return }
        var parser = JSONLinesParser(limit: limit)
        var index = 0
        // Too short for a line. It fails only if the limit is that small, and then the next byte exceeds the limit,
        // too.
        _ = ByteOrderMark.bytes[..<count].withUnsafeBytes { try? parser.next(in: $0, at: &index) }
        framing = .lines(parser)
    }
}
