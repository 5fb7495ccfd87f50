// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCore
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
        let new = try #require(await store.blobs(in: Self.key.group).first(where: { $0.key == Self.key }))
        await store.drop(new)
        #expect(await store.blobs(in: Self.key.group).map(\.key) == [other])
        #expect(await store.usage().diskCount == 1 && folder.files.count == 1)
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
