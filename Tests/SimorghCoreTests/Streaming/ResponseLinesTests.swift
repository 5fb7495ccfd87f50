// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ResponseLinesTests {
    private func lines(_ chunks: [String], limit: Int = 1024) async throws -> [String] {
        try await lines(chunks.map { Data($0.utf8) }, limit: limit)
    }

    private func lines(_ chunks: [Data], limit: Int = 1024) async throws -> [String] {
        var lines: [String] = []
        for try await line in ResponseBody(DataChunks(pieces: chunks)).lines(limit: limit) { lines.append(line) }
        return lines
    }

    @Test(
        "EK5: lines end in LF, CR LF or CR, for chunks of any size",
        arguments: [
            (["a\nb\n"], ["a", "b"]), (["a\r", "\nb"], ["a", "b"]), (["a", "\n", "b"], ["a", "b"]),
            (["a\n\n\nb"], ["a", "", "", "b"]), (["\r\n\r\n"], ["", ""]), (["tail"], ["tail"]), ([], []),
            (["a\rb\n"], ["a", "b"]), (["a\r", "b"], ["a", "b"]), (["a\r", "", "\n", "\nb"], ["a", "", "b"]),
            (["\r\r\n\n\r"], ["", "", "", ""]), (["a\n", "b", "c", "\r\n", "d"], ["a", "bc", "d"]),
            (["a\n\r"], ["a", ""]),
        ])
    func ends(chunks: [String], expected: [String]) async throws {
        #expect(try await lines(chunks) == expected)
    }

    @Test("EK5: a character split across chunks is decoded correctly")
    func splitCharacters() async throws {
        let text = "één 🕊️\r\n雪\n\nlast"
        let bytes = Data(text.utf8)
        for size in 1...7 {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Data(bytes[$0..<min($0 + size, bytes.count)])
            }
            #expect(try await lines(pieces) == ["één 🕊️", "雪", "", "last"], "chunks of \(size)")
        }
    }

    @Test("Invalid UTF-8 is replaced, and no line is lost")
    func invalid() async throws {
        #expect(try await lines([Data([0xFF, 0x0A, 0x41])]) == ["\u{FFFD}", "A"])
    }

    @Test("A line may be as long as the limit, and no longer", arguments: ["\n", "\r\n", ""])
    func bound(end: String) async throws {
        let line = String(repeating: "x", count: 10)
        #expect(try await lines([line + end], limit: 10) == [line])
        await #expect(throws: StreamingError.lineTooLong(limitBytes: 10)) {
            try await lines([line + "x" + end], limit: 10)
        }
    }

    @Test(
        "Any number is a valid limit, and a negative one counts as zero",
        arguments: [(Int.max, "ab"), (0, ""), (-1, ""), (.min, "")])
    func extremes(limit: Int, line: String) async throws {
        #expect(try await lines(["\(line)\n\r\n\(line)"], limit: limit).first == line)
    }

    @Test("A line without an end fails at the limit and is not buffered further")
    func endless() async throws {
        let pieces = (0..<1000).map { _ in Data(repeating: 0x78, count: 1000) }
        await #expect(throws: StreamingError.lineTooLong(limitBytes: 2000)) { try await lines(pieces, limit: 2000) }
    }

    @Test("A hundred thousand lines in one chunk, and one line in ten thousand chunks, take linear time")
    func linear() async throws {
        let many = Data(String(repeating: "line\n", count: 100_000).utf8)
        #expect(try await lines([many]).count == 100_000)
        let returns = Data(String(repeating: "line\r", count: 100_000).utf8)
        #expect(try await lines([returns]).count == 100_000)
        let one = (0..<10_000).map { _ in Data(repeating: 0x78, count: 100) }
        #expect(try await lines(one, limit: 1_000_000).map(\.utf8.count) == [1_000_000])
    }

    @Test("Blank lines are kept, or skipped by option")
    func blankLines() async throws {
        let body = ResponseBody(Data("a\n\r\n\nb\n".utf8))
        var lines: [String] = []
        for try await line in body.lines(blankLines: .skipped) { lines.append(line) }
        #expect(lines == ["a", "b"])
    }

    @Test("With invalidUTF8: .refused, invalid UTF-8 ends the stream with the number of the line")
    func refused() async throws {
        var bytes = Data("één\n\n".utf8)
        bytes.append(contentsOf: [0xC3, 0x0A])
        var lines: [String] = []
        await #expect(throws: StreamingError.invalidUTF8(line: 3)) {
            for try await line in ResponseBody(bytes).lines(invalidUTF8: .refused) { lines.append(line) }
        }
        #expect(lines == ["één", ""])
    }

    @Test("After an error there are no more lines, and the body is released")
    func afterError() async throws {
        var iterator = ResponseBody(Data("a\nlong line\nb\n".utf8)).lines(limit: 3).makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        await #expect(throws: StreamingError.lineTooLong(limitBytes: 3)) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("Bytes are returned one by one, in order")
    func bytes() async throws {
        var bytes: [UInt8] = []
        for try await byte in ResponseBody(DataChunks(pieces: [Data([1, 2]), Data([3]), Data([4, 5, 6])])).bytes {
            bytes.append(byte)
        }
        #expect(bytes == [1, 2, 3, 4, 5, 6])
    }
}
