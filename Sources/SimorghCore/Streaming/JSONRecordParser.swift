// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Cuts a body into records of JSON, however they are framed.
package struct JSONRecordParser: RecordParser {
    private enum Framing: Sendable {
        case lines(JSONLinesParser)
        case sequence(JSONSequenceParser)
        case array(JSONArrayParser)
        /// Events whose data is JSON, and how many there were.
        case events(ServerSentEventParser, Int)
        /// Its first byte will tell; the lines so far were blank.
        case undecided(JSONLinesParser, isOneText: Bool)
        /// Somebody has the parser in hand.
        case taken
    }

    /// What ends a stream of events by the custom of language models.
    private static let endMark = "[DONE]"

    private var framing: Framing
    private let limit: Int

    package init(_ framing: JSONFraming, limit: Int) {
        self.limit = limit
        self.framing =
            switch framing {
            case .lines: .lines(JSONLinesParser(limit: limit))
            case .sequence: .sequence(JSONSequenceParser(limit: limit))
            case .array: .array(JSONArrayParser(limit: limit))
            }
    }

    /// Creates a parser that finds out how the records are framed.
    package init(contentType: String?, limit: Int) {
        self.limit = limit
        switch contentType.map(MediaTypePattern.essence) {
        case "text/event-stream": framing = .events(ServerSentEventParser(limit: limit), 0)
        case "application/json-seq": framing = .sequence(JSONSequenceParser(limit: limit))
        case let type: framing = .undecided(JSONLinesParser(limit: limit), isOneText: type == "application/json")
        }
    }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> JSONRecord? {
        decide(bytes, position)
        // Taken out while it works, so that there is one owner and no buffer is copied.
        let current = framing
        framing = .taken
        switch consume current {
        case .lines(var parser):
            defer { framing = .lines(parser) }
            return try parser.next(in: bytes, at: &position)
        case .undecided(var parser, let isOneText):
            defer { framing = .undecided(parser, isOneText: isOneText) }
            return try parser.next(in: bytes, at: &position)
        case .sequence(var parser):
            defer { framing = .sequence(parser) }
            return try parser.next(in: bytes, at: &position)
        case .array(var parser):
            defer { framing = .array(parser) }
            return try parser.next(in: bytes, at: &position)
        case .events(var parser, var number):
            defer { framing = .events(parser, number) }
            guard let event = try parser.next(in: bytes, at: &position) else { return nil }
            number += 1
            return JSONRecord(
                number: number, bytes: Data(event.data.utf8), endsStream: event.data == Self.endMark)
        case .taken: return nil
        }
    }

    package mutating func finish() throws(StreamingError) -> JSONRecord? {
        let current = framing
        framing = .taken
        switch consume current {
        case .lines(var parser), .undecided(var parser, _):
            defer { framing = .lines(parser) }
            return try parser.finish()
        case .sequence(var parser):
            defer { framing = .sequence(parser) }
            return try parser.finish()
        case .array(var parser):
            defer { framing = .array(parser) }
            return try parser.finish()
        case .events, .taken: return nil
        }
    }

    /// Looks at the first byte that is no white space: no text of JSON begins like a field of an event.
    private mutating func decide(_ bytes: UnsafeRawBufferPointer, _ position: Int) {
        guard case .undecided(let parser, let isOneText) = framing else { return }
        guard let first = bytes[position...].first(where: { !JSONText.isSpace($0) }) else { return }
        framing =
            switch first {
            case UInt8(ascii: "d"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "r"), UInt8(ascii: ":"):
                .events(ServerSentEventParser(limit: limit), 0)
            case 0x1E: .sequence(JSONSequenceParser(limit: limit))
            case UInt8(ascii: "[") where isOneText: .array(JSONArrayParser(limit: limit))
            default: .lines(parser)
            }
    }
}
