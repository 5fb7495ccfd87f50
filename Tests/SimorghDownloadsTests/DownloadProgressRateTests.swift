// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import SimorghTesting
import TestSupport
import Testing

/// The rate of progress reports, and the last report.
@Suite(.timeLimit(.minutes(5)))
struct DownloadProgressRateTests {
    @Test("Progress is reported at most every 0.1 seconds, and at the end")
    func tenths() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(2 * 1024 * 1024))
        origin.change { $0.isHeld = true }
        let clock = TestClock()
        var client = APIClient.Configuration()
        client.time = clock.timeSource
        let manager = try place.manager(origin, client: client)
        let events = manager.events
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        try await eventually { origin.sent > 0 }
        for _ in 0..<2 {
            try await clock.sleeping(forAtMost: .milliseconds(100))
            clock.advance(by: .milliseconds(100))
        }
        // The rest arrives at once.
        origin.change { $0.isHeld = false }
        #expect(await manager.progress(for: id).last()?.downloadedBytes == 2 * 1024 * 1024)
        await place.end(manager)
        var told = 0
        for await event in events {
            if case .progress = event { told += 1 }
        }
        // One for each 0.1 seconds, and one at the end.
        #expect(told <= 3)
    }

    @Test("taskLists: a slow reader gets many changes coalesced into the newest list")
    func coalesces() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { $0.isHeld = true }
        let clock = TestClock()
        var client = APIClient.Configuration()
        client.time = clock.timeSource
        let count = 4200
        let manager = try place.manager(origin, client: client) { config in
            config.maxConcurrentDownloads = 1
            config.maxQueueSize = count
        }
        let requests = try (0..<count).map { number in
            DownloadRequest(url: try #require(URL(string: "https://origin.test/\(number)")))
        }
        let ids = manager.enqueueBatch(requests).ids
        #expect(ids.count == count && manager.tasks.map(\.id) == ids)
        // The number of paused downloads in each list.
        let told = LockedValue<[Int]>([])
        let reader = Task {
            for await tasks in manager.taskLists {
                told.change { $0.append(tasks.count { $0.state == .paused }) }
            }
        }
        try await eventually { told.value.count == 1 }
        for id in ids[1...300] { manager.pause(id: id) }
        try await clock.sleeping(forAtMost: .milliseconds(100))
        for id in ids[301...600] { manager.pause(id: id) }
        #expect(told.value == [0])
        // The running download sleeps as well, so the reader may not have begun to sleep yet.
        try await clock.skipWaits(upTo: .milliseconds(100)) { told.value.count > 1 }
        #expect(told.value == [0, 600])
        reader.cancel()
        await reader.value
        await place.end(manager)
    }

    @Test("Closing the manager ends the progress streams with the current, unfinished state")
    func closed() async throws {
        let place = DownloadTestFolder()
        let (manager, id) = try await place.begun(FakeOrigin(DownloadTestFolder.bytes(100_000)))
        let progress = manager.progress(for: id)
        let states = manager.states(for: id)
        async let last = progress.last()
        async let state = states.last()
        await place.end(manager)
        let end = try #require(await last)
        #expect(!end.state.isFinal && end.downloadedBytes > 0)
        #expect(await state == .downloading)
    }
}
