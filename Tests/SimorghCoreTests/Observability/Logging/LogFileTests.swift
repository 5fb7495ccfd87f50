// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Log files: rotation, permissions, and the file named by the environment.
@Suite("LogFile", .timeLimit(.minutes(10)))
struct LogFileTests {
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID().uuidString)").path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    /// Writes a line to a file that is released afterwards.
    ///
    /// - Returns: The reason of each reported refusal.
    private static func refusals(ofWriting line: String, to path: String) async -> [String] {
        let reasons = LockedValue<[String]>([])
        let file = LogFile(path, limits: LogFile.Limits(bytes: 1000, files: 2)) { _, reason in
            reasons.change { $0.append(reason) }
        }
        file.write(line)
        await file.flush()
        return reasons.value
    }

    @Test("A full file is rotated, and the oldest is removed")
    func rotation() {
        var rotation = LogFileRotation(path: "/l", maximumBytes: 10, maximumFiles: 3)
        #expect(!rotation.isFull(for: 100))
        rotation.opened(8)
        #expect(!rotation.isFull(for: 2))
        #expect(rotation.isFull(for: 3))
        #expect(
            rotation.moves == [
                .init(from: "/l.1", to: "/l.2"), .init(from: "/l", to: "/l.1"),
            ])
        rotation.didWrite(2)
        #expect(rotation.size == 10 && rotation.isFull(for: 1))
        #expect(LogFileRotation(path: "/l", maximumBytes: 10, maximumFiles: 1).moves == [.init(from: "/l", to: nil)])
    }

    @Test("Lines are written in order, and files are rotated")
    func writing() async throws {
        let folder = try Folder()
        let file = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 20, files: 3))
        for index in 0..<10 { file.write("line \(index)") }
        await file.flush()
        // Two lines of seven bytes fit in 20.
        #expect(folder.names == ["net.log", "net.log.1", "net.log.2"])
        #expect(folder.text("net.log") == "line 8\nline 9\n")
        #expect(folder.text("net.log.1") == "line 6\nline 7\n")
        #expect(folder.text("net.log.2") == "line 4\nline 5\n")
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/net.log")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("A new file is started if the current one is moved or removed")
    func moved() async throws {
        let folder = try Folder()
        let file = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 1000, files: 3))
        file.write("first")
        await file.flush()
        try FileManager.default.moveItem(atPath: "\(folder.path)/net.log", toPath: "\(folder.path)/moved")
        file.write("second")
        await file.flush()
        #expect(folder.text("moved") == "first\n")
        #expect(folder.text("net.log") == "second\n")
        try FileManager.default.removeItem(atPath: "\(folder.path)/net.log")
        file.write("third")
        await file.flush()
        #expect(folder.text("net.log") == "third\n")
    }

    @Test("Two writers of one file, as in two processes, rotate it once")
    func together() async throws {
        let folder = try Folder()
        let limits = LogFile.Limits(bytes: 20, files: 3)
        let files = [
            LogFile("\(folder.path)/net.log", limits: limits), LogFile("\(folder.path)/net.log", limits: limits),
        ]
        for index in 0..<10 {
            files[index % 2].write("line \(index)")
            await files[index % 2].flush()
        }
        #expect(folder.names == ["net.log", "net.log.1", "net.log.2"])
        #expect(folder.text("net.log") == "line 8\nline 9\n")
        #expect(folder.text("net.log.1") == "line 6\nline 7\n")
        #expect(folder.text("net.log.2") == "line 4\nline 5\n")
    }

    @Test("While another process holds the rotation lock, a full file keeps growing")
    func locked() async throws {
        let folder = try Folder()
        let file = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 10, files: 3))
        file.write("line 0")
        await file.flush()
        let descriptor = open("\(folder.path)/net.log", O_RDONLY | O_CLOEXEC)
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        #expect(isLocked)
        file.write("line 1")
        await file.flush()
        #expect(folder.names == ["net.log"])
        // A child process that another test starts may have inherited the descriptor, and with it the lock.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
        file.write("line 2")
        await file.flush()
        #expect(folder.text("net.log.1") == "line 0\nline 1\n")
        #expect(folder.text("net.log") == "line 2\n")
    }

    @Test("Each line written before a flush is in the file after it, with concurrent writers")
    func flushing() async throws {
        let folder = try Folder()
        let file = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 1_000_000, files: 2))
        let missing = await withTaskGroup(of: Int.self) { group in
            for index in 0..<100 {
                group.addTask {
                    file.write("<\(index)>")
                    await file.flush()
                    return folder.text("net.log")?.contains("<\(index)>") == true ? 0 : 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(missing == 0)
    }

    @Test("Destinations with the same path share a file, which is closed with the last of them")
    func closed() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/net.log"
        let limits = LogFile.Limits(bytes: 1000, files: 2)
        let objects = LeakSentinel()
        try await expectNoLeaks(in: objects) {
            let file = objects.watch(LogFile.shared(path, limits: limits))
            #expect(LogFile.shared(path, limits: limits) === file)
            file.write("x")
            await file.flush()
        }
        #expect(folder.text("net.log") == "x\n")
    }

    @Test("Permissions of an existing file are reduced to its owner, and never extended")
    func permissions() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/net.log"
        for (mode, expected) in [(0o644, 0o600), (0o200, 0o200)] {
            try Data().write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let file = LogFile(path, limits: LogFile.Limits(bytes: 1000, files: 2))
            file.write("x")
            await file.flush()
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(found as? Int == expected)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("A file of another user is not written", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        let folder = try Folder()
        let path = "\(folder.path)/net.log"
        try "before\n".write(toFile: path, atomically: false, encoding: .utf8)
        let isGiven = chown(path, 65534, 65534) == 0
        #expect(isGiven)
        let reasons = await Self.refusals(ofWriting: "x", to: path)
        #expect(folder.text("net.log") == "before\n")
        #expect(reasons == ["the file belongs to another user"])
    }

    @Test(
        "A pipe of another user is not written; the user's own pipe is", .enabled(if: geteuid() == 0),
        arguments: [true, false])
    func foreignPipe(isForeign: Bool) async throws {
        let folder = try Folder()
        let path = "\(folder.path)/net.log"
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        #expect(reader >= 0)
        defer { close(reader) }
        if isForeign {
            let isGiven = chown(path, 65534, 65534) == 0
            #expect(isGiven)
        }
        let reasons = await Self.refusals(ofWriting: "x", to: path)
        var bytes = [UInt8](repeating: 0, count: 8)
        let count = read(reader, &bytes, 8)
        #expect(count == (isForeign ? 0 : 2))
        #expect(reasons == (isForeign ? ["the file belongs to another user"] : []))
    }

    @Test("A file that cannot be written is reported once")
    func told() async throws {
        let folder = try Folder()
        let paths = LockedValue<[String]>([])
        let path = "\(folder.path)/none/net.log"
        let file = LogFile(path, limits: LogFile.Limits(bytes: 100, files: 2)) { path, _ in
            paths.change { $0.append(path) }
        }
        for _ in 0..<3 {
            file.write("x")
            await file.flush()
        }
        #expect(paths.value == [path])
    }

    @Test("An existing file is appended to")
    func appending() async throws {
        let folder = try Folder()
        try "before\n".write(toFile: "\(folder.path)/net.log", atomically: false, encoding: .utf8)
        let file = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 1000, files: 3))
        file.write("after")
        await file.flush()
        #expect(folder.text("net.log") == "before\nafter\n")
    }

    @Test("Lines written faster than the disk are dropped and counted")
    func dropping() async throws {
        let folder = try Folder()
        var limits = LogFile.Limits(bytes: 1_000_000, files: 1)
        limits.backlog = 10
        let file = LogFile("\(folder.path)/net.log", limits: limits)
        file.write("12345")
        file.write(String(repeating: "x", count: 11))
        file.write("67890")
        await file.flush()
        file.write("end")
        await file.flush()
        let lines = (folder.text("net.log") ?? "").split(separator: "\n")
        #expect(lines.contains("12345") && lines.contains("67890") && lines.contains("end"))
        #expect(lines.contains("simorgh: 1 entries were dropped here"))
    }

    @Test("A link to a device is followed, and a device is never rotated")
    func device() async throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/net.log", withDestinationPath: "/dev/null")
        let file = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 10, files: 3))
        for index in 0..<10 { file.write("line \(index)") }
        await file.flush()
        #expect(folder.names == ["net.log"])
    }

    @Test("An unwritable file, or a dangling link, does no harm")
    func unwritable() async throws {
        let folder = try Folder()
        let lost = LogFile("\(folder.path)/none/net.log", limits: LogFile.Limits(bytes: 100, files: 2))
        lost.write("x")
        await lost.flush()
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/net.log", withDestinationPath: "\(folder.path)/elsewhere")
        let link = LogFile("\(folder.path)/net.log", limits: LogFile.Limits(bytes: 100, files: 2))
        link.write("x")
        await link.flush()
        #expect(folder.names == ["net.log"])
    }

    @Test(
        "SIMORGH_LOG_FILE is a path, or a bare name in the cache folder",
        arguments: [
            (["SIMORGH_LOG_FILE": "/var/log/net.log"], "/var/log/net.log"),
            (["SIMORGH_LOG_FILE": "./net.log"], "./net.log"),
            (["SIMORGH_LOG_FILE": ""], nil), (["HOME": "/home/zal"], nil), (["SIMORGH_LOG_FILE": "net.log"], nil),
        ] as [([String: String], String?)])
    func environment(variables: [String: String], path: String?) { #expect(LogFilePath.path(in: variables) == path) }

    @Test(
        "The file in SIMORGH_LOG_FILE gets the log, as JSON if its suffix is jsonl", arguments: ["log", "jsonl"])
    func named(suffix: String) async throws {
        let folder = try Folder()
        let path = "\(folder.path)/net.\(suffix)"
        let logger = NetworkLogger.logger(in: ["SIMORGH_LOG_FILE": path])
        logger.write(LogEntry("request", at: Date(timeIntervalSince1970: 0)))
        await logger.flush()
        let text = try #require(folder.text("net.\(suffix)"))
        #expect(text.contains("request") && text.hasPrefix("{") == (suffix == "jsonl"))
    }

    #if os(Linux)
    @Test("A missing cache folder is created")
    func cacheFolder() async throws {
        let folder = try Folder()
        let logger = NetworkLogger.logger(in: [
            "SIMORGH_LOG_FILE": "net.log", "HOME": folder.path, "XDG_CACHE_HOME": "\(folder.path)/cache",
        ])
        logger.write(LogEntry("request", at: Date(timeIntervalSince1970: 0)))
        await logger.flush()
        #expect(folder.text("cache/net.log")?.contains("request") == true)
    }

    @Test("A bare name is placed as in the XDG specification")
    func bareName() {
        let home = ["SIMORGH_LOG_FILE": "net.log", "HOME": "/home/zal"]
        #expect(LogFilePath.path(in: home) == "/home/zal/.cache/net.log")
        #expect(LogFilePath.path(in: home.merging(["XDG_CACHE_HOME": "/c"]) { $1 }) == "/c/net.log")
        #expect(LogFilePath.path(in: home.merging(["XDG_CACHE_HOME": "c"]) { $1 }) == "/home/zal/.cache/net.log")
    }
    #endif
}
