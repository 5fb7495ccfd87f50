// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FileUploadStoreTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID().uuidString)/a/b").path
    let file = TemporaryFile(Data("birds".utf8))

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    @Test("A record is read by another store of the same folder, and only the owner can access its file")
    func roundTrip() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let record = UploadRecord(url: "https://a.test/1", file: try FileIdentity(of: file.path))
        let store = FileUploadStore(folder: folder)
        #expect(try await store.record(for: "k") == nil)
        try await store.save(UploadRecord(url: "https://a.test/0", file: record.file), for: "k")
        try await store.save(record, for: "k")
        #expect(try await FileUploadStore(folder: folder).record(for: "k") == record)
        #expect(try await store.record(for: "other") == nil)
        #expect(names().count == 1)
        let path = "\(folder)/\(names().first ?? "")"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let above = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(above[.posixPermissions] as? Int == 0o700)
        try await store.remove("k")
        try await store.remove("k")
        #expect(names().isEmpty)
    }

    @Test("A damaged record counts as missing", arguments: ["", "{", "[]", "{\"url\": 7}"])
    func damaged(text: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FileUploadStore(folder: folder)
        try await store.save(UploadRecord(url: "u", file: try FileIdentity(of: file.path)), for: "k")
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(names().first ?? "")"))
        #expect(try await store.record(for: "k") == nil)
    }

    @Test("Drafts of a crashed process are removed at the next change; recent drafts and other files stay")
    func drafts() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = FileUploadStore(folder: folder)
        let record = UploadRecord(url: "u", file: try FileIdentity(of: file.path))
        try await store.save(record, for: "k")
        let kept = try #require(names().first)
        let old = Date(timeIntervalSinceNow: -4000)
        for (name, date) in [
            ("\(kept).simorgh-00000000003f0.new", old), ("\(kept).simorgh-1844674400000.new", old),
            ("\(kept).simorgh-00000000young.new", Date()), ("notes.txt", old), ("a.new", old),
            ("\(kept).simorgh-NOT-OURS-AAAA.new", old), ("nginx.conf.new", old), ("a.simorgh-1.new", old),
        ] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data()))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder)/\(name)")
        }
        try await store.save(record, for: "k")
        #expect(
            names().sorted()
                == [
                    kept, "\(kept).simorgh-NOT-OURS-AAAA.new", "\(kept).simorgh-00000000young.new", "a.new",
                    "notes.txt", "nginx.conf.new", "a.simorgh-1.new",
                ].sorted())
    }

    @Test("A folder that cannot be created is a failure that names it")
    func unwritable() async throws {
        let store = FileUploadStore(folder: "\(file.path)/below")
        let record = UploadRecord(url: "u", file: try FileIdentity(of: file.path))
        let error = await #expect(throws: FileUploadStore.StoreError.self) { try await store.save(record, for: "k") }
        #expect(error?.description.contains(file.path) == true)
    }

    @Test("A file's identity changes with its size, its modification time or its bytes")
    func identity() throws {
        let first = try FileIdentity(of: file.path)
        #expect(try FileIdentity(of: file.path) == first)
        TemporaryFile.replace(file, with: Data("birdz".utf8))
        let second = try FileIdentity(of: file.path)
        #expect(second != first && second.size == first.size && second.fingerprint != first.fingerprint)
        #expect(throws: InvalidRequestError.self) { try FileIdentity(of: "/nowhere/at/all") }
    }

    @Test("A store in a folder that other users can write reads and writes nothing")
    func refusedFolder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        let store = FileUploadStore(in: StateFolder(path: folder, isInSharedFolder: true))
        let record = UploadRecord(url: "u", file: try FileIdentity(of: file.path))
        await #expect(throws: FileUploadStore.StoreError.self) { try await store.save(record, for: "k") }
        await #expect(throws: FileUploadStore.StoreError.self) { try await store.record(for: "k") }
        await #expect(throws: FileUploadStore.StoreError.self) { try await store.remove("k") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
