// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

/// A log written to a pipe whose reader may be slow or gone.
@Suite("LogFile on a pipe", .timeLimit(.minutes(5)))
struct LogPipeTests {
    /// A named pipe with its read end.
    private final class NamedPipe {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        private var reader: Int32 = -1

        init() throws {
            try #require(mkfifo(path, 0o600) == 0)
            try beginReading()
        }

        deinit {
            endReading()
            _ = unlink(path)
        }

        func beginReading() throws {
            reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            try #require(reader >= 0)
        }

        func endReading() {
            if reader >= 0 { _ = close(reader) }
            reader = -1
        }

        /// True if the pipe has no reader, not even an inherited one in a process that another test just started.
        var isAlone: Bool {
            let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard writer >= 0 else { return errno == ENXIO }
            _ = close(writer)
            return false
        }

        /// Reads all buffered lines.
        func lines() -> [String] {
            var text: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(reader, &bytes, bytes.count)
                guard count > 0 else { break }
                text += bytes[..<count]
            }
            return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    private static func limits(pipeTimeout: Int32 = 1000) -> LogFile.Limits {
        var limits = LogFile.Limits(bytes: 1000, files: 2)
        limits.pipeTimeout = pipeTimeout
        return limits
    }

    @Test("A stalled reader blocks no writer; dropped entries are counted when it resumes")
    func stalled() async throws {
        let pipe = try NamedPipe()
        let file = LogFile(pipe.path, limits: Self.limits(pipeTimeout: 1))
        let line = String(repeating: "x", count: 999)
        for _ in 0..<1000 { file.write(line) }
        await file.flush()
        let first = pipe.lines()
        #expect(!first.isEmpty && first.count < 1000 && first.allSatisfy { $0 == line })
        file.write("end")
        await file.flush()
        #expect(pipe.lines() == ["simorgh: \(1000 - first.count) entries were dropped here", "end"])
    }

    @Test("After a truncated line, the next entry starts on a new line")
    func torn() async throws {
        let pipe = try NamedPipe()
        let file = LogFile(pipe.path, limits: Self.limits(pipeTimeout: 1))
        file.write(String(repeating: "x", count: 1_000_000))
        await file.flush()
        let first = pipe.lines()
        #expect(first.count == 1 && first[0].allSatisfy { $0 == "x" } && first[0].count < 1_000_000)
        file.write("end")
        await file.flush()
        #expect(pipe.lines() == ["simorgh: 1 entries were dropped here", "end"])
    }

    @Test("A closed read end is reported once, and a later reader gets the following entries")
    func gone() async throws {
        let pipe = try NamedPipe()
        let reasons = LockedValue<[String]>([])
        let file = LogFile(pipe.path, limits: Self.limits()) { _, reason in reasons.change { $0.append(reason) } }
        file.write("first")
        await file.flush()
        #expect(pipe.lines() == ["first"])
        pipe.endReading()
        try await eventually { pipe.isAlone }
        for _ in 0..<3 {
            file.write("lost")
            await file.flush()
        }
        #expect(reasons.value == [String(cString: strerror(EPIPE))])
        try pipe.beginReading()
        file.write("last")
        await file.flush()
        #expect(pipe.lines() == ["simorgh: 3 entries were dropped here", "last"])
    }
}
