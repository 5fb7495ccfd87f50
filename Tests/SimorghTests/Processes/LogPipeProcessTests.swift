// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A log that is written to a pipe, in its own process.
@Suite(.timeLimit(.minutes(5)))
struct LogPipeProcessTests {
    @Test("A closed log pipe does not end a process that does not handle SIGPIPE")
    func signalled() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        let isMade = mkfifo(path, 0o600) == 0
        try #require(isMade)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let probe = CommandTool.folder.appending(path: "UploadProbe").path
        let outcome = try await ChildProcess.run(probe, arguments: ["--log", path])
        #expect(outcome.status == 0 && outcome.text == "lived on\n", "\(outcome.errors)")
    }
}
