// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import TestSupport
import Testing

/// What `simorgh download` does with the files of other runs, with a disk that is full, and in which order it writes.
@Suite(.timeLimit(.minutes(10)))
struct CommandDownloadFilesTests {
    @Test("A file that is asked for twice, in two ways to write it, is fetched once, also in the run that goes on")
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

    @Test("A second command for the same file is told that the first is at it, and spoils nothing")
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
}
