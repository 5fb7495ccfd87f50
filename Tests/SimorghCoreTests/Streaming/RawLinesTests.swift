// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite("ResponseBody.forEachLine", .timeLimit(.minutes(5)))
struct RawLinesTests {
    private struct Enough: Error {}

    private func lines(_ chunks: [Data], limit: Int = 1024) async throws -> [String] {
        var lines: [String] = []
        try await ResponseBody(DataChunks(pieces: chunks)).forEachLine(limit: limit) { line in
            lines.append(String(decoding: line.indices.map { line[$0] }, as: UTF8.self))
        }
        return lines
    }

    @Test("EK5: raw lines equal decoded lines for chunks of any size")
    func cuts() async throws {
        let text = Data("één 🕊️\r\n\n\rb\r\r\nlong\nlast".utf8)
        for pieces in Cuts.all(of: text) {
            #expect(try await lines(pieces) == ["één 🕊️", "", "", "b", "", "long", "last"])
        }
    }

    @Test("A raw line may be as long as the limit, and no longer")
    func bound() async throws {
        #expect(try await lines([Data("1234\n12".utf8), Data("34\n".utf8)], limit: 4) == ["1234", "1234"])
        await #expect(throws: StreamingError.lineTooLong(limitBytes: 4)) {
            try await lines([Data("1234\n123".utf8), Data("45\n".utf8)], limit: 4)
        }
    }

    @Test("An error thrown by the closure ends the reading, also at the last line", arguments: ["b\nc\n", "b"])
    func stopped(rest: String) async throws {
        var count = 0
        await #expect(throws: Enough.self) {
            try await ResponseBody(Data("a\n\(rest)".utf8)).forEachLine { line in
                count += 1
                if line.count == 1, line[0] == UInt8(ascii: "b") { throw Enough() }
            }
        }
        #expect(count == 2)
    }

    @Test("A chunk larger than the internal read size loses no byte and no line")
    func pieces() async throws {
        var numbers = SeededNumbers(7)
        let expected = (0..<3000).map { _ in
            String(repeating: "x", count: Int.random(in: 0...200, using: &numbers))
        }
        let text = Data(expected.joined(separator: "\n").utf8)
        #expect(text.count > 256 * 1024)
        // A slice with a start index other than zero.
        let chunk = (Data("\n\n".utf8) + text)[2...]
        #expect(try await lines([chunk]) == expected)
        var texts: [String] = []
        for try await line in ResponseBody(DataChunks(pieces: [chunk], size: .max)).lines() { texts.append(line) }
        #expect(texts == expected)
    }
}
