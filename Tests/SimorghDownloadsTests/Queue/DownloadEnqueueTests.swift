// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadEnqueueTests {
    @Test("What one enqueue writes and asks for is the same, however many came before it", arguments: [1000, 10_000])
    func constant(count: Int) async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(100_000))
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
        // All of one length.
        let requests = try (0..<count).map { number in
            DownloadRequest(url: try #require(URL(string: "https://origin.test/\(100_000 + number)")))
        }
        let before = dates.count
        let batch = manager.enqueueBatch(requests)
        // Of which a few are the first one's, which runs.
        #expect((count...count + 100).contains(dates.count - before))
        #expect(batch.ids.count == count && batch.rejected.isEmpty)
        #expect(manager.tasks.map(\.id) == batch.ids)
        // Nothing is written but the journal of each, and to that nothing when others come.
        let lengths = batch.ids.dropFirst().compactMap { id in
            DownloadFileSystem.length(of: DownloadFolder(in: place.folder.path, id: id).journal)
        }
        #expect(lengths.count == count - 1)
        let (least, most) = (try #require(lengths.min()), try #require(lengths.max()))
        // But for the digits of a date.
        #expect(most - least <= 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path).count == count + 1)
        await place.end(manager)
    }
}
