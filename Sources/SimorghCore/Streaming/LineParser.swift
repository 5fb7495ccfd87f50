// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Parses lines into strings.
package struct LineParser: RecordParser {
    private struct Reader: Sendable {
        let skipsBlankLines: Bool
        let refusesInvalidUTF8: Bool
        var number = 0

        /// Returns the text of a line; `nil` if it is skipped.
        mutating func read(_ line: UnsafeRawBufferPointer) throws(StreamingError) -> String? {
            number += 1
            if line.isEmpty { return skipsBlankLines ? nil : "" }
            guard refusesInvalidUTF8 else { return String(decoding: line, as: UTF8.self) }
            guard let text = String(validating: line, as: UTF8.self) else { throw .invalidUTF8(line: number) }
            return text
        }
    }

    private var splitter: LineSplitter
    private var reader: Reader

    package init(limit: Int, blankLines: ResponseLines.BlankLines, invalidUTF8: ResponseLines.InvalidUTF8) {
        splitter = LineSplitter(.any, limit: limit)
        reader = Reader(skipsBlankLines: blankLines == .skipped, refusesInvalidUTF8: invalidUTF8 == .refused)
    }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> String? {
        while let line = try splitter.next(in: bytes, at: &position, for: &reader, Self.take) {
            if let line { return line }
        }
        return nil
    }

    package mutating func finish() throws(StreamingError) -> String? {
        try splitter.finish(for: &reader, Self.take) ?? nil
    }

    private static func take(_ reader: inout Reader, line: UnsafeRawBufferPointer) throws(StreamingError) -> String? {
        try reader.read(line)
    }
}
