// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import Testing

@Suite("FileCalls", .timeLimit(.minutes(10)))
struct FileCallsTests {
    @Test("makeFolder creates the parent folders, and accepts a folder that exists")
    func makeFolder() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("calls-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        for _ in 1...2 { #expect(FileCalls.makeFolder(root + "/a/b", mode: 0o700) == nil) }
        #expect(FileManager.default.fileExists(atPath: root + "/a/b"))
    }

    #if os(Linux)
    @Test("makeFolder reports the error of mkdir, not that of the check if the folder exists")
    func makeFolderError() {
        // No user can create a folder in sysfs: EPERM, or EROFS if it is mounted read-only.
        errno = 0
        let path = FileCalls.makeFolder("/sys/simorgh/a", mode: 0o700)
        let code = errno
        #expect(path == "/sys/simorgh")
        #expect([EPERM, EROFS, EACCES].contains(code), "\(code)")
    }
    #endif
}
