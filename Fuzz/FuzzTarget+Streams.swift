// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// Lines: the same wherever the bytes are split, and those of a simple parser that has all the bytes at once.
    static let lines = FuzzTarget(name: "lines") { bytes in
        let limit = limits[bytes.below(limits.count)]
        let keepsBlank = bytes.below(2) == 0
        let cuts = Cuts(&bytes)
        let input = bytes.rest
        for invalid in [ResponseLines.InvalidUTF8.replaced, .refused] {
            let reading = cuts.reading(input) {
                LineParser(limit: limit, blankLines: keepsBlank ? .kept : .skipped, invalidUTF8: invalid)
            }
            precondition(reading.records.allSatisfy { !$0.utf8.contains(0x0A) && !$0.utf8.contains(0x0D) })
            guard invalid == .replaced, limit >= input.count else { continue }
            let expected = allLines(input).filter { keepsBlank || !$0.isEmpty }
            precondition(
                reading.error == nil && reading.records == expected.map { String(decoding: $0, as: UTF8.self) },
                "the lines differ")
        }
    }

    /// NDJSON: the same wherever the bytes are split, with one record per non-blank line.
    static let jsonLines = FuzzTarget(name: "json-lines") { bytes in
        let limit = limits[bytes.below(limits.count)]
        let cuts = Cuts(&bytes)
        let input = bytes.rest
        let reading = cuts.reading(input) { JSONLinesParser(limit: limit) }
        precondition(reading.records.allSatisfy { $0.bytes.count <= limit }, "longer than the limit")
        guard limit >= input.count else { return }
        var expected: [JSONRecord] = []
        for (index, line) in input.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var line = line.last == 0x0D ? line.dropLast() : line
            if index == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            if line.allSatisfy(\.isJSONSpace) { continue }
            expected.append(JSONRecord(number: index + 1, bytes: Data(line)))
        }
        precondition(reading.error == nil && reading.records == expected, "the records differ")
    }

    /// RFC 7464: the same wherever it is split; at most one record after each separator, and one before the first.
    static let jsonSequence = FuzzTarget(name: "json-sequence") { bytes in
        let limit = limits[bytes.below(limits.count)]
        let cuts = Cuts(&bytes)
        let input = bytes.rest
        let reading = cuts.reading(input) { JSONSequenceParser(limit: limit) }
        precondition(reading.records.count <= 2 * (input.count { $0 == 0x1E } + 1), "more records than texts")
        for record in reading.records where record.defect == nil {
            precondition(record.bytes.count <= limit && !record.bytes.contains(0x1E), "not one text between separators")
        }
    }

    /// Elements of an array: the same wherever it is split, and an array if and only if JSONDecoder reads the whole as
    /// one, with the same elements.
    static let jsonArray = FuzzTarget(name: "json-array") { bytes in
        let limit = limits[bytes.below(limits.count)]
        let cuts = Cuts(&bytes)
        let input = bytes.rest
        let reading = cuts.reading(input) { JSONArrayParser(limit: limit) }
        precondition(reading.records.map(\.number) == Array(1..<reading.records.count + 1), "the numbers differ")
        // JSONDecoder takes NUL for a sign of UTF-16, and refuses deep nesting.
        guard limit >= input.count, input.count <= 512, !input.contains(0) else { return }
        let whole = try? JSONDecoder().decode([JSON].self, from: Data(input))
        let elements = reading.records.map { try? JSONDecoder().decode(JSON.self, from: $0.bytes) }
        if reading.error == nil, elements.allSatisfy({ $0 != nil }) {
            precondition(whole.map { $0 == elements } ?? false, "only our parser reads an array")
        } else {
            precondition(whole == nil, "only JSONDecoder reads an array")
        }
    }

    /// Records framed according to the media type or their first bytes: the same wherever they are split.
    static let jsonRecords = FuzzTarget(name: "json-records") { bytes in
        let types = [nil, "application/json", "text/event-stream", "application/json-seq"]
        let type = types[bytes.below(types.count)]
        let limit = limits[bytes.below(limits.count)]
        let cuts = Cuts(&bytes)
        _ = cuts.reading(bytes.rest) { JSONRecordParser(contentType: type, limit: limit) }
    }

    /// Server-sent events: the same wherever they are split, and those of the standard's algorithm.
    static let events = FuzzTarget(name: "events") { bytes in
        let limit = limits[bytes.below(limits.count)]
        let cuts = Cuts(&bytes)
        let input = bytes.rest
        let reading = cuts.reading(input) { ServerSentEventParser(limit: limit, lastEventID: "0") }
        for event in reading.records {
            precondition(
                !event.event.isEmpty && event.id.utf8.allSatisfy(HeaderRules.isValueByte),
                "an id that cannot be sent back")
        }
        guard limit >= input.count else { return }
        precondition(reading.error == nil && reading.records == allEvents(input), "the events differ")
    }

    private static let limits = [4096, 4096, 0, 3, 16]

    /// Returns the lines, read byte by byte.
    private static func allLines(_ bytes: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var line: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D { continue }
            if byte == 0x0A || byte == 0x0D {
                lines.append(line)
                line = []
            } else {
                line.append(byte)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Parses events step by step as in WHATWG HTML, section 9.2.6.
    private static func allEvents(_ bytes: [UInt8]) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var event = ServerSentEvent(data: "", event: "", id: "0")
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var hasData = false
        // An incomplete last line has no effect, since no blank line follows it.
        for line in allLines(body) {
            if line.isEmpty {
                if hasData {
                    let name = event.event.isEmpty ? "message" : event.event
                    events.append(ServerSentEvent(data: String(event.data.dropLast()), event: name, id: event.id))
                }
                (event.data, event.event, hasData) = ("", "", false)
                continue
            }
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : []
            if value.first == 0x20 { value = value.dropFirst() }
            let text = String(decoding: value, as: UTF8.self)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "data":
                event.data.append(text + "\n")
                hasData = true
            case "event": event.event = text
            case "id" where value.allSatisfy(HeaderRules.isValueByte): event.id = text
            default: break
            }
        }
        return events
    }
}

