// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// What a store removes by itself, and what it leaves.
@Suite("The store of the caches as it tidies up", .timeLimit(.minutes(5)))
struct BlobStoreTidyTests {
    typealias Folder = BlobStoreTests.Folder
    static let key = BlobStoreTests.key

    @Test(
        "Of what was of no use, nothing that took its place goes with it, nor what is on its way",
        arguments: [0, 1 << 20] as [Int64])
    func replaced(memory: Int64) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: memory)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "over", in: store)
        let over = try #require(await store.blobs(in: Self.key.group).first)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "new", in: store)
        let moment = store.moment(of: Self.key.group.family)
        let other = BlobKey(BlobStoreTests.group, variant: 8)
        let late = try #require(await store.write(other, metadata: [1], length: nil, since: moment))
        await store.drop(over)
        #expect(try await BlobStoreTests.get(store)?.metadata == "new")
        #expect(await store.usage().diskCount == 1 && folder.files.count == 1)
        #expect(await late.commit())
        // One whose file is perhaps still to be written, over that of the one before.
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "newest", in: store)
        let newest = try #require(await store.blobs(in: Self.key.group).first(where: { $0.key == Self.key }))
        await store.drop(newest)
        #expect(await store.blobs(in: Self.key.group).map(\.key) == [other])
        #expect(await store.usage().diskCount == 1 && folder.files.count == 1)
    }

    @Test("Who looks at everything sees each blob once, and none any more when cancelled", arguments: [false, true])
    func look(isCancelled: Bool) async {
        let store = BlobStoreTests.store(nil, memory: 1 << 20)
        for number in UInt8(0)..<5 {
            await BlobStoreTests.put(Data(), "x", in: store, as: BlobKey(BlobGroup([number]), variant: 1))
        }
        let seen = Kept<[BlobKey]>([])
        let task = Task {
            await store.look(at: .all) { key, _, _ in
                seen.change { $0.append(key) }
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await task.value
        #expect(seen.value.count == (isCancelled ? 1 : 5) && Set(seen.value).count == seen.value.count)
    }

    @Test(
        "What only another key can read, a look leaves, and the cache that has the folder now does not",
        arguments: [nil, CacheEncryptionKey.random()] as [CacheEncryptionKey?])
    func sealed(key: CacheEncryptionKey?) async throws {
        let folder = Folder()
        let own = CacheEncryptionKey.random()
        var first: BlobStore? = BlobStoreTests.store(folder, key: own)
        if let first { #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: first)) }
        first = nil
        var other: BlobStore? = await BlobStoreTests.next(folder, key: key)
        for scope in [.all, .family(Self.key.group.family)] as [BlobStore.Scope] {
            await other?.look(at: scope) { _, _, _ in Issue.record("it cannot be read") }
        }
        #expect(folder.files.count == 1)
        other = nil
        first = await BlobStoreTests.next(folder, key: own)
        if let first { #expect(try await BlobStoreTests.get(first)?.metadata == "x") }
        first = nil
        other = await BlobStoreTests.next(folder, key: key)
        await other?.tidy(.all) { _, _, _ in false }
        #expect(folder.files.isEmpty)
    }

    @Test("A folder that is larger than a cache may be is looked at whole")
    func large() async throws {
        let folder = Folder()
        var first: BlobStore? = BlobStoreTests.store(folder)
        for number in UInt64(0)..<8 {
            guard let first else { continue }
            await BlobStoreTests.put(
                BlobStoreTests.bytes(10_000), "x", in: first, as: BlobKey(BlobStoreTests.group, variant: number))
        }
        first = nil
        let configuration = CacheConfiguration(memoryCapacity: 0, diskCapacity: 20_000, diskPath: folder.path)
        var cache = HTTPCache(lookingAt: configuration)
        try await eventually {
            if await cache.usesDisk { return true }
            cache = HTTPCache(lookingAt: configuration)
            return false
        }
        #expect(await cache.usage().diskCount == 8 && folder.files.count == 8)
        #expect(cache.configuration.diskCapacity == 20_000)
    }

    @Test("Who is cancelled does not wait for a part of a file, and nothing is removed for that")
    func cancelledRead() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(900_000), "x", in: store)
        let blob = try #require(await store.blobs(in: Self.key.group).first)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await blob.bytes(0..<blob.length)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await blob.bytes(0..<blob.length).count == 900_000 && folder.files.count == 1)
    }

    @Test(
        "What the disk does not let be read now is a miss, and there again when it does",
        .enabled(if: geteuid() != 0))
    func refused() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        let file = try #require(folder.files.first)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        #expect(await store.blobs(in: Self.key.group).isEmpty)
        await store.look(at: .all) { _, _, _ in Issue.record("it cannot be read") }
        await store.tidy(.all) { _, _, _ in true }
        #expect(folder.files == [file])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try await BlobStoreTests.get(store)?.metadata == "x")
    }

    @Test("What is the matter with the disk or the process is not held against a file")
    func errors() {
        for code in [EACCES, EPERM, EIO, EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN, ESTALE, ETIMEDOUT] {
            #expect(!FileCalls.isAboutFile(code), "\(code)")
        }
        for code in [ENOENT, ENOTDIR, ELOOP, EISDIR] { #expect(FileCalls.isAboutFile(code), "\(code)") }
    }

    /// What waits for a folder to be opened, and may be cancelled.
    enum Waiting: CaseIterable, Sendable {
        case blobs, tidy, look

        func apply(to store: BlobStore) async {
            switch self {
            case .blobs: #expect(await store.blobs(in: BlobStoreTests.group).isEmpty)
            case .tidy: await store.tidy(.all) { _, _, _ in true }
            case .look: await store.look(at: .all) { _, _, _ in }
            }
        }
    }

    /// Two stores of one folder: the first has it, and a blob there; the second waits for it.
    private struct Handover {
        private var first: BlobStore?
        let second: BlobStore
        /// What the first one has.
        let blob: StoredBlob
        private let clock = TestClock()
        private let lock: String

        init(_ folder: Folder) async throws {
            lock = folder.path + "/lock"
            let first = BlobStoreTests.store(folder)
            #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: first))
            blob = try #require(await first.blobs(in: BlobStoreTests.group).first)
            self.first = first
            var settings = BlobStore.Settings()
            settings.diskPath = folder.path
            // It asks for the folder again and again, and on this clock once.
            second = BlobStore(settings, time: clock.timeSource, isFollowing: true)
            try await clock.sleeping()
        }

        /// Lets the second one have the folder, while something is done.
        mutating func perform(_ body: () async -> Void) async throws {
            first = nil
            // A thread may still hold what was the first one's. The second one asks a few dozen times, which are over in
            // no time on a clock that is turned; it sleeps until then, and so does not meet this look at the lock.
            try await eventually { (try? FileLock(lock)) != nil }
            let turning = Task { [clock] in
                while !Task.isCancelled {
                    clock.advance(by: .milliseconds(10))
                    await Task.yield()
                }
            }
            await body()
            turning.cancel()
        }
    }

    @Test("Who is cancelled does not wait until a folder is open", arguments: Waiting.allCases)
    func cancelled(waiting: Waiting) async throws {
        let folder = Folder()
        var handover = try await Handover(folder)
        let second = handover.second
        let task = Task { await waiting.apply(to: second) }
        task.cancel()
        await task.value
        // Others wait for it still.
        try await handover.perform { _ = await second.usage() }
    }

    /// What is forgotten, and may be cancelled.
    enum Removal: CaseIterable, Sendable {
        case key, group, family, all, sweep, purge, drop

        func apply(to store: BlobStore, _ blob: StoredBlob) async {
            switch self {
            case .key: await store.remove(BlobStoreTests.key)
            case .group: await store.remove(BlobStoreTests.group)
            case .family: await store.remove(family: BlobStoreTests.group.family)
            case .all: await store.removeAll()
            case .sweep: await store.sweep { _, _, _ in true }
            case .purge: await store.purge(.family(BlobStoreTests.group.family)) { _, _, _ in true }
            case .drop: await store.drop(blob)
            }
        }
    }

    @Test(
        "Who is cancelled does not wait for a disk to forget; who looks there afterwards does",
        arguments: Removal.allCases)
    func cancelledRemoval(removal: Removal) async throws {
        let folder = Folder()
        var handover = try await Handover(folder)
        let (second, blob) = (handover.second, handover.blob)
        let task = Task { await removal.apply(to: second, blob) }
        task.cancel()
        await task.value
        #expect(folder.files.count == 1)
        let writing = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await second.write(Self.key, metadata: [1], length: nil, since: nil) == nil
        }
        #expect(await writing.value)
        try await handover.perform {
            #expect(await second.usesDisk)
            #expect(await second.blobs(in: BlobStoreTests.group).isEmpty)
        }
        #expect(folder.files.isEmpty)
    }

    @Test(
        "Who is cancelled does not wait for a file that the disk does not give; what was to be forgotten is",
        arguments: Search.allCases)
    func cancelledSearch(search: Search) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        let file = try SilentFile(#require(folder.files.first))
        let task = Task { await search.apply(to: store) }
        await letOthersRun()
        task.cancel()
        await task.value
        await file.answer {
            #expect(await store.blobs(in: Self.key.group).isEmpty && folder.files.isEmpty)
        }
    }

    /// What looks at files, and may be cancelled.
    enum Search: CaseIterable, Sendable {
        case look, tidy, sweep

        func apply(to store: BlobStore) async {
            switch self {
            case .look: await store.look(at: .shard(0)) { _, _, _ in Issue.record("it is no blob") }
            case .tidy: await store.tidy(.shard(0)) { _, _, _ in true }
            case .sweep: #expect(await store.sweep { _, _, _ in true } == 0)
            }
        }
    }

    @Test("What is forgotten by a sweep of memory and files counts once", arguments: [0, 1 << 20] as [Int64])
    func counted(memory: Int64) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: memory)
        for variant in UInt64(0)..<3 {
            await BlobStoreTests.put(
                Data(), variant == 0 ? "kept" : "over", in: store, as: BlobKey(BlobStoreTests.group, variant: variant))
        }
        #expect(await store.sweep { _, metadata, _ in metadata == Array("over".utf8) } == 2)
        #expect(await store.blobs(in: BlobStoreTests.group).map(\.key.variant) == [0] && folder.files.count == 1)
    }

    @Test(
        "Who is cancelled does not wait for a disk to change what stands beside a blob; that changes, in its turn",
        arguments: [false, true])
    func cancelledUpdate(isFollowed: Bool) async throws {
        let folder = Folder()
        var handover = try await Handover(folder)
        let (second, blob) = (handover.second, handover.blob)
        let task = Task { await second.update(blob, metadata: Array("new".utf8)) }
        task.cancel()
        await task.value
        try await handover.perform {
            #expect(await second.usesDisk)
            if isFollowed { await second.update(blob, metadata: Array("newer".utf8)) }
        }
        let wanted = isFollowed ? "newer" : "new"
        try await eventually { try await BlobStoreTests.get(second)?.metadata == wanted }
    }

    @Test("Who is cancelled does not wait until a body that has come is in its file, where it is a little later")
    func cancelledCommit() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        let writer = try #require(await store.write(Self.key, metadata: Array("new".utf8), length: nil, since: nil))
        #expect(await writer.write(BlobStoreTests.bytes(10)))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await writer.commit()
        }
        #expect(await !task.value)
        try await eventually { try await BlobStoreTests.get(store)?.bytes == BlobStoreTests.bytes(10) }
    }

    @Test("Who is cancelled does not wait until a part is written, and what had the name before stays")
    func cancelledWrite() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "old", in: store)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await BlobStoreTests.put(BlobStoreTests.bytes(900_000), "new", in: store, step: 900_000)
        }
        #expect(await !task.value)
        #expect(try await BlobStoreTests.get(store)?.metadata == "old")
    }

    @Test("What takes the place of something that a sweep has found to be of no use, stays")
    func replacedWhileSwept() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "over", in: store)
        let written = DispatchSemaphore(value: 0)
        await store.tidy(.shard(0)) { _, metadata, _ in
            // Where files are waited for, and no task.
            Task.detached {
                await BlobStoreTests.put(BlobStoreTests.bytes(10), "new", in: store)
                written.signal()
            }
            written.wait()
            return metadata == Array("over".utf8)
        }
        #expect(try await BlobStoreTests.get(store)?.metadata == "new")
    }
}
