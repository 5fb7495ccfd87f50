// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
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

    @Test("A home has it; without one it is a folder of the user's where all may write")
    func places() {
        #expect(StateFolder(environment: ["XDG_STATE_HOME": "/x", "HOME": "/h"], user: 7).path == "/x")
        #expect(StateFolder(environment: ["XDG_STATE_HOME": "x", "HOME": "/h"], user: 7).path == "/h/.local/state")
        for environment in [[:], ["HOME": ""], ["HOME": "h"]] {
            let folder = StateFolder(environment: environment, user: 7)
            #expect(folder == StateFolder(path: "/tmp/simorgh-7", isInSharedFolder: true))
        }
    }

    @Test("In a shared folder it is made for its owner alone, and used again")
    func made() throws {
        let state = StateFolder(path: folder, isInSharedFolder: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(state.refusal() == nil && state.refusal() == nil)
        #expect(try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int == 0o700)
    }

    @Test("One that others may look into is refused", arguments: [0o755, 0o770, 0o701])
    func open(mode: Int) throws {
        try make(mode)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(StateFolder(path: folder, isInSharedFolder: true).refusal()?.contains("0700") == true)
        #expect(StateFolder(path: folder).refusal() == nil)
    }

    @Test("A link, a file, and what another user made are refused")
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
        // Of root's, and if we are root, of one who may look into it.
        #expect(StateFolder(path: "/proc/1", isInSharedFolder: true).refusal() != nil)
    }

    @Test("A store in a folder that is refused reads and writes nothing")
    func store() async throws {
        try make(0o777)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = TemporaryFile(Data("birds".utf8))
        let store = FileUploadStore(in: StateFolder(path: folder, isInSharedFolder: true))
        let record = UploadRecord(url: "u", file: try FileIdentity(of: file.path))
        await #expect(throws: FileUploadStore.Failure.self) { try await store.save(record, for: "k") }
        await #expect(throws: FileUploadStore.Failure.self) { try await store.record(for: "k") }
        await #expect(throws: FileUploadStore.Failure.self) { try await store.remove("k") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
