// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import ArgumentParser
import Foundation
import Simorgh
import SimorghCommand
import TestSupport
import Testing

/// The files that `simorgh download` leaves to later runs and to other commands in the same folder.
@Suite(.timeLimit(.minutes(10)))
struct CommandDownloadFolderTests {
    private struct Facts: Decodable {
        let requests: Int
        let sent: Int
        let ranges: [String?]
    }

    private func facts(_ name: String) async throws -> Facts {
        try await APIClient().call(.get, try Witness.downloads.url + "/facts/\(name)").decode(Facts.self)
    }

    private func release(_ name: String) async throws {
        try await APIClient().post("\(try Witness.downloads.url)/release/\(name)", body: .text(""))
    }

    /// Ends a run in the middle of a file that the server holds back.
    private func end(_ tool: ChildProcess, _ signal: Int32, _ name: String, after sent: Int = 100_000) async throws {
        try await eventually { try await facts(name).sent >= sent }
        tool.signal(signal)
        _ = try await tool.outcome()
    }

    @Test(
        "W1: a download keeps the partial file of an interrupted download of another file",
        arguments: [SIGINT, SIGKILL])
    func others(signal: Int32) async throws {
        let folder = try CommandDownloadTests.Folder()
        let (name, other) = (UUID().uuidString, UUID().uuidString)
        // More than one checkpoint interval, so that some of it is in the journal when the process is killed.
        let url = try CommandDownloadTests.file(name, "hold=20000000", 24_000_000)
        let arguments = ["--output-dir", folder.path]
        try await end(
            CommandTool.start(["download", url, "--segments", "1"] + arguments), signal, name, after: 20_000_000)
        let second = try await CommandTool.run(
            ["download", try CommandDownloadTests.file(other, "", 1000)] + arguments)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try folder.names.contains(other))
        try await release(name)
        let third = try await CommandTool.run(["download", url, "--continue"] + arguments)
        #expect(third.status == 0, "\(third.errors)")
        #expect(try await facts(name).ranges.last.flatMap(\.self) != nil)
        #expect(
            try await CommandDownloadTests.hash(of: folder.path + "/" + name) == CommandDownloadTests.hash(24_000_000))
        #expect(try folder.names == [name, other].sorted())
    }

    @Test("W2: after an interruption --continue does not fetch finished files again, and a third run fetches nothing")
    func finished() async throws {
        let folder = try CommandDownloadTests.Folder()
        let (name, held) = (UUID().uuidString, UUID().uuidString)
        let urls = [
            try CommandDownloadTests.file(name, "name=same.txt", 5000),
            try CommandDownloadTests.file(held, "hold=200000&name=big.iso", 400_000),
        ]
        let arguments = ["download"] + urls + ["--segments", "1", "--output-dir", folder.path]
        let tool = try CommandTool.start(arguments)
        try await eventually {
            let sent = try await facts(held).sent
            return try folder.names.contains("same.txt") && sent >= 200_000
        }
        tool.signal(SIGINT)
        let first = try await tool.outcome()
        #expect(first.status == 130)
        #expect(first.errors == "simorgh: interrupted: run the same command with --continue to resume\n")
        try await release(held)
        let second = try await CommandTool.run(arguments + ["--continue"])
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.errors == "simorgh: same.txt exists already\n")
        #expect(try await facts(name).requests == 1)
        #expect(try folder.names == ["big.iso", "same.txt"])
        let third = try await CommandTool.run(arguments + ["--continue"])
        #expect(third.status == 0, "\(third.errors)")
        #expect(third.errors.contains("same.txt exists already") && third.errors.contains("big.iso exists already"))
        #expect(
            Set(third.text.split(separator: "\n").map { $0.split(separator: "/").last }) == ["same.txt", "big.iso"])
        #expect(try folder.names == ["big.iso", "same.txt"])
    }

    @Test("W2: a finished file is not mistaken for a failed one from another URL with the same name and length")
    func siblings() async throws {
        let folder = try CommandDownloadTests.Folder()
        let (one, two) = (UUID().uuidString, UUID().uuidString)
        let urls = [
            try CommandDownloadTests.file(one, "name=SUMS", 64),
            try CommandDownloadTests.file(two, "name=SUMS&seed=2&before=always-404", 64),
        ]
        let arguments = ["download"] + urls + ["--output-dir", folder.path]
        #expect(try await CommandTool.run(arguments).status == 4)
        let second = try await CommandTool.run(arguments + ["--continue"])
        #expect(second.status == 0, "\(second.errors)")
        #expect(try folder.names == ["SUMS", "SUMS (1)"])
        let hash = try await CommandDownloadTests.hash(64, seed: 2)
        #expect(try CommandDownloadTests.hash(of: folder.path + "/SUMS (1)") == hash)
        let same = ["https://a.test/a/SUMS", "https://a.test/b/SUMS", "https://a.test/c"]
        let job = try DownloadCommand.parse(same + ["--continue", "--output-dir", folder.path]).job()
        #expect(job.requests.map(\.collision) == [.uniquify, .uniquify, .skipIfSame])
    }

    @Test("W2: --output --continue keeps an unchanged file and replaces a changed one")
    func finishedOutput() async throws {
        let folder = try CommandDownloadTests.Folder()
        let name = UUID().uuidString
        let url = try CommandDownloadTests.file(name, "changed=5001&change-at=3", 5000)
        let arguments = ["download", url, "--continue", "--output", folder.path + "/out.bin"]
        for (size, isThere) in [(5000, false), (5000, true), (5001, false)] {
            let outcome = try await CommandTool.run(arguments)
            #expect(outcome.status == 0 && outcome.errors.contains("exists already") == isThere, "\(outcome.errors)")
            #expect(DownloadFileSystem.length(of: folder.path + "/out.bin") == Int64(size))
            #expect(try folder.names == ["out.bin"])
        }
    }

    @Test("An interrupted download leaves no files if no bytes had arrived", arguments: 1...4)
    func nothing(round: Int) async throws {
        let folder = try CommandDownloadTests.Folder()
        let (name, held) = (UUID().uuidString, UUID().uuidString)
        let urls = [
            try CommandDownloadTests.file(name, "", 5000), try CommandDownloadTests.file(held, "hold=0", 400_000),
        ]
        let tool = try CommandTool.start(["download"] + urls + ["--output-dir", folder.path])
        try await eventually {
            let requests = try await facts(held).requests
            return try folder.names.contains(name) && requests > 0
        }
        tool.signal(SIGINT)
        #expect(try await tool.outcome().status == 130)
        let state = folder.path + "/.simorgh-downloads"
        for name in try FileManager.default.contentsOfDirectory(atPath: state) where !name.hasPrefix(".") {
            #expect(try !FileManager.default.contentsOfDirectory(atPath: state + "/" + name).isEmpty)
        }
        let again = try await CommandTool.run(["download", urls[0], "--output-dir", folder.path, "--continue"])
        #expect(again.status == 0)
        #expect(try folder.names == [name])
    }

    @Test("W5: two commands can download different files into one folder; a second one for the same file is refused")
    func together() async throws {
        let folder = try CommandDownloadTests.Folder()
        let (name, other) = (UUID().uuidString, UUID().uuidString)
        let url = try CommandDownloadTests.file(name, "hold=100000", 400_000)
        let arguments = ["--output-dir", folder.path]
        let tool = try CommandTool.start(["download", url] + arguments)
        try await eventually { try await facts(name).sent > 0 }
        let second = try await CommandTool.run(
            ["download", try CommandDownloadTests.file(other, "", 1000), url] + arguments)
        #expect(second.status == 10)
        #expect(second.errors.contains("is being downloaded to this folder by another simorgh"))
        #expect(try folder.names.contains(other))
        try await release(name)
        #expect(try await tool.outcome().status == 0)
        #expect(
            try await CommandDownloadTests.hash(of: folder.path + "/" + name) == CommandDownloadTests.hash(400_000))
        #expect(try folder.names == [name, other].sorted())
    }

    @Test("W5: eight concurrent commands in one folder all save their files and leave nothing else")
    func crowd() async throws {
        let folder = try CommandDownloadTests.Folder()
        let names = (0..<8).map { _ in UUID().uuidString }
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for name in names {
                let url = try CommandDownloadTests.file(name, "", 100_000)
                group.addTask {
                    try await CommandTool.run(["download", url, "--output-dir", folder.path]).status
                }
            }
            for try await status in group { #expect(status == 0) }
        }
        #expect(try folder.names == names.sorted())
    }

    @Test(
        "W8: a server that always answers 206 works, also after an interrupted transfer",
        arguments: ["", "cut=300000"])
    func always206(query: String) async throws {
        let folder = try CommandDownloadTests.Folder()
        let url = try CommandDownloadTests.file(
            UUID().uuidString, "before=always-206&fault=always-206&\(query)", 600_000)
        let outcome = try await CommandTool.run(["download", url, "--output", folder.path + "/out.bin"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await CommandDownloadTests.hash(of: folder.path + "/out.bin") == CommandDownloadTests.hash(600_000))
        for field in ["Range: bytes=0-99", "if-range: x", "Accept-Encoding: gzip"] {
            let refused = try await CommandTool.run(["download", url, "-H", field, "--output", folder.path + "/x"])
            #expect(refused.status == 2 && refused.errors.contains("sets its own ranges"), "\(refused.errors)")
        }
    }

    @Test("W9: a file name in ISO-8859-1 is decoded")
    func latin1() async throws {
        let folder = try CommandDownloadTests.Folder()
        let url = try CommandDownloadTests.file(UUID().uuidString, "name=na%EFve%20caf%E9.txt", 1000)
        let outcome = try await CommandTool.run(["download", url, "--output-dir", folder.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.names == ["naïve café.txt"])
    }

    @Test(
        "W11: a URL list may start with a byte order mark, and be read from standard input or a pipe",
        arguments: ["--input-file list", "-i - <list", "-i /dev/stdin <list", "cat list | $simorgh"])
    func lists(way: String) async throws {
        let folder = try CommandDownloadTests.Folder()
        let name = UUID().uuidString
        let url = try CommandDownloadTests.file(name, "", 1000)
        let list = Data([0xEF, 0xBB, 0xBF]) + Data("\(url)\r\n".utf8)
        try list.write(to: URL(filePath: folder.path + "/list"))
        let line = way.hasPrefix("cat") ? "cat list | \"$simorgh\" download -i -" : "\"$simorgh\" download \(way)"
        let outcome = try await CommandTool.shell("cd '\(folder.path)' && \(line)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Friction 4: no `.` in the path.
        #expect(outcome.text.hasSuffix("/\(name)\n") && !outcome.text.contains("/./"))
        #expect(try folder.names == [name, "list"].sorted())
    }

    @Test("A URL list in UTF-16 with a byte order mark is decoded, and lines keep their numbers")
    func listText() {
        let text = "\u{FEFF}# one\r\nhttp://a.test/ü x\n\n  b.test \n"
        let utf16 = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        for bytes in [Array(text.utf8), utf16] {
            let list = URLList(bytes, name: "l")
            #expect(list.lines.map(\.number) == [2, 4] && list.lines.map(\.text) == ["http://a.test/ü", "b.test"])
        }
    }

    @Test("W12: invalid lines of a URL list are reported, the others are downloaded, and the exit status is 2")
    func badLines() async throws {
        let folder = try CommandDownloadTests.Folder()
        let name = UUID().uuidString
        let list = "# mine\nhttp://[bad\n\(try CommandDownloadTests.file(name, "", 1000))\nftp://a.test/b\n"
        let outcome = try await CommandTool.run(["download", "-i", "-", "--output-dir", folder.path], input: list)
        #expect(outcome.status == 2)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(outcome.errors)")
        #expect(lines.first?.hasPrefix("simorgh: standard input, line 2: http://[bad: ") == true)
        #expect(lines.last?.hasPrefix("simorgh: standard input, line 4: ") == true)
        #expect(try folder.names == [name])
        let all = try await CommandTool.run(
            ["download", "-i", "-", "--output-dir", folder.path], input: "http://[bad\n")
        #expect(all.status == 2 && all.errors.contains("line 1"))
    }

    @Test("Friction 3: --output - writes to standard output, and a device file receives the bytes")
    func sinks() async throws {
        let name = UUID().uuidString
        let url = try CommandDownloadTests.file(name, "", 70_000)
        let hash = try await CommandDownloadTests.hash(70_000)
        let piped = try await CommandTool.shell("\"$simorgh\" download '\(url)' --output - | sha256sum")
        #expect(piped.text.hasPrefix(hash), "\(piped.errors)")
        let sunk = try await CommandTool.run(["download", url, "-o", "/dev/null", "--checksum", "sha-256=\(hash)"])
        #expect(sunk.status == 0 && sunk.text.isEmpty && sunk.errors.isEmpty, "\(sunk.errors)")
        let zeros = String(repeating: "0", count: 64)
        let wrong = try await CommandTool.run(["download", url, "-o", "/dev/null", "--checksum", "sha-256=\(zeros)"])
        #expect(wrong.status == 9)
        let missing = try CommandDownloadTests.file(UUID().uuidString, "before=always-404", 10)
        let refused = try await CommandTool.run(["download", missing, "--output", "-"])
        #expect(refused.status == 4 && refused.text.isEmpty)
        let busy = try CommandDownloadTests.file(UUID().uuidString, "busy=86400", 10)
        let late = try await CommandTool.run(["download", busy, "--output", "-"])
        #expect(late.status == 5 && late.errors.contains("it asks to wait 86400 s"), "\(late.errors)")
        for more in ["--continue", "--json"] {
            #expect(try await CommandTool.run(["download", url, "--output", "-", more]).status == 2)
        }
    }

    @Test("Friction 1: without a terminal a retry delay is reported, and one that is too long ends the download")
    func waits() async throws {
        let folder = try CommandDownloadTests.Folder()
        let arguments = ["--output-dir", folder.path]
        let short = try CommandDownloadTests.file("short-\(UUID()).bin", "busy=1", 1000)
        let first = try await CommandTool.run(["download", short] + arguments)
        #expect(first.status == 0)
        #expect(first.errors.contains(".bin: the server answered 503; trying again in "))
        let long = try CommandDownloadTests.file("\(UUID()).bin", "busy=86400", 1000)
        let second = try await CommandTool.run(["download", long] + arguments)
        #expect(second.status == 5)
        #expect(
            second.errors.hasSuffix(
                "the server answered 503 Service Unavailable; it asks to wait 86400 s, longer than the maximum of "
                    + "3600 s\n"), "\(second.errors)")
    }

    @Test("Friction 13: download words a failure as get does")
    func words() async throws {
        let url = "http://127.0.0.1:1/x"
        let get = try await CommandTool.run(["get", url])
        let download = try await CommandTool.run(["download", url, "--retry", "0", "--output", "/tmp/\(UUID())"])
        #expect(get.status == 6 && download.status == 6)
        #expect(download.errors.contains(get.errors.trimmingCharacters(in: .newlines).dropFirst("simorgh: ".count)))
    }
}
#endif
