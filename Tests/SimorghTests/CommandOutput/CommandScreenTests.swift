// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

/// The terminal screen during downloads, read back by pyte (Tests/Peers/screens.py).
@Suite(.timeLimit(.minutes(10)))
struct CommandScreenTests {
    private struct Show: Decodable {
        let screens: [[String]]
        let final: [String]
        let gone: [String]
        let status: Int

        /// The final rows that are not empty.
        var rows: [String] { final.filter { !$0.isEmpty } }
    }

    private func show(_ size: String, _ options: [String] = [], _ arguments: [String]) async throws -> Show {
        let variable = "SIMORGH_SCREENS"
        guard let script = ProcessInfo.processInfo.environment[variable] else {
            throw Witness.Missing(variable: variable)
        }
        let outcome = try await CommandTool.run(
            [script, size] + options + ["--", CommandTool.path] + arguments, environment: ["TERM": "xterm"],
            program: "/bin/sh")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Show.self, from: Data(outcome.text.utf8))
    }

    private static let names = [
        "ubuntu-24.04.1-desktop-amd64-and-a-name-that-goes-on-\(UUID().uuidString).iso",
        "%E9%B3%B3%E5%87%B0%E3%81%AE%E7%BE%BD%E6%A0%B9%E9%B3%B3%E5%87%B0%E3%81%AE%E7%BE%BD%E6%A0%B9\(UUID().uuidString).pdf",
        "cafe%CC%81-\(UUID().uuidString).bin",
    ]

    private static let sizes: [(String, [String])] = [
        ("20x10", []), ("40x24", []), ("80x24", []), ("200x50", []), ("80x24", ["--resize", "3:40x24"]),
        ("40x24", ["--resize", "3:120x30"]), ("200x50", ["--resize", "2:80x50", "--resize", "4:20x50"]),
    ]

    @Test("No row of an earlier progress display remains, whatever the size of the terminal", arguments: sizes)
    func pictures(size: String, options: [String]) async throws {
        let folder = try CommandDownloadTests.Folder()
        let urls = try Self.names.map { try CommandDownloadTests.file("\(UUID())-\($0)", "rate=500000", 900_000) }
        let show = try await show(
            size, options, ["download"] + urls + ["--segments", "1", "--output-dir", folder.path])
        #expect(show.status == 0)
        #expect(show.screens.count > 3)
        #expect(show.screens.contains { screen in screen.contains { $0.hasPrefix("0 of 3 files") } })
        for screen in show.screens {
            #expect(screen.count { $0.contains(" of 3 files") } <= 1, "\(screen)")
            #expect(screen.count { $0.contains("%") } <= 3, "\(screen)")
        }
        // The last progress display is correct and the file paths follow it, also if rows scrolled off the top.
        let rows = show.gone + show.rows
        #expect(rows.first?.hasPrefix("3 of 3 files") == true, "\(rows)")
        #expect(!rows.dropFirst().contains { $0.contains("%") || $0.contains(" of 3 files") }, "\(rows)")
        #expect(rows.dropFirst().joined().contains(folder.path))
    }

    @Test("Files without a row on the screen are counted")
    func many() async throws {
        let folder = try CommandDownloadTests.Folder()
        let urls = try (1...12).map { try CommandDownloadTests.file("\(UUID())-\($0)", "rate=200000", 400_000) }
        let arguments = ["download"] + urls + ["--segments", "1", "--parallel", "12", "--output-dir", folder.path]
        let show = try await show("80x6", [], arguments)
        #expect(show.status == 0)
        #expect(show.screens.contains { screen in screen.contains("… and 9 more") })
        for screen in show.screens { #expect(screen.count { $0.contains(" of 12 files") } <= 1, "\(screen)") }
        #expect(!show.gone.contains { $0.contains("%") || $0.contains("more") }, "\(show.gone)")
        #expect((show.gone + show.rows).count { $0.hasPrefix("12 of 12 files in ") } == 1)
    }

    @Test("Ctrl-C shows the interruption, and how to continue")
    func interrupted() async throws {
        let folder = try CommandDownloadTests.Folder()
        let url = try CommandDownloadTests.file(UUID().uuidString, "rate=200000", 4_000_000)
        let show = try await show("80x24", ["--interrupt", "6"], ["download", url, "--output-dir", folder.path])
        #expect(show.status == 130)
        #expect(show.rows.count { $0.hasPrefix("0 of 1 file, interrupted in ") } == 1, "\(show.rows)")
        #expect(show.rows.contains("simorgh: interrupted: run the same command with --continue to resume"))
        #expect(!show.rows.contains { $0.contains("%") })
    }

    @Test("A wait for Retry-After is counted down")
    func waiting() async throws {
        let folder = try CommandDownloadTests.Folder()
        let url = try CommandDownloadTests.file(UUID().uuidString, "busy=3", 1000)
        let show = try await show("80x24", [], ["download", url, "--output-dir", folder.path])
        #expect(show.status == 0)
        for seconds in [3, 2, 1] {
            #expect(
                show.screens.contains {
                    $0.contains { $0.contains("  again in \(seconds) s, the server answered 503") }
                })
        }
        #expect(show.rows.first?.hasPrefix("1 of 1 file in ") == true, "\(show.rows)")
    }

    @Test("The upload progress bar stays in one row", arguments: ["20x10", "40x24", "80x24", "200x50"])
    func upload(size: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "up-\(UUID()).bin")
        try Data(count: 3_000_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let show = try await show(
            size, [], ["upload", file.path, try Witness.httpbin.url + "/status/204", "--method", "PUT"])
        #expect(show.status == 0, "\(show.rows)")
        #expect(show.screens.allSatisfy { $0.count { $0.contains("%") } <= 1 })
        #expect(show.rows.count == 1 && show.rows[0].contains("100%"), "\(show.rows)")
    }
}
#endif
