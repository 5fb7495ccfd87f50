// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCore
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// Blobs that a store removes on its own, and blobs that it keeps.
@Suite("BlobStore: sweeps and cancellation", .timeLimit(.minutes(5)))
struct BlobStoreTidyTests {
    typealias Folder = BlobStoreTests.Folder
    static let key = BlobStoreTests.key

    @Test(
        "Dropping a stale blob does not remove its replacement, nor a write in progress",
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
        // The replacement's file may still be pending, over the previous file.
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "newest", in: store)
        let newest = try #require(await store.blobs(in: Self.key.group).first(where: { $0.key == Self.key }))
        await store.drop(newest)
        #expect(await store.blobs(in: Self.key.group).map(\.key) == [other])
        #expect(await store.usage().diskCount == 1 && folder.files.count == 1)
    }

    @Test("visit(_:body:) visits each blob once, and no more after cancellation", arguments: [false, true])
    func look(isCancelled: Bool) async {
        let store = BlobStoreTests.store(nil, memory: 1 << 20)
        for number in UInt8(0)..<5 {
            await BlobStoreTests.put(Data(), "x", in: store, as: BlobKey(BlobGroup([number]), variant: 1))
        }
        let seen = LockedValue<[BlobKey]>([])
        let task = Task {
            await store.visit(.all) { key, _, _ in
                seen.change { $0.append(key) }
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await task.value
        #expect(seen.value.count == (isCancelled ? 1 : 5) && Set(seen.value).count == seen.value.count)
    }

    @Test(
        "A blob sealed with another key is skipped by visit, and removed by the cache that now owns the folder",
        arguments: [nil, CacheEncryptionKey.random()] as [CacheEncryptionKey?])
    func sealed(key: CacheEncryptionKey?) async throws {
        let folder = Folder()
        let own = CacheEncryptionKey.random()
        var first: BlobStore? = BlobStoreTests.store(folder, key: own)
        if let first { #expect(await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: first)) }
        first = nil
        var other: BlobStore? = await BlobStoreTests.next(folder, key: key)
        for scope in [.all, .family(Self.key.group.family)] as [BlobStore.Scope] {
            await other?.visit(scope) { _, _, _ in Issue.record("visit(_:body:) visited a blob of another key") }
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

    @Test("A folder that is larger than the capacity is scanned completely")
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

    @Test("A cancelled read of a byte range does not wait for the disk and removes nothing")
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

    @Test("A file without read permission is a miss, and a hit again when permission returns")
    func refused() async throws {
        // The superuser can read every file, so the test runs again as another user.
        guard geteuid() != 0 else { return try await Self.runUnprivileged("BlobStoreTidyTests/refused") }
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        let file = try #require(folder.files.first)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        #expect(await store.blobs(in: Self.key.group).isEmpty)
        await store.visit(.all) { _, _, _ in Issue.record("visit(_:body:) visited an unreadable file") }
        await store.tidy(.all) { _, _, _ in true }
        #expect(folder.files == [file])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try await BlobStoreTests.get(store)?.metadata == "x")
    }

    /// Runs a test of this program in a process without privileges, and expects that it passes.
    private static func runUnprivileged(_ test: String) async throws {
        let outcome = try await ChildProcess.run(
            "/usr/bin/setpriv",
            arguments: [
                "--reuid=65534", "--regid=65534", "--clear-groups", CommandLine.arguments[0],
                "--testing-library", "swift-testing", "--filter", test,
            ], environment: ["TMPDIR": "/tmp"])
        let output = outcome.text + outcome.errors
        #expect(outcome.status == 0 && output.contains("1 test"), "\(output)")
    }

    @Test("Errors of the disk or of the process do not count as errors of a file")
    func errors() {
        for code in [EACCES, EPERM, EIO, EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN, ESTALE, ETIMEDOUT] {
            #expect(!FileCalls.isAboutFile(code), "\(code)")
        }
        for code in [ENOENT, ENOTDIR, ELOOP, EISDIR] { #expect(FileCalls.isAboutFile(code), "\(code)") }
    }

    /// Cancellable operations that wait for a folder to open.
    enum Waiting: CaseIterable, Sendable {
        case blobs, tidy, look

        func apply(to store: BlobStore) async {
            switch self {
            case .blobs: #expect(await store.blobs(in: BlobStoreTests.group).isEmpty)
            case .tidy: await store.tidy(.all) { _, _, _ in true }
            case .look: await store.visit(.all) { _, _, _ in }
            }
        }
    }

    /// Two stores of one folder: the first owns it and has a blob there; the second waits for it.
    private struct Handover {
        private var first: BlobStore?
        let second: BlobStore
        /// The first store's blob.
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
            // The second store polls for the folder; on this clock, it does so once.
            second = BlobStore(settings, time: clock.timeSource, isSuccessor: true)
            try await clock.sleeping()
        }

        /// Releases the folder to the second store while an operation runs.
        mutating func perform(_ body: () async -> Void) async throws {
            first = nil
            // A thread may still hold the first store's lock. The second store polls a few dozen times, which pass in
            // no time on an advancing clock. Until then the second store sleeps, so it does not collide with this check
            // of the lock.
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

    @Test("A cancelled task does not wait for a folder to open", arguments: Waiting.allCases)
    func cancelled(waiting: Waiting) async throws {
        let folder = Folder()
        var handover = try await Handover(folder)
        let second = handover.second
        let task = Task { await waiting.apply(to: second) }
        task.cancel()
        await task.value
        // Other tasks still wait for it.
        try await handover.perform { _ = await second.usage() }
    }

    /// Cancellable removals.
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
        "A cancelled removal does not wait for the disk; a later lookup does",
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
        "A cancelled task does not wait for an unresponsive file, and its removals still happen",
        arguments: Search.allCases)
    func cancelledSearch(search: Search) async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store)
        let file = try SilentFile(#require(folder.files.first))
        let task = Task { await search.apply(to: store) }
        await yieldToOthers()
        task.cancel()
        await task.value
        await file.answer {
            #expect(await store.blobs(in: Self.key.group).isEmpty && folder.files.isEmpty)
        }
    }

    /// Cancellable operations that scan files.
    enum Search: CaseIterable, Sendable {
        case look, tidy, sweep

        func apply(to store: BlobStore) async {
            switch self {
            case .look: await store.visit(.shard(0)) { _, _, _ in Issue.record("the file is not a blob") }
            case .tidy: await store.tidy(.shard(0)) { _, _, _ in true }
            case .sweep: #expect(await store.sweep { _, _, _ in true } == 0)
            }
        }
    }

    @Test("A sweep counts a blob in memory and on disk once", arguments: [0, 1 << 20] as [Int64])
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
        "A cancelled metadata update does not wait for the disk, and is still applied in order",
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

    @Test("A cancelled commit does not wait for the file, which is written shortly afterwards")
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

    @Test("A cancelled write does not wait for the disk, and the previous blob stays")
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

    @Test("A blob that replaces a stale one during a sweep stays")
    func replacedWhileSwept() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "over", in: store)
        let written = DispatchSemaphore(value: 0)
        await store.tidy(.shard(0)) { _, metadata, _ in
            // A detached task waits for the file, because this closure runs outside a task.
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