/// The result of a stream parser.
private struct StreamReading<Record: Equatable & Sendable>: Equatable {
    var records: [Record] = []
    var error: StreamingError?

    /// Feeds a parser like a body's iterator.
    init<Parser: RecordParser>(_ pieces: [ArraySlice<UInt8>], _ parser: Parser) where Parser.Record == Record {
        var parser = parser
        do throws(StreamingError) {
            for piece in pieces {
                // A copy, so that a read past its end is detected.
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
                defer { bytes.deallocate() }
                bytes.copyBytes(from: piece)
                var position = 0
                while position < bytes.count {
                    guard let record = try parser.next(in: UnsafeRawBufferPointer(bytes), at: &position) else {
                        precondition(position == bytes.count, "bytes are left without a record")
                        break
                    }
                    records.append(record)
                }
            }
            while let record = try parser.finish() { records.append(record) }
        } catch {
            self.error = error
        }
    }
}

/// The positions at which an input is split.
private struct Cuts {
    private let place: Int
    private let size: Int

    init(_ bytes: inout FuzzBytes) {
        place = bytes.below(256)
        size = 1 + bytes.below(16)
    }

    /// Returns the result of a parser, which must not depend on how the bytes are split.
    func reading<Parser: RecordParser>(
        _ bytes: [UInt8], _ make: () -> Parser
    ) -> StreamReading<Parser.Record> where Parser.Record: Equatable {
        let whole = StreamReading([bytes[...]], make())
        let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min(bytes.count, $0 + size)] }
        precondition(StreamReading(pieces, make()) == whole, "read differently in pieces")
        let places = bytes.count <= 64 ? Array(0...bytes.count) : [place % bytes.count]
        for place in places {
            precondition(StreamReading([bytes[..<place], bytes[place...]], make()) == whole, "read differently in two")
        }
        return whole
    }
}
