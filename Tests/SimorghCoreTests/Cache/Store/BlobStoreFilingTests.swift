// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCore
import TestSupport
import Testing

/// Files that are written shortly after their blobs are in memory: intermediate states must not be visible.
@Suite("BlobStore: deferred file writes", .timeLimit(.minutes(5)))
struct BlobStoreFilingTests {
    typealias Folder = BlobStoreTests.Folder
    static let key = BlobStoreTests.key

    /// The metadata that a new store on the folder finds under the key.
    private func later(_ folder: Folder) async throws -> String? {
        try await BlobStoreTests.get(await BlobStoreTests.next(folder))?.metadata
    }

    @Test("A small blob is in memory at once, and in its file once usage() returns")
    func both() async throws {
        let folder = Folder()
        let bytes = BlobStoreTests.bytes(1000)
        do {
            let store = BlobStoreTests.store(folder, memory: 1 << 20)
            #expect(await BlobStoreTests.put(bytes, "x", in: store))
            #expect(try await BlobStoreTests.get(store)?.bytes == bytes)
            let usage = await store.usage()
            #expect(usage.memoryCount == 1 && usage.diskCount == 1 && folder.files.count == 1)
        }
        #expect(try await later(folder) == "x")
    }

    @Test(
        "A blob removed while its file is written leaves no file", arguments: BlobStoreRaceTests.Forgetting.allCases,
        0..<20)
    func forgotten(forgetting: BlobStoreRaceTests.Forgetting, round: Int) async throws {
        let folder = Folder()
        do {
            let store = BlobStoreTests.store(folder, memory: 1 << 20)
            if round % 2 == 0 { await BlobStoreTests.put(BlobStoreTests.bytes(10), "old", in: store) }
            await BlobStoreTests.put(BlobStoreTests.bytes(5000), "new", in: store)
            await forgetting.apply(to: store)
            #expect(folder.files.isEmpty)
            #expect(await store.usage() == CacheUsage())
        }
        #expect(try await later(folder) == nil)
    }

    @Test("After two writes in quick succession the file holds the second one", arguments: 0..<20)
    func replaced(round: Int) async throws {
        let folder = Folder()
        do {
            let store = BlobStoreTests.store(folder, memory: 1 << 20)
            for number in 0...round { await BlobStoreTests.put(BlobStoreTests.bytes(5000), "\(number)", in: store) }
            #expect(try await BlobStoreTests.get(store)?.metadata == "\(round)")
        }
        #expect(try await later(folder) == "\(round)")
    }

    @Test("A file never holds the metadata from before a change", arguments: 0..<20)
    func changed(round: Int) async throws {
        let folder = Folder()
        do {
            let store = BlobStoreTests.store(folder, memory: 1 << 20)
            if round % 2 == 0 { await BlobStoreTests.put(BlobStoreTests.bytes(10), "before", in: store) }
            await BlobStoreTests.put(BlobStoreTests.bytes(5000), "old", in: store)
            let blob = try #require(await store.blobs(in: Self.key.group).first)
            await store.update(blob, metadata: Array("new".utf8))
            #expect(try await BlobStoreTests.get(store)?.metadata == "new")
        }
        // The file may be missing, but never an older one.
        #expect([nil, "new"].contains(try await later(folder)))
    }

    @Test("A blob evicted from memory is read from its file, never from an older one")
    func evicted() async throws {
        let folder = Folder()
        // The limit of a blob is an eighth of the memory.
        let store = BlobStoreTests.store(folder, memory: 80_000)
        for round in 0..<2 {
            for number in UInt64(0)..<16 {
                await BlobStoreTests.put(
                    BlobStoreTests.bytes(9000, seed: number + 1), "\(round)", in: store,
                    as: BlobKey(BlobGroup([UInt8(number)]), variant: 0))
            }
            for number in UInt64(0)..<16 {
                let found = try await BlobStoreTests.get(store, BlobKey(BlobGroup([UInt8(number)]), variant: 0))
                #expect(found?.metadata == "\(round)" && found?.bytes == BlobStoreTests.bytes(9000, seed: number + 1))
            }
        }
        #expect(await store.usage().diskCount == 16)
    }

    @Test("A cancelled task does not wait for pending file writes")
    func cancelled() async {
        let store = BlobStoreTests.store(nil, memory: 1 << 20)
        let written = DispatchSemaphore(value: 0)
        store.writeFile(1) { written.wait() }
        let task = Task { await store.usage() }
        task.cancel()
        #expect(await task.value == CacheUsage())
        written.signal()
    }

    /// A disk that completes no rename until released.
    private struct Hang {
        private let file: SilentFile
        private let dropping: Task<Void, Never>

