// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

/// `simorgh download` against Tests/Peers/downloads.py.
@Suite(.timeLimit(.minutes(30)))
struct CommandDownloadTests {
    /// A temporary folder that is deleted when the object is released.
    final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "download-\(UUID())").path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
    }

    /// A fault that interrupts the first run, and a fault of the server in the second run.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let name: String
        let query: String
        var size = 2_000_000
        var changed: Int?
        var segments = 1
        var isCut = true
        /// True if the second run saves the correct file; otherwise no file is saved.
        var succeeds = true

        var testDescription: String { name }
    }

    private static let unchanged: [Scenario] = ["strong", "weak", "date", "none"].flatMap { validator in
        [
            Scenario(name: "unchanged, \(validator)", query: "validator=\(validator)"),
            Scenario(name: "equally long, \(validator)", query: "validator=\(validator)", changed: 2_000_000),
            Scenario(name: "longer, \(validator)", query: "validator=\(validator)", changed: 2_000_900),
            Scenario(name: "shorter, \(validator)", query: "validator=\(validator)", changed: 900_000),
        ]
    }

    private static let faults: [Scenario] = [
        Scenario(name: "Range ignored", query: "fault=ignore-range"),
        Scenario(name: "Range ignored, changed", query: "fault=ignore-range", changed: 2_000_000),
        Scenario(name: "If-Range never holds", query: "fault=if-range-never"),
        Scenario(name: "If-Range never holds, changed", query: "fault=if-range-never", changed: 2_000_000),
        Scenario(name: "206 that ends with the connection", query: "fault=close"),
        Scenario(name: "200 that ends with the connection", query: "before=close&fault=close", isCut: false),
        Scenario(name: "cut off without Content-Length, length known from HEAD only", query: "before=close"),
        Scenario(name: "If-Range ignored, changed", query: "fault=ignore-if-range", changed: 2_000_000),
        Scenario(
            name: "If-Range ignored, changed, date", query: "validator=date&fault=ignore-if-range", changed: 2_000_000),
        Scenario(name: "If-Range ignored, shorter", query: "fault=ignore-if-range", changed: 900_000),
        Scenario(name: "wrong start", query: "fault=wrong-start"),
        Scenario(name: "no Content-Range", query: "fault=no-content-range"),
        Scenario(name: "short parts", query: "fault=short"),
        Scenario(name: "short parts with an unknown total length", query: "fault=short-star"),
        Scenario(name: "short parts after chunked", query: "before=chunked&fault=short"),
        Scenario(name: "short parts of unknown length after chunked", query: "before=chunked&fault=short-star"),
        Scenario(name: "multipart/byteranges", query: "fault=multipart"),
        Scenario(name: "416 with an HTML page", query: "fault=416-page"),
        Scenario(name: "416 with the total length", query: "fault=416-total"),
        Scenario(name: "503 with an HTML page, once", query: "fault=once-503"),
        Scenario(name: "503 with an HTML page, always", query: "fault=always-503", succeeds: false),
        Scenario(name: "404 with an HTML page", query: "fault=always-404", succeeds: false),
        Scenario(name: "204", query: "fault=always-204", succeeds: false),
        Scenario(name: "a signed URL", query: "fault=redirect&before=redirect"),
        Scenario(name: "Content-Encoding on resume", query: "fault=gzip"),
        Scenario(name: "Content-Encoding on resume, changed", query: "fault=gzip", changed: 900_000),
        Scenario(name: "Content-Encoding on resume, digest of encoded bytes", query: "fault=gzip&digest=wrong"),
        Scenario(name: "body too short, no validator", query: "validator=none&fault=short-body", succeeds: false),
        Scenario(name: "body too short", query: "fault=short-body", succeeds: false),
        Scenario(name: "Content-Length too large", query: "fault=length-lies", succeeds: false),
        Scenario(name: "a chunked body without its last chunk", query: "before=endless", isCut: false, succeeds: true),
        Scenario(
            name: "no last chunk in any response", query: "before=endless&fault=endless&validator=none", isCut: false,
            succeeds: false),
        Scenario(name: "wrong digest", query: "digest=wrong", succeeds: false),
        Scenario(name: "correct digest", query: "digest=right"),
        Scenario(
            name: "changed between segments", query: "change-at=3", size: 24_000_000, changed: 24_000_000, segments: 4,
            isCut: false),
        Scenario(name: "segments, unchanged", query: "", size: 24_000_000, segments: 4),
        Scenario(name: "segments, changed", query: "", size: 24_000_000, changed: 24_000_000, segments: 4),
    ]

    static func file(_ name: String, _ query: String, _ size: Int) throws -> String {
        "\(try Witness.downloads.url)/file/\(name)?size=\(size)&\(query)"
    }

    static func hash(_ size: Int, seed: Int = 1) async throws -> String {
        let url = try Witness.downloads.url + "/sha256?size=\(size)&seed=\(seed)"
        return try await String(decoding: APIClient().call(.get, url).data(), as: UTF8.self)
    }

    static func hash(of path: String) throws -> String? {
        guard DownloadFileSystem.exists(path) else { return nil }
        return try DownloadFileSystem.digest(of: path, using: .sha256)
            .map { String($0.description.dropFirst("sha-256=".count)) }
    }

    @Test(
        "download --continue after a cut succeeds only if the file is complete and correct",
        arguments: unchanged + faults)
    func scenarios(_ scenario: Scenario) async throws {
        let folder = try Folder()
        let output = folder.path + "/out.bin"
        var query = scenario.query
        if let changed = scenario.changed { query += "&changed=\(changed)" }
        if scenario.isCut { query += "&cut=\(scenario.size / 2)" }
        let url = try Self.file(UUID().uuidString, query, scenario.size)
        let arguments = ["download", url, "--output", output]
        if scenario.isCut {
            // One connection only: with more, the others would continue the range of the one that is cut off.
            let first = try await CommandTool.run(arguments + ["--segments", "1", "--retry", "0"])
            #expect(first.status != 0, "\(first.errors)")
            #expect(!DownloadFileSystem.exists(output))
        }
        let outcome = try await CommandTool.run(
            arguments + ["--segments", "\(scenario.segments)", "--retry", "1", "--continue"])
        #expect((outcome.status == 0) == scenario.succeeds, "\(outcome.errors)")
        if scenario.succeeds {
            let expected = try await Self.hash(scenario.changed ?? scenario.size, seed: scenario.changed == nil ? 1 : 2)
            #expect(try Self.hash(of: output) == expected)
            #expect(try folder.names == ["out.bin"])
        } else {
            #expect(!DownloadFileSystem.exists(output))
        }
    }

    @Test("SIM12: a download that is killed four times resumes where it stopped", arguments: [1, 8])
    func kills(segments: Int) async throws {
        let folder = try Folder()
        let output = folder.path + "/out.bin"
        let name = UUID().uuidString
        let size = 64_000_000
        // Large enough that the journal is updated meanwhile; seven rounds of all connections are less than the file.
        let url = try Self.file(name, "hold-each=\(segments == 1 ? 8_000_000 : 500_000)", size)
        let arguments = ["download", url, "--output", output, "--segments", "\(segments)", "--continue"]
        struct Facts: Decodable {
            let sent: Int
            let ranges: [String?]
        }
        func facts() async throws -> Facts {
            try await APIClient().call(.get, try Witness.downloads.url + "/facts/\(name)").decode(Facts.self)
        }
        var (seen, rounds, wentOn) = (0, 0, false)
        // Bytes that the server sent may not have been read or journaled when the process is killed; on a busy machine
        // this can happen four times in a row.
        while rounds < 4 || rounds < 7 && !wentOn {
            rounds += 1
            let tool = try CommandTool.start(arguments)
            try await eventually { try await facts().sent >= seen + (segments == 1 ? 8_000_000 : 1_500_000) }
            tool.signal(SIGKILL)
            _ = try await tool.outcome()
            seen = try await facts().sent
            wentOn = try await facts().ranges.contains { $0 != nil }
            #expect(!DownloadFileSystem.exists(output))
        }
        try await APIClient().post("\(try Witness.downloads.url)/release/\(name)", body: .text(""))
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await Self.hash(of: output) == Self.hash(size))
        #expect(try await facts().ranges.contains { $0 != nil })
    }

    @Test("Several files, from arguments and from a list, each get their own name")
    func several() async throws {
        let folder = try Folder()
        let list = folder.path + "/list"
        let urls = try (1...4).map { try Self.file("file-\($0).bin", "seed=\($0)", 10_000 * $0) }
        try Data("# a list\n\(urls[2])\n\n\(urls[3])\n\(urls[0])\n".utf8).write(to: URL(filePath: list))
        let outcome = try await CommandTool.run(
            [
                "download", urls[0], urls[1], "--input-file", list, "--output-dir", folder.path + "/files",
                "--priority", "high",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/files").sorted()
        #expect(files == (1...4).map { "file-\($0).bin" })
        for number in 1...4 {
            let expected = try await Self.hash(10_000 * number, seed: number)
            #expect(try Self.hash(of: folder.path + "/files/file-\(number).bin") == expected)
        }
    }

    @Test("If one of several files is missing, the exit status is that of its response, and the others are saved")
    func partly() async throws {
        let folder = try Folder()
        let good = try Self.file("good-\(UUID()).bin", "", 1000)
        let bad = try Self.file("bad-\(UUID()).bin", "before=always-404", 1000)
        let outcome = try await CommandTool.run(["download", bad, good, "--output-dir", folder.path])
        #expect(outcome.status == 4)
        #expect(outcome.errors.contains("404"))
        #expect(try folder.names.count { !$0.hasPrefix(".") } == 1)
    }

    @Test("--checksum decides whether the download succeeds", arguments: [true, false])
    func checksum(isRight: Bool) async throws {
        let folder = try Folder()
        let output = folder.path + "/out.bin"
        let hash = isRight ? try await Self.hash(5000) : String(repeating: "0", count: 64)
        let url = try Self.file(UUID().uuidString, "", 5000)
        let outcome = try await CommandTool.run(["download", url, "-o", output, "--checksum", "sha-256=\(hash)"])
        #expect(outcome.status == (isRight ? 0 : 9), "\(outcome.errors)")
        #expect(DownloadFileSystem.exists(output) == isRight)
    }

    @Test("--checksum given only in the second run decides whether the download succeeds", arguments: [true, false])
    func lateChecksum(isRight: Bool) async throws {
        let folder = try Folder()
        let output = folder.path + "/out.bin"
        let hash = isRight ? try await Self.hash(900_000) : String(repeating: "0", count: 64)
        let url = try Self.file(UUID().uuidString, "cut=400000", 900_000)
        let first = try await CommandTool.run(["download", url, "-o", output, "--retry", "0"])
        #expect(first.status != 0)
        let outcome = try await CommandTool.run(
            ["download", url, "-o", output, "--continue", "--checksum", "sha-256=\(hash)"])
        #expect(outcome.status == (isRight ? 0 : 9), "\(outcome.errors)")
        #expect(DownloadFileSystem.exists(output) == isRight)
    }

    @Test("A folder that was moved between two runs receives the file at its new path")
    func moved() async throws {
        let folder = try Folder()
        let (old, new) = (folder.path + "/old", folder.path + "/new")
        let url = try Self.file(UUID().uuidString, "cut=400000", 900_000)
        let first = try await CommandTool.run(["download", url, "-o", old + "/out.bin", "--retry", "0"])
        #expect(first.status != 0)
        try FileManager.default.moveItem(atPath: old, toPath: new)
        let outcome = try await CommandTool.run(["download", url, "-o", new + "/out.bin", "--continue"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await Self.hash(of: new + "/out.bin") == Self.hash(900_000))
        #expect(try folder.names == ["new"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: new) == ["out.bin"])
    }

    @Test("Without --continue the unfinished downloads of an earlier run start again")
    func leftovers() async throws {
        let folder = try Folder()
        let name = UUID().uuidString
        let urls = try (1...3).map { try Self.file("\(name)-\($0).bin", "hold=100000&seed=\($0)", 400_000) }
        let arguments = ["download"] + urls + ["--output-dir", folder.path, "--parallel", "1"]
        let tool = try CommandTool.start(arguments)
        struct Facts: Decodable { let sent: Int }
        try await eventually {
            let url = try Witness.downloads.url + "/facts/\(name)-1.bin"
            return try await APIClient().call(.get, url).decode(Facts.self).sent > 0
        }
        tool.signal(SIGKILL)
        _ = try await tool.outcome()
        for number in 1...3 {
            try await APIClient().post("\(try Witness.downloads.url)/release/\(name)-\(number).bin", body: .text(""))
        }
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.names == (1...3).map { "\(name)-\($0).bin" })
        for number in 1...3 {
            let expected = try await Self.hash(400_000, seed: number)
            #expect(try Self.hash(of: folder.path + "/\(name)-\(number).bin") == expected)
        }
    }

    @Test("A file that a killed run had completed is not fetched again, nor saved under a second name")
    func completed() async throws {
        let folder = try Folder()
        let name = UUID().uuidString
        let urls = [
            try Self.file("\(name)-1.bin", "", 50_000),
            try Self.file("\(name)-2.bin", "hold=100000&seed=2", 400_000),
        ]
        let arguments = ["download"] + urls + ["--output-dir", folder.path, "--parallel", "1", "--continue"]
        struct Facts: Decodable {
            let requests: Int
            let sent: Int
        }
        func facts(_ number: Int) async throws -> Facts {
            try await APIClient().call(.get, try Witness.downloads.url + "/facts/\(name)-\(number).bin")
                .decode(Facts.self)
        }
        let tool = try CommandTool.start(arguments)
        try await eventually { try await facts(2).sent > 0 }
        tool.signal(SIGKILL)
        _ = try await tool.outcome()
        try await APIClient().post("\(try Witness.downloads.url)/release/\(name)-2.bin", body: .text(""))
        let outcome = try await CommandTool.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("-1.bin") && outcome.text.contains("-2.bin"))
        #expect(try folder.names == (1...2).map { "\(name)-\($0).bin" })
        #expect(try await facts(1).requests == 1)
        #expect(try await Self.hash(of: folder.path + "/\(name)-2.bin") == Self.hash(400_000, seed: 2))
    }

    @Test(
        "--output sets the exact file name, whatever the media type",
        arguments: [
            "photo", "LICENSE", ".netrc", "a:b", "x ", String(repeating: "n", count: 237),
            String(repeating: "n", count: 238), String(repeating: "ü", count: 127),
        ])
    func names(name: String) async throws {
        let folder = try Folder()
        let url = try Self.file(UUID().uuidString, "", 1000)
        let outcome = try await CommandTool.run(["download", url, "-o", folder.path + "/" + name])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.names == [name])
    }

    @Test("--output follows a link, replaces a file, and does not replace a device or folder")
    func targets() async throws {
        let folder = try Folder()
        let url = try Self.file(UUID().uuidString, "", 1000)
        try Data("old".utf8).write(to: URL(filePath: folder.path + "/real"))
        symlink("real", folder.path + "/link")
        let outcome = try await CommandTool.run(["download", url, "-o", folder.path + "/link"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(DownloadFileSystem.length(of: folder.path + "/real") == 1000)
        #expect(try folder.names == ["link", "real"])
        #expect(try await CommandTool.run(["download", url, "-o", "/dev/null"]).status == 0)
        #expect(DownloadFileSystem.length(of: "/dev/null") == nil)
        #expect(try await CommandTool.run(["download", url, "-o", folder.path]).status == 10)
    }

    @Test("--limit-rate limits the transfer rate")
    func rate() async throws {
        let folder = try Folder()
        let url = try Self.file(UUID().uuidString, "", 600_000)
        let begun = ContinuousClock.now
        let outcome = try await CommandTool.run(["download", url, "-o", folder.path + "/out", "--limit-rate", "400k"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(ContinuousClock.now - begun > .seconds(1))
    }

    @Test("Without a terminal only the file's path is printed; invalid arguments are rejected before a request is sent")
    func quiet() async throws {
        let folder = try Folder()
        let url = try Self.file(UUID().uuidString, "", 3_000_000)
        let outcome = try await CommandTool.run(["download", url, "-o", folder.path + "/out"])
        #expect(outcome.text == folder.path + "/out\n" && outcome.errors.isEmpty)
        for arguments in [
            [], [url, url + "&seed=2", "-o", "x"], [url, "--segments", "9"], [url, "--limit-rate", "fast"],
            [url, "--checksum", "crc=1"], [url, "--segments", "-1"], [url, "-o", "x/"], [url, "--priority", "now"],
            ["ftp://a.test/b"],
            ["http://zal:feather@a.test/b", "--output-dir", folder.path],
        ] {
            let refused = try await CommandTool.run(["download"] + arguments)
            #expect(refused.status == 2 || refused.status == 64, "\(arguments) \(refused.status) \(refused.errors)")
        }
    }

    private struct Line: Decodable {
        let url: String
        let state: String
        let received: Int
        let total: Int?
        let eta: Double?
        let path: String?
        let error: String?
    }

    @Test("--json prints one object per line, and a file's last object reports its outcome")
    func json() async throws {
        let folder = try Folder()
        let good = try Self.file("good-\(UUID()).bin", "", 3_000_000)
        let bad = try Self.file("bad-\(UUID()).bin", "before=always-404", 1000)
        let outcome = try await CommandTool.run(["download", good, bad, "--output-dir", folder.path, "--json"])
        #expect(outcome.status == 4)
        let lines = try outcome.text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let whole = try #require(lines.last { $0.url == good })
        #expect(whole.state == "completed" && whole.received == 3_000_000 && whole.total == 3_000_000)
        #expect(whole.path.flatMap { DownloadFileSystem.length(of: $0) } == 3_000_000 && whole.error == nil)
        let refused = try #require(lines.last { $0.url == bad })
        #expect(refused.state == "failed" && refused.path == nil && refused.error?.contains("404") == true)
    }

    @Test("On a terminal each file has a line, and a last line sums them up", .enabled(if: Terminal.isAvailable))
    func terminal() async throws {
        let folder = try Folder()
        let urls = try (1...2).map {
            try Self.file("\(UUID().uuidString.prefix(8))-\($0).bin", "rate=1500000", 3_000_000)
        }
        let command =
            "'\(CommandTool.path)' download '\(urls[0])' '\(urls[1])' --output-dir '\(folder.path)'"
        let outcome = try await CommandTool.run(
            ["--quiet", "--return", "--command", command, "/dev/null"], environment: ["TERM": "xterm"],
            program: "/usr/bin/script")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("0 of 2 files"))
        #expect(outcome.text.contains("-1.bin  ") && outcome.text.contains("-2.bin  "))
        #expect(outcome.text.contains("2 of 2 files in "))
        #expect(outcome.text.contains(" of 2.9 MiB") && outcome.text.contains("MiB/s"))
    }
}
#endif
