// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite("BlobStore", .timeLimit(.minutes(5)))
struct BlobStoreTests {
    /// A temporary folder, removed on `deinit`.
    final class Folder: Sendable {
        let path: String

        /// - Parameter parent: The parent folder.
        init(in parent: String = NSTemporaryDirectory()) {
            path = parent + "/simorgh-blobs-\(UInt64.random(in: .min ... .max))"
        }

        /// Returns a folder on a RAM disk if the system has one: long histories would spend most of their time on disk.
        static func inMemory() -> Folder {
            let memory = "/dev/shm"
            return FileManager.default.isWritableFile(atPath: memory) ? Folder(in: memory) : Folder()
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        /// The files of blobs.
        var files: [String] {
            (FileManager.default.subpaths(atPath: path) ?? []).filter { $0.contains("-") }.map { "\(path)/\($0)" }
        }

        /// Returns a copy of the folder; a file that changes meanwhile is copied in its current state, or not at all.
        ///
        /// `copyItem` would wait forever for the rest of a file that has become shorter meanwhile.
        func copy() throws -> Folder {
            let copy = Folder(in: (path as NSString).deletingLastPathComponent)
            for name in FileManager.default.subpaths(atPath: path) ?? [] {
                // A folder has no contents to read.
                guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") else { continue }
                let target = "\(copy.path)/\(name)"
                try FileManager.default.createDirectory(
                    atPath: (target as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                try #require(
                    FileManager.default.createFile(
                        atPath: target, contents: bytes, attributes: [.posixPermissions: 0o600]))
            }
            return copy
        }
    }

    static let group = BlobGroup((0..<16).map { UInt8($0) })
    static let key = BlobKey(group, variant: 7)

    static func store(
        _ folder: Folder?, memory: Int64 = 0, disk: Int64 = 10 << 20, key: CacheEncryptionKey? = nil,
        groupLimit: Int = 32, time: TimeSource = .system
    ) -> BlobStore {
        var settings = BlobStore.Settings()
        settings.memoryCapacity = memory
        settings.diskCapacity = disk
        settings.diskPath = folder?.path
        settings.encryptionKey = key
        settings.groupLimit = groupLimit
        return BlobStore(settings, time: time)
    }

    /// Like `store`, for a folder whose previous store may still be closing: the last task that uses a folder releases
    /// it.
    static func next(_ folder: Folder, memory: Int64 = 0, key: CacheEncryptionKey? = nil) async -> BlobStore {
        var store = store(folder, memory: memory, key: key)
        while await !store.usesDisk, !Task.isCancelled {
            await Task.yield()
            store = Self.store(folder, memory: memory, key: key)
        }
        return store
    }

    @discardableResult
    static func put(_ bytes: Data, _ metadata: String, in store: BlobStore, as key: BlobKey = key, step: Int = 50_000)
        async -> Bool
    {
        guard let writer = await store.write(key, metadata: Array(metadata.utf8), length: nil, since: nil) else {
            return false
        }
        var place = 0
        while place < bytes.count {
            guard await writer.write(bytes[place..<min(place + step, bytes.count)]) else { return false }
            place += step
        }
        return await writer.commit()
    }

    static func get(_ store: BlobStore, _ key: BlobKey = key) async throws -> (bytes: Data, metadata: String)? {
        guard let blob = await store.blobs(in: key.group).first(where: { $0.key == key }) else { return nil }
        return (try await blob.bytes(0..<blob.length), String(decoding: blob.metadata, as: UTF8.self))
    }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededNumbers(seed)
        return Data(random.bytes(count))
    }

