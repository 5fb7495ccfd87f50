// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import TestSupport
import Testing

/// The resources that network monitors use, measured in a separate process.
@Suite(.timeLimit(.minutes(10)))
struct MonitorProcessTests {
    @Test("64 monitors use no thread each, and close all descriptors when stopped or released")
    func cost() async throws {
        let probe = CommandTool.folder.appending(path: "UploadProbe").path
        let outcome = try await ChildProcess.run(probe, arguments: ["--monitors", "64"])
        let numbers = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(outcome.status == 0 && numbers.count == 5, "\(outcome.text)\(outcome.errors)")
        let (one, many, before, most, after) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
        #expect(one > 0 && many < one + 16, "\(many) threads with 64, \(one) with one")
        // Per monitor one socket to listen and one to query; none if sockets are forbidden. One file may be read.
        #expect(before > 0 && most <= before + 2 * 64 + 8, "\(most) descriptors, \(before) before")
        #expect(after <= before, "\(after) descriptors remain, before: \(before)")
    }
}
#endif
