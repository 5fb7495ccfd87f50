// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// Parses NDJSON into one record per line.
///
/// Skips blank lines, which keep a connection alive.
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
    ///   - earlierLines: The number of lines that were read before.
    package init(limit: Int, earlierLines: Int = 0) {
        self.limit = limit
        reader.number = earlierLines
        // A CR without LF is white space inside a record.
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

/// The byte order mark that a UTF-8 text can begin with.
enum ByteOrderMark {
    static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
}
