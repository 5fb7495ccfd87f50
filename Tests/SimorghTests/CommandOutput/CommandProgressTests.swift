// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghCommand
import Testing

/// Progress displays as values, without a terminal.
@Suite(.timeLimit(.minutes(2)))
struct CommandProgressTests {
    private static let widths: [(String, Int)] = [
        ("", 0), ("film.mp4", 8), ("é", 1), ("e\u{301}", 1), ("鳳凰", 4), ("사용", 4), ("ﾊﾈ", 2), ("ＡＢ", 4), ("🦅", 2),
        ("مرغ", 3), ("न्", 1), ("a\u{200D}b", 2), ("👩‍🚀", 4), ("☂\u{FE0F}", 2), ("カ\u{3099}", 2),
    ]

    @Test("A wide character takes two columns, and a combining mark none", arguments: widths)
    func width(text: String, columns: Int) { #expect(TextWidth.of(text) == columns) }

    private static let names: [(String, Int, String)] = [
        ("ubuntu-24.04.1-desktop-amd64.iso", 40, "ubuntu-24.04.1-desktop-amd64.iso"),
        ("ubuntu-24.04.1-desktop-amd64.iso", 15, "ubuntu-…d64.iso"), ("鳳凰の羽根の物語.pdf", 11, "鳳凰の….pdf"),
        ("鳳凰", 3, "鳳…"), ("abc", 2, "ab"), ("abc", 0, ""),
    ]

    @Test("A long file name loses its middle and keeps its end", arguments: names)
    func elided(name: String, columns: Int, expected: String) {
        let text = TextWidth.elided(name, to: columns)
        #expect(text == expected)
        #expect(TextWidth.of(text) <= columns)
    }

    private static var file: DownloadProgressView.File {
        var file = DownloadProgressView.File(name: "ubuntu-24.04.1-desktop-amd64.iso")
        (file.received, file.total, file.speed) = (4_404_020, 10_485_760, 1_048_576)
        (file.eta, file.connections) = (5.5, 4)
        return file
    }

    @Test(
        "Parts that do not fit into the line are omitted, the least important first",
        arguments: [
            (200, "ubuntu-24.04.1-desktop-amd64.iso  42%  4.2 MiB of 10.0 MiB, 1.0 MiB/s, 6 s left, 4 connections"),
            (80, "ubuntu-24.04.1-desktop-amd64.iso  42%  4.2 MiB of 10.0 MiB, 1.0 MiB/s, 6 s left"),
            (40, "ubuntu-24.0…p-amd64.iso  42%, 1.0 MiB/s"), (20, "ubuntu-…64.iso  42%"), (4, "42%"), (1, "4"),
        ])
    func line(columns: Int, expected: String) {
        let text = Self.file.line.text(columns: columns)
        #expect(text == expected)
        #expect(TextWidth.of(text) < max(2, columns))
    }

    @Test(
        "An upload's progress bar is shorter on a narrow terminal",
        arguments: [
            (80, "[###############...............]  50%  1.5 MiB of 3.0 MiB, 1.5 MiB/s"),
            (60, "[##########...........]  50%  1.5 MiB of 3.0 MiB, 1.5 MiB/s"), (30, "[#####......]  50%, 1.5 MiB/s"),
            (10, " 50%"),
        ])
    func bar(columns: Int, expected: String) {
        let line = ProgressBar.line(sent: 3 << 19, total: 3 << 20, after: .seconds(1))
        #expect(line.text(columns: columns) == expected)
    }

    @Test("DownloadProgressView has fewer lines than the terminal has rows, and counts the hidden files")
    func rows() {
        var picture = DownloadProgressView(count: 30)
        picture.files = (1...12).map { DownloadProgressView.File(name: "file-\($0).bin") }
        picture.completed = 3
        let lines = picture.lines(TerminalSize(columns: 80, rows: 6))
        #expect(lines.count == 5)
        #expect(lines[3] == "… and 9 more" && lines[4] == "3 of 30 files, 0 bytes/s")
        #expect(picture.lines(TerminalSize(columns: 80, rows: 24)).count == 13)
        #expect(picture.lines(TerminalSize(columns: 20, rows: 1)) == ["3 of 30 files"])
        for columns in 1...200 {
            for line in picture.lines(TerminalSize(columns: columns, rows: 9)) {
                #expect(TextWidth.of(line) <= max(1, columns - 1))
            }
        }
    }

    @Test("The last DownloadProgressView summarizes the outcome")
    func end() {
        var picture = DownloadProgressView(count: 3)
        (picture.completed, picture.failed) = (2, 1)
        picture.end = .init(isInterrupted: false, seconds: 64.2)
        #expect(picture.lines(.standard) == ["2 of 3 files, 1 failed in 1 min 5 s"])
        picture.end = .init(isInterrupted: true, seconds: 3)
        #expect(picture.lines(.standard) == ["2 of 3 files, 1 failed, interrupted in 3 s"])
    }

    @Test("A file that waits for a retry shows the delay and the reason")
    func wait() {
        var file = DownloadProgressView.File(name: "a.bin")
        file.wait = .init(seconds: 29.4, reason: "the server answered 503")
        #expect(file.line.text(columns: 80) == "a.bin  again in 30 s, the server answered 503")
        #expect(file.line.text(columns: 25) == "a.bin  again in 30 s")
        file.wait = .init(seconds: 7300, reason: "x")
        #expect(file.line.text(columns: 80) == "a.bin  again in 2 h 1 min, x")
    }

    @Test("TerminalRegion erases below its first line, and leaves the cursor there")
    func board() {
        var board = TerminalRegion()
        #expect(board.end(["never drawn"]).isEmpty)
        #expect(board.draw(["a", "b", "c"]) == "\r\u{1B}[J\u{1B}[?7la\nb\nc\u{1B}[?7h\r\u{1B}[2A")
        #expect(board.draw(["a"]) == "\r\u{1B}[J\u{1B}[?7la\u{1B}[?7h\r")
        #expect(board.end(["over"]) == "\r\u{1B}[J\u{1B}[?7lover\u{1B}[?7h\n")
    }

    @Test("TerminalSize falls back to COLUMNS and LINES, then to 80 by 24")
    func size() throws {
        // Not a terminal.
        let descriptor = Descriptor(-1)
        #expect(TerminalSize(descriptor, environment: ["COLUMNS": "40", "LINES": "9"]) == .init(columns: 40, rows: 9))
        #expect(TerminalSize(descriptor, environment: ["COLUMNS": "-1", "LINES": "x"]) == .standard)
    }
}
#endif
