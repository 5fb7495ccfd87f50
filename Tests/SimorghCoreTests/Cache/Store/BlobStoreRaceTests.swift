// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Synchronization
import TestSupport
import Testing

/// A store under concurrent operations and exhausted resources.
@Suite("BlobStore: concurrency and failures", .timeLimit(.minutes(5)))
struct BlobStoreRaceTests {
    typealias Folder = BlobStoreTests.Folder
    static let key = BlobStoreTests.key

    /// The operations that remove a blob.
    enum Forgetting: CaseIterable, Sendable {
        case key, group, family, sweep, all

        func apply(to store: BlobStore) async {
            switch self {
            case .key: await store.remove(BlobStoreTests.key)
            case .group: await store.remove(BlobStoreTests.group)
            case .family: await store.remove(family: BlobStoreTests.group.family)
            case .sweep: await store.sweep { _, _, _ in true }
            case .all: await store.removeAll()
            }
        }
    }

    @Test(
        "A response requested before a removal is not stored when it arrives",
        arguments: Forgetting.allCases, [0, 1 << 20] as [Int64])
    func late(forgetting: Forgetting, memory: Int64) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: memory)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "old", in: store)
        let moment = store.moment(of: Self.key.group.family)
        await forgetting.apply(to: store)
        let late = try #require(await store.write(Self.key, metadata: [1], length: nil, since: moment))
        #expect(await late.write(Data("late".utf8)))
        #expect(await late.commit() == false)
        #expect(await store.blobs(in: Self.key.group).isEmpty && folder.files.isEmpty)
        let now = store.moment(of: Self.key.group.family)
        let next = try #require(await store.write(Self.key, metadata: [1], length: nil, since: now))
        #expect(await next.commit())
        #expect(await store.blobs(in: Self.key.group).count == 1)
    }

    @Test("A removal that found nothing still rejects a write in progress", arguments: Forgetting.allCases)
    func lateForNothing(forgetting: Forgetting) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 1 << 20)
        let moment = store.moment(of: Self.key.group.family)
        let late = try #require(await store.write(Self.key, metadata: [1], length: nil, since: moment))
        #expect(await late.write(Data("late".utf8)))
        await forgetting.apply(to: store)
        #expect(await late.commit() == false)
        #expect(await store.usage() == CacheUsage())
    }

    @Test("Reading, and removing stale blobs, do not reject a write in progress")
    func tidy() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 1 << 20)
        let other = BlobKey(BlobStoreTests.group, variant: 8)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "over", in: store, as: other)
        let moment = store.moment(of: Self.key.group.family)
        let writer = try #require(await store.write(Self.key, metadata: [1], length: nil, since: moment))
        let seen = Latest()
        await store.visit(.all) { _, _, length in seen.set(Int(length)) }
        #expect(seen.number == 10)
        for shard in [0, 1] as [UInt8] { await store.tidy(.shard(shard)) { key, _, _ in key == other } }
        #expect(await writer.commit())
        #expect(await store.blobs(in: Self.key.group).map(\.key) == [Self.key])
        #expect(await store.usage().diskCount == 1)
    }

    @Test("A cancelled task does not wait for a disk that does not respond")
    func cancelled() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        let file = try SilentFile(#require(folder.files.first))
        let lookup = Task { await store.blobs(in: Self.key.group) }
        lookup.cancel()
        #expect(await lookup.value.isEmpty)
        await file.answer {
            #expect(await store.blobs(in: Self.key.group).isEmpty && folder.files.isEmpty)
        }
    }

    @Test("Deleting the lock file lets another store take the folder, and the first store stops using it")
    func lostLock() async throws {
        let folder = Folder()
        let first = BlobStoreTests.store(folder)
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "first", in: first))
        try FileManager.default.removeItem(atPath: folder.path + "/lock")
        let second = BlobStoreTests.store(folder)
        #expect(await second.usesDisk)
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "second", in: second))
        let other = BlobKey(BlobStoreTests.group, variant: 8)
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "late", in: first, as: other) == false)
        #expect(try await BlobStoreTests.get(second)?.metadata == "second")
    }

    @Test("A blob used only from memory has its file's access time updated after an hour")
    func noted() async throws {
        let folder = Folder()
        let origin = CacheStepTests.Origin()
        let store = BlobStoreTests.store(folder, memory: 1 << 20, time: origin.time)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        #expect(await store.usage().diskCount == 1)
        let file = try #require(folder.files.first)
        let long = Date(timeIntervalSince1970: 1_000_000_000)
        func modified() throws -> Date? {
            try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: file)
        for (seconds, isNoted) in [(3000.0, false), (1000, true)] {
            origin.wait(seconds)
            #expect(await store.blobs(in: Self.key.group).count == 1)
            #expect(try (modified() != long) == isNoted)
        }
    }

    @Test("An access time in the future, written by a wrong clock, is corrected when the blob is used")
    func clockSetBack() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        let file = try #require(folder.files.first)
        func modified() throws -> Date {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            return try #require(attributes[.modificationDate] as? Date)
        }
        for (ahead, isNoted) in [(1800.0, false), (86_400, true)] {
            let then = Date().addingTimeInterval(ahead)
            try FileManager.default.setAttributes([.modificationDate: then], ofItemAtPath: file)
            #expect(await store.blobs(in: Self.key.group).count == 1)
            #expect(try (modified() < then.addingTimeInterval(-60)) == isNoted)
        }
    }

    @Test("Stalled writers do not block other writers")
    func stalled() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, disk: 4 << 20)
        var stalled: [any BlobWriter] = []
        for number in UInt64(0)..<8 {
            let key = BlobKey(BlobStoreTests.group, variant: number)
            guard let writer = await store.write(key, metadata: [], length: 900_000, since: nil) else { continue }
            _ = await writer.write(BlobStoreTests.bytes(900_000))
            stalled.append(writer)
        }
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(1000), "x", in: store, as: Self.key))
        #expect(try await BlobStoreTests.get(store)?.metadata == "x")
        #expect(stalled.count == 8)
    }

    @Test("A removed blob never reappears under concurrent reads", arguments: 0..<4)
    func comesBack(seed: Int) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 1 << 20)
        let forgotten = Latest()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<400 {
                        let before = forgotten.number
                        for blob in await store.blobs(in: Self.key.group) {
                            let number = Int(String(decoding: blob.metadata, as: UTF8.self)) ?? -1
                            #expect(number > before, "\(number) reappeared after removal of \(before)")
                        }
                    }
                }
            }
            group.addTask {
                for number in 1...100 {
                    await BlobStoreTests.put(BlobStoreTests.bytes(100), "\(number)", in: store)
                    switch (number + seed) % 3 {
                    case 0: await store.remove(Self.key)
                    case 1: await store.remove(family: Self.key.group.family)
                    default: await store.removeAll()
                    }
                    forgotten.set(number)
                }
            }
        }
    }

    @Test("Changed metadata stays changed under concurrent reads")
    func update() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 1 << 20)
        await BlobStoreTests.put(BlobStoreTests.bytes(100), "0", in: store)
        let changed = Latest()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<300 {
                        let before = changed.number
                        let blob = await store.blobs(in: Self.key.group).first
                        let number = blob.flatMap { Int(String(decoding: $0.metadata, as: UTF8.self)) } ?? -1
                        #expect(number >= before)
                    }
                }
            }
            group.addTask {
                for number in 1...100 {
                    guard let blob = await store.blobs(in: Self.key.group).first else { return #expect(Bool(false)) }
                    await store.update(blob, metadata: Array("\(number)".utf8))
                    changed.set(number)
                }
            }
        }
    }

    @Test("After concurrent metadata changes the file holds the last change of one of them", arguments: 0..<10)
    func updates(seed: Int) async throws {
        let folder = Folder()
        do {
            let store = BlobStoreTests.store(folder)
            await BlobStoreTests.put(BlobStoreTests.bytes(100), "0", in: store)
            let blob = try #require(await store.blobs(in: Self.key.group).first)
            await withTaskGroup(of: Void.self) { group in
                for number in 1...16 {
                    group.addTask { await store.update(blob, metadata: Array("\(seed) \(number)".utf8)) }
                }
            }
        }
        let found = try await BlobStoreTests.get(await BlobStoreTests.next(folder))
        #expect(found?.metadata.hasPrefix("\(seed) ") == true)
    }

    @Test("A blob removed during concurrent writes has no file, whatever stage the writes were at", arguments: 0..<10)
    func forgottenWhileWritten(seed: Int) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        let moment = store.moment(of: Self.key.group.family)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    let writer = await store.write(Self.key, metadata: [UInt8(number)], length: nil, since: moment)
                    _ = await writer?.write(BlobStoreTests.bytes(300))
                    await writer?.commit()
                }
            }
            group.addTask {
                await yieldToOthers(turns: seed)
                await store.remove(Self.key.group)
                // Every later write is of a removed blob.
                #expect(await store.blobs(in: Self.key.group).isEmpty)
            }
        }
        #expect(folder.files.isEmpty)
    }

    @Test("A new body that turns out too large also removes the old one")
    func tooLarge() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 1 << 20, disk: 1 << 20)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "old", in: store)
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(900_000), "new", in: store) == false)
        #expect(try await BlobStoreTests.get(store) == nil)
        #expect(folder.files.isEmpty)
    }

    @Test("If the last step of a write fails, the old blob is removed")
    func lastStep() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "old", in: store)
        let writer = try #require(await store.write(Self.key, metadata: [1], length: nil, since: nil))
        #expect(await writer.write(BlobStoreTests.bytes(300_000)))
        // Another process deletes the drafts folder during the write.
        try FileManager.default.removeItem(atPath: folder.path + "/drafts")
        #expect(await writer.commit() == false)
        #expect(try await BlobStoreTests.get(store) == nil)
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "next", in: store))
        #expect(try await BlobStoreTests.get(store)?.metadata == "next")
    }

    @Test("A change of a file by another process is detected although the blob was intact before")
    func changedFile() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(900_000), "x", in: store)
        let first = try #require(await store.blobs(in: Self.key.group).first)
        #expect(await first.check?() != false)
        let file = try #require(folder.files.first)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count - 1] ^= 1
        let handle = try #require(FileHandle(forUpdatingAtPath: file))
        try handle.write(contentsOf: bytes)
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: file)
        let second = try #require(await store.blobs(in: Self.key.group).first)
        #expect(await second.check?() == false)
        #expect(folder.files.isEmpty)
    }

    @Test(
        "A folder that cannot be created leaves only the memory tier",
        arguments: ["/proc/simorgh", "/dev/null/x", "/no\u{0}where"])
    func noFolder(path: String) async {
        var settings = BlobStore.Settings()
        settings.diskPath = path
        let store = BlobStore(settings)
        #expect(await !store.usesDisk)
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store))
        #expect(await store.usage().memoryCount == 1)
    }

    @Test(
        "Two caches of a process with the same folder share a store, however the path is written; the later sizes win",
        arguments: [("", ""), ("", "/"), ("", "/."), ("", "//"), ("/\u{301}c", "//\u{301}c")])
    func shared(ending: String, other way: String) async throws {
        let folder = Folder()
        let path = folder.path + ending
        let first = HTTPCache(CacheConfiguration(memoryCapacity: 0, diskPath: path))
        let second = HTTPCache(
            CacheConfiguration(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: folder.path + way))
        #expect(await first.usesDisk)
        #expect(await second.usesDisk)
        let writer = try #require(await first.store.write(Self.key, metadata: [1], length: 0, since: nil))
        #expect(await writer.commit())
        #expect(await second.store.blobs(in: Self.key.group).count == 1)
        var other = CacheConfiguration(diskPath: path)
        other.encryptionKey = .random()
        #expect(await !HTTPCache(other).usesDisk, "a cache with another key does not use the folder")
    }

    @Test("Folder names that are canonically equivalent but differ in bytes are two stores")
    func alike() async {
        let folder = Folder()
        let stores = ["\u{e9}", "e\u{301}"].map { name in
            var settings = BlobStore.Settings()
            settings.diskPath = "\(folder.path)/\(name)"
            return BlobStore.shared(settings)
        }
        #expect(stores[0] !== stores[1])
        #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: stores[0]))
        #expect(await stores[1].blobs(in: Self.key.group).isEmpty)
    }

    @Test("A new cache on a folder gets the folder although the previous one is still writing", arguments: 0..<20)
    func followed(round: Int) async throws {
        let folder = Folder()
        let configuration = CacheConfiguration(memoryCapacity: 1 << 20, diskPath: folder.path)
        for number in UInt64(0)..<3 {
            let cache = HTTPCache(configuration)
            #expect(await cache.usesDisk, "cache \(number) of round \(round)")
            let key = BlobKey(BlobStoreTests.group, variant: number)
            let writer = try #require(await cache.store.write(key, metadata: [1], length: nil, since: nil))
            #expect(await writer.write(BlobStoreTests.bytes(50_000)))
            #expect(await writer.commit())
        }
        #expect(await HTTPCache(configuration).usage().diskCount == 3)
    }

    @Test("Unfinished bodies use at most the capacity of the memory tier")
    func unfinished() async throws {
        let store = BlobStoreTests.store(nil, memory: 80_000, disk: 0)
        var writers: [any BlobWriter] = []
        var taken = 0
        for number in UInt64(0)..<20 {
            let key = BlobKey(BlobStoreTests.group, variant: number)
            guard let writer = await store.write(key, metadata: [], length: nil, since: nil) else { continue }
            if await writer.write(BlobStoreTests.bytes(9000)) { taken += 1 }
            writers.append(writer)
        }
        #expect(taken == 8)
        writers = []
        let last = try #require(await store.write(Self.key, metadata: [], length: nil, since: nil))
        #expect(await last.write(BlobStoreTests.bytes(9000)))
    }
}

/// A number that one task sets and others read.
private final class Latest: Sendable {
    private let latest = Mutex(0)
    var number: Int { latest.withLock { $0 } }
    func set(_ number: Int) { latest.withLock { $0 = number } }
}
