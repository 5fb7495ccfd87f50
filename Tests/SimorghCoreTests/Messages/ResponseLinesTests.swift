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
        "EK5: lines end in LF or CR LF, wherever the chunks are cut",
        arguments: [
            (["a\nb\n"], ["a", "b"]), (["a\r", "\nb"], ["a", "b"]), (["a", "\n", "b"], ["a", "b"]),
            (["a\n\n\nb"], ["a", "", "", "b"]), (["\r\n\r\n"], ["", ""]), (["tail"], ["tail"]), ([], []),
            (["a\rb\n"], ["a\rb"]), (["a\n", "b", "c", "\r\n", "d"], ["a", "bc", "d"]), (["a\n\r"], ["a", ""]),
        ])
    func ends(chunks: [String], expected: [String]) async throws {
        #expect(try await lines(chunks) == expected)
    }

    @Test("EK5: a character that is split over chunks stays whole, wherever it is split")
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

    @Test("Bytes that are no UTF-8 are replaced, and lose no line")
    func invalid() async throws {
        #expect(try await lines([Data([0xFF, 0x0A, 0x41])]) == ["\u{FFFD}", "A"])
    }

    @Test("A line may be as long as the bound, and no longer", arguments: ["\n", "\r\n", ""])
    func bound(end: String) async throws {
        let line = String(repeating: "x", count: 10)
        #expect(try await lines([line + end], limit: 10) == [line])
        await #expect(throws: ResponseLines.LineTooLong.self) { try await lines([line + "x" + end], limit: 10) }
    }

    @Test(
        "Any number is a bound, and one below zero is zero",
        arguments: [(Int.max, "ab"), (0, ""), (-1, ""), (.min, "")])
    func extremes(limit: Int, line: String) async throws {
        #expect(try await lines(["\(line)\n\r\n\(line)"], limit: limit).first == line)
    }

    @Test("What has no end is given up at the bound, not gathered")
    func endless() async throws {
        let pieces = (0..<1000).map { _ in Data(repeating: 0x78, count: 1000) }
        await #expect(throws: ResponseLines.LineTooLong.self) { try await lines(pieces, limit: 2000) }
    }

    @Test("A hundred thousand lines in one chunk, and one line in ten thousand chunks, take no quadratic time")
    func linear() async throws {
        let many = Data(String(repeating: "line\n", count: 100_000).utf8)
        #expect(try await lines([many]).count == 100_000)
        let one = (0..<10_000).map { _ in Data(repeating: 0x78, count: 100) }
        #expect(try await lines(one, limit: 1_000_000).map(\.utf8.count) == [1_000_000])
    }
}
