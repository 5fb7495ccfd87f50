// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadEnqueueTests {
    @Test("Enqueueing costs the same writes and clock reads, however many downloads exist", arguments: [1000, 10_000])
    func constant(count: Int) async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))
        origin.change { $0.isHeld = true }
        let dates = Counter()
        var client = APIClient.Configuration()
        client.time = TimeSource(clock: ContinuousClock()) {
            dates.next()
            return Date()
        }
        let manager = try place.manager(origin, client: client) { config in
            config.maxConcurrentDownloads = 1
            config.maxQueueSize = count
        }
        // All URLs have the same length.
        let requests = try (0..<count).map { number in
            DownloadRequest(url: try #require(URL(string: "https://origin.test/\(100_000 + number)")))
        }
        let before = dates.count
        let batch = manager.enqueueBatch(requests)
        // A few of the clock reads are those of the first download, which is running.
        #expect((count...count + 100).contains(dates.count - before))
        #expect(batch.ids.count == count && batch.rejected.isEmpty)
        #expect(manager.tasks.map(\.id) == batch.ids)
        // Only the journal of each is written, and not again when others are added.
        let lengths = batch.ids.dropFirst().compactMap { id in
            DownloadFileSystem.length(of: DownloadFolder(in: place.folder.path, id: id).journal)
        }
        #expect(lengths.count == count - 1)
        let (least, most) = (try #require(lengths.min()), try #require(lengths.max()))
        // Except for the digits of a date.
        #expect(most - least <= 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path).count == count + 1)
        await place.end(manager)
    }
}
