// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import Simorgh
import TestSupport
import Testing

/// `simorgh download` with files of other runs and with a full disk, and the order of its writes.
@Suite(.timeLimit(.minutes(10)))
struct CommandDownloadFilesTests {
    @Test("download: two URLs that differ only in the fragment are fetched once, also with --continue")
    func twice() async throws {
        let folder = try CommandDownloadTests.Folder()
        let url = try CommandDownloadTests.file("twice-\(UUID()).bin", "cut=400000", 900_000)
        let other = url + "#part"
        let arguments = ["download", url, other, "--output-dir", folder.path]
        let first = try await CommandTool.run(arguments + ["--retry", "0", "--segments", "1"])
        #expect(first.status != 0 && first.status != 2, "\(first.errors)")
        let outcome = try await CommandTool.run(["download", other, url, "--output-dir", folder.path, "--continue"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let names = try folder.names
        #expect(names.count == 1)
        let name = try #require(names.first)
        #expect(try await CommandDownloadTests.hash(of: folder.path + "/" + name) == CommandDownloadTests.hash(900_000))
    }

    @Test("download: a second command for the same file is refused while the first runs, and does not damage the file")
    func together() async throws {
        let folder = try CommandDownloadTests.Folder()
        let name = UUID().uuidString
        let url = try CommandDownloadTests.file(name, "hold=100000", 900_000)
        let arguments = ["download", url, "--output", folder.path + "/out.bin"]
        let tool = try CommandTool.start(arguments)
        struct Facts: Decodable { let sent: Int }
        try await eventually {
            let facts = try Witness.downloads.url + "/facts/\(name)"
            return try await APIClient().call(.get, facts).decode(Facts.self).sent > 0
        }
        for more in [[], ["--continue"]] {
            let second = try await CommandTool.run(arguments + more)
            #expect(second.status == 10)
            #expect(second.errors.contains("is in use by another download manager"))
        }
        try await APIClient().post("\(try Witness.downloads.url)/release/\(name)", body: .text(""))
        #expect(try await tool.outcome().status == 0)
        #expect(try folder.names == ["out.bin"])
        #expect(try await CommandDownloadTests.hash(of: folder.path + "/out.bin") == CommandDownloadTests.hash(900_000))
    }

    #if os(Linux)
    @Test(
        "download: a full disk is reported, data is kept, and --continue finishes once there is space",
        arguments: ["", "before=chunked"])
    func fullDisk(query: String) async throws {
        let unshare = "/usr/bin/unshare"
        guard FileManager.default.isExecutableFile(atPath: unshare) else { return print("There is no \(unshare).") }
        let folder = try CommandDownloadTests.Folder()
        let size = 3_000_000
        let script = """
            mount -t tmpfs -o size=1m none "$folder" || exit 77
            "$simorgh" download "$url" --output "$folder/out.bin" --segments 1
            echo "first $?"
            test -e "$folder/out.bin" && echo "half a file"
            mount -o remount,size=16m none "$folder" || exit 77
            "$simorgh" download "$url" --output "$folder/out.bin" --segments 1 --continue
            echo "second $?"
            sha256sum < "$folder/out.bin"
            """
        let environment = [
            "simorgh": CommandTool.path, "folder": folder.path,
            "url": try CommandDownloadTests.file(UUID().uuidString, query, size),
        ]
        let outcome = try await CommandTool.run(
            ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script], environment: environment,
            program: unshare)
        guard outcome.status != 77, !outcome.errors.contains("unshare") else {
            return print("Mounting a tmpfs is not permitted here: \(outcome.errors.prefix(200))")
        }
        let lines = outcome.text.split(separator: "\n").map(String.init)
        let hash = try await CommandDownloadTests.hash(size)
        #expect(lines.contains("first 10") && lines.contains("second 0"), "\(outcome.text) \(outcome.errors)")
        #expect(!lines.contains("half a file"))
        #expect(lines.last?.hasPrefix(hash) == true)
    }

    /// The effect of a system call on the files of a download.
    private enum Step: Equatable {
        case reserved
        case wrote(Int)
        case synced
        case noted
        case named
    }

    @Test("download: data is synced before the journal is updated and before the file is renamed; no zeros are written")
    func order() async throws {
        let strace = "/usr/bin/strace"
        guard FileManager.default.isExecutableFile(atPath: strace) else { return print("There is no \(strace).") }
        let folder = try CommandDownloadTests.Folder()
        let size = 48_000_000
        let trace = folder.path + "/trace"
        let arguments = [
            "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e",
            "trace=fdatasync,fallocate,pwrite64,?pwritev,?pwritev2,?rename,?renameat,?renameat2", CommandTool.path,
            "download", try CommandDownloadTests.file(UUID().uuidString, "", size), "--segments", "4", "--output",
            folder.path + "/out.bin",
        ]
        let outcome = try await CommandTool.run(arguments, program: strace)
        guard !outcome.errors.lowercased().contains("ptrace") else {
            return print("ptrace is not permitted here: \(outcome.errors.prefix(200))")
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        let steps = Self.steps(try String(contentsOf: URL(filePath: trace), encoding: .utf8))
        let writes = steps.indices.filter { if case .wrote = steps[$0].step { true } else { false } }
        let first = try #require(writes.first)
        let last = try #require(writes.last)
        let bytes = writes.reduce(0) { sum, index in
            if case .wrote(let count) = steps[index].step { sum + count } else { sum }
        }
        // A few bytes arrive twice at the boundary of two connections' ranges.
        #expect((size...size * 5 / 4).contains(bytes))
        #expect(steps[..<first].contains { $0.step == .reserved })
        let syncs = steps.indices.filter { $0 > first && steps[$0].step == .synced }
        #expect(syncs.count >= 3)
        for sync in syncs {
            let thread = steps[sync].thread
            // The same thread updates the journal next, and no write happens in between.
            let next = try #require(steps[(sync + 1)...].firstIndex { $0.thread == thread })
            #expect(steps[next].step == .noted)
            #expect(!writes.contains { (sync...next).contains($0) })
        }
        let named = try #require(steps.firstIndex { $0.step == .named })
        #expect(syncs.contains { $0 > last && $0 < named })
    }

    /// Returns the relevant system calls, in the order in which they ended.
    private static func steps(_ trace: String) -> [(thread: String, step: Step)] {
        var begun: [String: String] = [:]
        var steps: [(thread: String, step: Step)] = []
        for line in trace.split(separator: "\n") {
            let thread = String(line.prefix { $0 != " " })
            var call = String(line.dropFirst(thread.count).drop { $0 == " " })
            if call.hasSuffix("<unfinished ...>") {
                begun[thread] = call
                continue
            }
            if call.hasPrefix("<... "), let start = begun.removeValue(forKey: thread) { call = start + call }
            if let step = step(call) { steps.append((thread, step)) }
        }
        return steps
    }

    private static func step(_ call: String) -> Step? {
        let name = call.prefix { $0 != "(" }
        let isPartial = call.contains(".simorgh>")
        switch name {
        case "fallocate": return isPartial ? .reserved : nil
        case "fdatasync": return isPartial ? .synced : nil
        case "pwrite64", "pwritev", "pwritev2":
            guard isPartial else { return call.contains("/.journal>") ? .noted : nil }
            return call.split(separator: " ").last.flatMap { Int($0) }.map { Step.wrote($0) }
        case "rename", "renameat", "renameat2": return call.contains("/out.bin\"") ? .named : nil
        default: return nil
        }
    }
    #endif
}
#endif
