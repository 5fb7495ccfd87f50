// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The memory used by a large upload, measured in a separate process.
@Suite(.timeLimit(.minutes(10)))
struct UploadMemoryTests {
    @Test("A form with a 1 GiB file takes less than 40 MiB of memory; scripts/measure-upload sends 5 GiB")
    func large() async throws {
        let size: Int64 = 1 << 30
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString)").path
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: path) }
        // A sparse file, which takes no disk space.
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: UInt64(size))
        try file.close()
        let probe = CommandTool.folder.appending(path: "UploadProbe").path
        let outcome = try await ChildProcess.run(probe, arguments: ["\(try Witness.uploads.url)/count?plain=1", path])
        let words = outcome.text.split(whereSeparator: \.isWhitespace)
        try #require(words.count == 3, "\(outcome.text)\(outcome.errors)")
        let received = try #require(Int64(words[0]))
        let peak = try #require(Int(words[1]))
        #expect(received > size && received < size + 1000)
        #expect(peak > 1024 && peak < 40 * 1024, "\(peak) KiB")
    }
}
