// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct StateFolderTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
        .path

    private func make(_ mode: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
    }

    @Test("The state folder is in the home, or without one a per-user folder in a shared folder")
    func places() {
        #expect(StateFolder(environment: ["XDG_STATE_HOME": "/x", "HOME": "/h"], user: 7).path == "/x")
        #expect(StateFolder(environment: ["XDG_STATE_HOME": "x", "HOME": "/h"], user: 7).path == "/h/.local/state")
        for environment in [[:], ["HOME": ""], ["HOME": "h"]] {
            let folder = StateFolder(environment: environment, user: 7)
            #expect(folder == StateFolder(path: "/tmp/simorgh-7", isInSharedFolder: true))
        }
    }

    @Test("In a shared folder it is created with mode 0700, and reused")
    func made() throws {
        let state = StateFolder(path: folder, isInSharedFolder: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(state.refusal() == nil && state.refusal() == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }

    @Test("A folder that other users can access is refused", arguments: [0o755, 0o770, 0o701])
    func open(mode: Int) throws {
        try make(mode)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(StateFolder(path: folder, isInSharedFolder: true).refusal()?.contains("0700") == true)
        #expect(StateFolder(path: folder).refusal() == nil)
    }

    @Test("A link, a file, and a folder of another user are refused")
    func foreign() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = folder + "-other"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: other)
        #expect(StateFolder(path: folder, isInSharedFolder: true).refusal() != nil)
        try FileManager.default.removeItem(atPath: folder)
        #expect(FileManager.default.createFile(atPath: folder, contents: nil))
        #expect(StateFolder(path: folder, isInSharedFolder: true).refusal() != nil)
        // Owned by root; if the test runs as root, by another user.
        #expect(StateFolder(path: "/proc/1", isInSharedFolder: true).refusal() != nil)
    }
}
