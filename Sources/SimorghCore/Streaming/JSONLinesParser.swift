// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Cuts NDJSON into its records: one on each line, blank lines (which keep a connection alive) left out.
package struct JSONLinesParser: RecordParser {
    private struct Reader: Sendable {
        var number = 0

        mutating func read(_ line: UnsafeRawBufferPointer) -> JSONRecord? {
            number += 1
            var line = line
            if number == 1, line.starts(with: ByteOrderMark.bytes) {
                line = line[bytes: ByteOrderMark.bytes.count..<line.count]
            }
            guard !line.allSatisfy(\.isJSONSpace) else { return nil }
            return JSONRecord(number: number, bytes: Data(line))
        }
    }

    private var splitter: LineSplitter
    private var reader = Reader()
    private let limit: Int

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - limit: The longest line, in bytes.
    ///   - earlierLines: How many lines were read before.
    package init(limit: Int, earlierLines: Int = 0) {
        self.limit = limit
        reader.number = earlierLines
        // A CR alone is white space inside a record.
        splitter = LineSplitter(.lineFeeds, limit: limit)
    }

    package mutating func next(
        in bytes: UnsafeRawBufferPointer, at position: inout Int
    ) throws(StreamingError) -> JSONRecord? {
        while let record = try splitter.next(in: bytes, at: &position, for: &reader, { $0.read($1) }) {
            if let record { return record }
        }
        return nil
    }

    package mutating func finish() throws(StreamingError) -> JSONRecord? {
        try splitter.finish(for: &reader) { $0.read($1) } ?? nil
    }
}

/// What a text in UTF-8 may begin with.
enum ByteOrderMark {
    static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