    @Test(
        "A written blob is read back, whole and in parts, by its store and by the next one",
        arguments: [0, 1, 65_535, 65_536, 65_537, 300_000], [false, true])
    func roundTrip(count: Int, isEncrypted: Bool) async throws {
        let folder = Folder()
        let secret = isEncrypted ? CacheEncryptionKey.random() : nil
        let bytes = Self.bytes(count)
        for memory in [0, 1 << 20] as [Int64] {
            let store = await Self.next(folder, memory: memory, key: secret)
            #expect(await Self.put(bytes, "about", in: store))
            #expect(try await Self.get(store)?.bytes == bytes)
        }
        let next = await Self.next(folder, key: secret)
        #expect(try await Self.get(next)?.metadata == "about")
        let blob = try #require(await next.blobs(in: Self.group).first)
        for range in [0..<1, 65_530..<65_540, 65_536..<65_537, 1..<299_999, 131_072..<196_608] as [Range<Int64>] {
            let wanted = range.clamped(to: 0..<Int64(count))
            let part = bytes.dropFirst(Int(wanted.lowerBound)).prefix(wanted.count)
            #expect(try await blob.bytes(range) == part)
            #expect(try await blob.responseBody(range).collect(upTo: .max) == part)
        }
        if let file = folder.files.first, isEncrypted, count > 100 {
            let raw = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(raw.range(of: Data("about".utf8)) == nil && raw.range(of: bytes.prefix(32)) == nil)
        }
    }

    @Test("A file with any damaged byte is a missing blob, and is removed", arguments: [false, true])
    func damage(isEncrypted: Bool) async throws {
        let folder = Folder()
        let secret = isEncrypted ? CacheEncryptionKey.random() : nil
        let bytes = Self.bytes(70_000)
        var writer: BlobStore? = Self.store(folder, key: secret)
        if let writer { await Self.put(bytes, "about", in: writer) }
        writer = nil
        let file = try #require(folder.files.first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        // Each byte before the body, except those of the unused slot, and some bytes of the body.
        let slot = (whole.count - 64 - 70_000 - 2 * (isEncrypted ? 28 : 8)) / 2
        let places = Array(0..<64) + Array(64..<100) + stride(from: 64 + 2 * slot, to: whole.count, by: 997)
        for place in places {
            var damaged = whole
            damaged[place] ^= 0x40
            try damaged.write(to: URL(fileURLWithPath: file))
            let store = await Self.next(folder, key: secret)
            // A flipped bit in the slot's number or length may turn it into an unused slot, but never change other
            // bytes.
            if let found = try? await Self.get(store) {
                #expect(found.bytes == bytes && found.metadata == "about")
            } else {
                #expect(folder.files.isEmpty, "byte \(place)")
            }
        }
        for count in [0, 10, 63, 64, 500, whole.count - 1] {
            try whole.prefix(count).write(to: URL(fileURLWithPath: file))
            #expect((try? await Self.get(Self.next(folder, key: secret))) == nil)
        }
        try (whole + [0]).write(to: URL(fileURLWithPath: file))
        #expect((try? await Self.get(Self.next(folder, key: secret))) == nil)
        // Under another name, the file belongs to another blob.
        try whole.write(to: URL(fileURLWithPath: String(file.dropLast(1)) + "8"))
        #expect(await Self.next(folder, key: secret).blobs(in: Self.group).isEmpty)
    }

    @Test(
        "A damaged metadata change does not revert to the previous metadata",
        arguments: [false, true])
    func damagedChange(isEncrypted: Bool) async throws {
        let folder = Folder()
        let secret = isEncrypted ? CacheEncryptionKey.random() : nil
        var store: BlobStore? = Self.store(folder, key: secret)
        if let store {
            await Self.put(Self.bytes(10), "first", in: store)
            let blob = try #require(await store.blobs(in: Self.group).first)
            await store.update(blob, metadata: Array("news".utf8))
        }
        store = nil
        let file = try #require(folder.files.first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let size = whole[16..<24].reversed().reduce(0) { $0 << 8 | Int($1) }
        let overhead = isEncrypted ? 28 : 8
        // The number, the length, and the sealed content: the length of the body and the four letters.
        let places = 64 + size..<64 + size + BlobLayout.slotHead + 12 + overhead
        for place in places {
            var damaged = whole
            damaged[place] ^= 0x04
            try damaged.write(to: URL(fileURLWithPath: file))
            #expect(try await Self.get(Self.next(folder, key: secret)) == nil, "byte \(place)")
            #expect(folder.files.isEmpty, "byte \(place)")
        }
        try whole.write(to: URL(fileURLWithPath: file))
        #expect(try await Self.get(Self.next(folder, key: secret))?.metadata == "news")
    }