        init(_ store: BlobStore) async throws {
            let key = BlobKey(BlobGroup([99]), variant: 0)
            await BlobStoreTests.put(BlobStoreTests.bytes(10), "x", in: store, as: key)
            let blob = try #require(await store.blobs(in: key.group).first)
            #expect(await store.usage().diskCount > 0)
            file = try SilentFile(#require(await store.path(key)))
            // The blocked removal makes later operations wait.
            dropping = Task { await store.drop(blob) }
            await yieldToOthers()
        }

        func end() async {
            await file.answer { await dropping.value }
        }
    }

    /// More blobs than the memory of 80,000 bytes can hold.
    private static let many = (1...16).map { BlobKey(BlobGroup([UInt8($0)]), variant: 0) }

    private static func fill(_ store: BlobStore) async {
        for key in many { await BlobStoreTests.put(BlobStoreTests.bytes(9000), "new", in: store, as: key) }
    }

    @Test("A cancelled lookup does not wait for the pending file of an evicted blob")
    func cancelledLookup() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 80_000)
        let hang = try await Hang(store)
        // Blobs that do not fit into memory wait for the disk.
        let filling = Task { await Self.fill(store) }
        await yieldToOthers()
        let lookup = Task {
            for key in Self.many { _ = await store.blobs(in: key.group) }
        }
        lookup.cancel()
        await lookup.value
        await hang.end()
        await filling.value
        for key in Self.many { #expect(try await BlobStoreTests.get(store, key)?.metadata == "new") }
    }

    @Test("A later write persists although earlier writers were cancelled before the disk responded")
    func cancelledBefore() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder)
        let hang = try await Hang(store)
        for number in 0..<8 {
            let writer = try #require(
                await store.write(Self.key, metadata: Array("\(number)".utf8), length: 0, since: nil))
            let commit = Task { await writer.commit() }
            commit.cancel()
            _ = await commit.value
        }
        let last = Task { await BlobStoreTests.put(BlobStoreTests.bytes(10), "last", in: store) }
        await yieldToOthers()
        await hang.end()
        #expect(await last.value)
        #expect(try await BlobStoreTests.get(store)?.metadata == "last")
    }

    @Test("A blob changed and evicted before its file was written never reverts to an older version")
    func changedAndEvicted() async throws {
        let folder = Folder()
        let store = BlobStoreTests.store(folder, memory: 80_000)
        await BlobStoreTests.put(BlobStoreTests.bytes(10), "old", in: store)
        #expect(await store.usage().diskCount == 1)
        let hang = try await Hang(store)
        await BlobStoreTests.put(BlobStoreTests.bytes(20), "next", in: store)
        let blob = try #require(await store.blobs(in: Self.key.group).first)
        let change = Task { await store.update(blob, metadata: Array("changed".utf8)) }
        change.cancel()
        await change.value
        let filling = Task { await Self.fill(store) }
        await yieldToOthers()
        let lookup = Task { await store.blobs(in: Self.key.group).map(\.metadata) }
        await yieldToOthers()
        await hang.end()
        await filling.value
        #expect(await !lookup.value.contains(Array("old".utf8)))
    }

    @Test("Concurrent writes, changes and removals: the next run finds only the last version", arguments: 0..<3)
    func storm(seed: Int) async throws {
        let folder = Folder()
        let last = await withTaskGroup(of: (UInt64, String?).self) { group in
            let store = BlobStoreTests.store(folder, memory: 200_000)
            for task in UInt64(0)..<8 {
                group.addTask {
                    var random = SeededNumbers(UInt64(seed) * 8 + task)
                    let key = BlobKey(BlobGroup([UInt8(task % 4)]), variant: task)
                    var last: String?
                    for number in 0..<60 {
                        let bytes = BlobStoreTests.bytes(.random(in: 0...30_000, using: &random))
                        switch Int.random(in: 0..<6, using: &random) {
                        case 0:
                            await store.remove(key)
                            last = nil
                        case 1:
                            guard let blob = await store.blobs(in: key.group).first(where: { $0.key == key }) else {
                                continue
                            }
                            last = "\(number)"
                            await store.update(blob, metadata: Array("\(number)".utf8))
                        default:
                            last = "\(number)"
                            await BlobStoreTests.put(bytes, "\(number)", in: store, as: key)
                        }
                    }
                    return (task, last)
                }
            }
            var last: [UInt64: String?] = [:]
            for await (task, text) in group { last[task] = text }
            return last
        }
        let next = await BlobStoreTests.next(folder)
        for task in UInt64(0)..<8 {
            let found = try await BlobStoreTests.get(next, BlobKey(BlobGroup([UInt8(task % 4)]), variant: task))
            #expect(found == nil || found?.metadata == last[task], "\(task)")
        }
    }
}
