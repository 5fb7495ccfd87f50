// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// What monitors of the network take, measured in a process of its own.
@Suite(.timeLimit(.minutes(10)))
struct MonitorProcessTests {
    @Test("Sixty-four monitors have no thread of their own, and leave no descriptor when they are stopped or let go")
    func cost() async throws {
        let probe = CommandTool.folder.appending(path: "UploadProbe").path
        let outcome = try await ChildProcess.run(probe, ["--monitors", "64"])
        let numbers = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(outcome.status == 0 && numbers.count == 5, "\(outcome.text)\(outcome.errors)")
        let (one, many, before, most, after) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        #expect(one > 0 && many < one + 16, "\(many) threads with 64, \(one) with one")
        // For each a socket to listen at and one to ask at; none where those are forbidden. A file may just be read.
        #expect(before > 0 && most <= before + 2 * 64 + 8, "\(most) descriptors, \(before) before")
        #expect(after <= before, "\(after) descriptors are left of \(before)")
    }
}
#endif