    @Test("A forged slot with the highest number makes the file damaged")
    func lastNumber() async throws {
        let folder = Folder()
        let store = Self.store(folder)
        await Self.put(Self.bytes(10), "true", in: store)
        let file = try #require(folder.files.first)
        var whole = try Data(contentsOf: URL(fileURLWithPath: file))
        func number(_ place: Int) -> UInt64 { whole[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        func bytes(_ number: UInt64) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
        let content = bytes(number(24)) + Data("forged".utf8)
        let sealed = try #require(BlobSeal().sealed(content, of: number(8), at: 0))
        let slot = bytes(.max) + bytes(UInt64(sealed.count)) + sealed
        let place = 64 + Int(number(16))
        whole.replaceSubrange(place..<place + slot.count, with: slot)
        try whole.write(to: URL(fileURLWithPath: file))
        #expect(await store.blobs(in: Self.group).isEmpty && folder.files.isEmpty)
    }

    @Test("Metadata that changes during a read is not treated as damaged")
    func readInChange() async throws {
        let folder = Folder()
        let store = Self.store(folder)
        let (first, second) = (String(repeating: "a", count: 200_000), String(repeating: "b", count: 200_000))
        try #require(await Self.put(Self.bytes(10), first, in: store))
        let blob = try #require(await store.blobs(in: Self.group).first)
        let changes = Task {
            for round in 0..<100 {
                await store.update(blob, metadata: Array((round.isMultiple(of: 2) ? second : first).utf8))
            }
        }
        for _ in 0..<100 { #expect(await store.blobs(in: Self.group).count == 1) }
        await changes.value
        #expect(try await Self.get(store)?.metadata == first)
    }

    @Test("Metadata changes without the body, any number of times, and not for another blob of the same name")
    func update() async throws {
        let folder = Folder()
        let bytes = Self.bytes(100_000)
        let store = Self.store(folder)
        await Self.put(bytes, "first", in: store)
        let first = try #require(await store.blobs(in: Self.group).first)
        for count in 1...5 {
            await store.update(first, metadata: Array("news \(count)".utf8))
            #expect(try await Self.get(store)?.metadata == "news \(count)")
        }
        await Self.put(bytes, "second", in: store)
        await store.update(first, metadata: Array("late".utf8))
        #expect(try await Self.get(store)?.metadata == "second")
        // A change that does not fit removes the blob, because the old metadata would be wrong.
        let second = try #require(await store.blobs(in: Self.group).first)
        await store.update(second, metadata: [UInt8](repeating: 1, count: 5000))
        #expect(try await Self.get(store) == nil)
    }

    @Test("An unfinished write stores nothing and leaves no file")
    func halves() async throws {
        let folder = Folder()
        let store = Self.store(folder)
        await Self.put(Self.bytes(10), "old", in: store)
        var writer = await store.write(Self.key, metadata: [1], length: nil, since: nil)
        _ = await writer?.write(Self.bytes(400_000))
        #expect(try await Self.get(store)?.metadata == "old")
        writer = nil
        #expect(try await Self.get(store)?.metadata == "old")
        // The removal runs in the background.
        try await eventually {
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/drafts").isEmpty
        }
    }

    @Test("The quota holds, and the least recently used blobs are evicted first")
    func quota() async throws {
        let folder = Folder()
        let store = Self.store(folder, disk: 1 << 20)
        for number in 0..<40 {
            let key = BlobKey(Self.group, variant: UInt64(number % 20))
            await Self.put(Self.bytes(100_000, seed: UInt64(number)), "\(number)", in: store, as: key)
            let usage = await store.usage()
            #expect(usage.diskBytes <= 1 << 20)
            let sizes = folder.files.compactMap { try? FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int }
            #expect(sizes.reduce(0, +) <= 1 << 20)
        }
        #expect(try await Self.get(store, BlobKey(Self.group, variant: 19))?.metadata == "39")
        #expect(try await Self.get(store, BlobKey(Self.group, variant: 0)) == nil)
        // A blob that is too large is rejected, and the previous one of the same name is outdated.
        #expect(await Self.put(Self.bytes(300_000), "large", in: store, as: BlobKey(Self.group, variant: 19)) == false)
        #expect(await store.usage().diskBytes <= 1 << 20)
        #expect(try await Self.get(store, BlobKey(Self.group, variant: 19)) == nil)
    }

    @Test("A group keeps a limited number of blobs: those written last", arguments: [0, 1 << 20] as [Int64])
    func groupLimit(memory: Int64) async {
        let store = Self.store(memory == 0 ? Folder() : nil, memory: memory, groupLimit: 4)
        // All at once, so the store cannot know the order in advance.
        var writers: [any BlobWriter] = []
        for number in UInt64(0)..<40 {
            let key = BlobKey(Self.group, variant: number)
            if let writer = await store.write(key, metadata: [1], length: nil, since: nil) { writers.append(writer) }
        }
        for writer in writers { await writer.commit() }
        #expect(Set(await store.blobs(in: Self.group).map(\.key.variant)) == [36, 37, 38, 39])
    }

    @Test("A folder belongs to one store, and to the next one after that is released")
    func lock() async throws {
        let folder = Folder()
        var first: BlobStore? = Self.store(folder)
        if let first { await Self.put(Self.bytes(10), "first", in: first) }
        let second = Self.store(folder, memory: 1 << 20)
        #expect(await !second.usesDisk)
        #expect(await Self.put(Self.bytes(10), "second", in: second), "the second store uses its memory")
        first = nil
        let third = await Self.next(folder)
        #expect(try await Self.get(third)?.metadata == "first")
    }

    @Test("Only the owner can access the folder and its files")
    func modes() async throws {
        let folder = Folder()
        let store = Self.store(folder)
        await Self.put(Self.bytes(10), "x", in: store)
        for file in folder.files + [folder.path, folder.path + "/drafts", folder.path + "/lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect((mode ?? 0o777) & 0o077 == 0, "\(file)")
        }
    }

    @Test("A folder that others can write to is not used")
    func sharedFolder() async throws {
        let folder = Folder()
        try FileManager.default.createDirectory(
            atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(await !Self.store(folder).usesDisk)
    }

    @Test("Drafts of an ended process are removed; other files are not")
    func leftovers() async throws {
        let folder = Folder()
        var first: BlobStore? = Self.store(folder)
        if let first { await Self.put(Self.bytes(10), "x", in: first) }
        first = nil
        let draft = folder.path + "/drafts/0123456789abcdef"
        let others = ["/00/readme", "/drafts/letter", "/drafts/0123456789ABCDEF"].map { folder.path + $0 }
        try Data("half".utf8).write(to: URL(fileURLWithPath: draft))
        for other in others { try Data("mine".utf8).write(to: URL(fileURLWithPath: other)) }
        let second = await Self.next(folder)
        #expect(await second.usage().diskCount == 1)
        #expect(!FileManager.default.fileExists(atPath: draft))
        for other in others { #expect(FileManager.default.fileExists(atPath: other)) }
    }

    @Test("A blob can be read to its end although the store removed it meanwhile")
    func forgotten() async throws {
        let folder = Folder()
        let store = Self.store(folder)
        let bytes = Self.bytes(900_000)
        await Self.put(bytes, "x", in: store)
        let blob = try #require(await store.blobs(in: Self.group).first)
        await store.removeAll()
        #expect(try await blob.bytes(0..<blob.length) == bytes)
        #expect(await store.blobs(in: Self.group).isEmpty)
        #expect(folder.files.isEmpty)
    }

    @Test("A sweep visits every blob once and removes those that the predicate selects")
    func sweep() async throws {
        let folder = Folder()
        let store = Self.store(folder, memory: 2000)
        for number in 0..<10 {
            await Self.put(Self.bytes(number), "\(number)", in: store, as: BlobKey(Self.group, variant: UInt64(number)))
        }
        #expect(await store.sweep { _, metadata, length in metadata == Array("\(length)".utf8) && length < 4 } == 4)
        #expect(await store.usage().diskCount == 6)
        #expect(await store.sweep { _, _, _ in false } == 0)
    }
}
