// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import Testing

@Suite("FileLock", .timeLimit(.minutes(10)))
struct FileLockTests {
    private func inFolder(_ body: (_ path: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lock-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body("\(folder)/lock")
    }

    @Test("A lock has one owner, until it is released or deallocated")
    func oneOwner() throws {
        try inFolder { path in
            var first: FileLock? = try FileLock(path)
            #expect(first?.isHeld == true)
            #expect(throws: FileLock.LockError.held) { try FileLock(path) }
            first?.release()
            #expect(first?.isHeld == false)
            var second: FileLock? = try FileLock(path)
            first = nil
            #expect(throws: FileLock.LockError.held) { try FileLock(path) }
            #expect(second?.isHeld == true)
            second = nil
            let third = try FileLock(path)
            third.release(removing: true)
            third.release(removing: true)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("Removing the lock file lets another owner in, and the first owner detects it")
    func removed() throws {
        try inFolder { path in
            let first = try FileLock(path)
            try FileManager.default.removeItem(atPath: path)
            #expect(!first.isHeld)
            let second = try FileLock(path)
            #expect(second.isHeld && !first.isHeld)
            first.release(removing: true)
            #expect(second.isHeld, "the first owner must not remove the file")
        }
    }

    @Test("A path that cannot be opened is refused", arguments: ["/none/lock", "/\u{0}"])
    func openFailed(name: String) throws {
        try inFolder { path in
            #expect(throws: FileLock.LockError.self) { try FileLock(path + name) }
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-elsewhere")
            #expect(throws: FileLock.LockError.self) { try FileLock(path) }
        }
    }
}
