// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite("APIClient.drain(within:): downloads", .timeLimit(.minutes(5)))
struct DownloadDrainTests {
    private let place = DownloadTestFolder()

    @Test("A running download is parked, and the next manager of the folder resumes it", arguments: [0, 60])
    func parks(seconds: Int) async throws {
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        let (manager, id) = try await place.begun(origin)
        let report = await manager.core.client.drain(within: .seconds(seconds))
        #expect(report.downloads == 1)
        #expect(report.connections == 0 && report.streams == 0 && report.isComplete)
        await manager.core.settled()
        origin.change { $0.isHeld = false }
        let next = try place.manager(origin)
        #expect(await next.progress(for: id).last()?.state == .completed)
        let file = try #require(next.tasks.first { $0.id == id }?.localURL)
        #expect(try [UInt8](Data(contentsOf: file)) == bytes)
        await place.end(next)
    }

    @Test("A manager of a drained client takes no downloads")
    func refuses() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        let manager = try place.manager(origin)
        #expect(await manager.core.client.drain(within: .seconds(60)).downloads == 0)
        #expect(throws: DownloadError.self) { try manager.enqueue(url: DownloadTestFolder.url) }
        let late = DownloadTestFolder()
        let other = try DownloadManager(
            config: DownloadManagerConfig(downloadDirectory: late.folder), client: manager.core.client)
        #expect(throws: DownloadError.self) { try other.enqueue(url: DownloadTestFolder.url) }
        await other.close()
    }

    @Test("A request that another client refuses because it drains may be repeated, also if it refreshes a token")
    func otherClient() {
        let context = FailureContext(method: "GET", url: "https://a.test/", attempts: 0)
        let refused = NetworkError.responseError(ResponseError(ClientDrainedError(), context: context))
        let refresh = TokenRefreshError(underlying: refused)
        for error in [refused, NetworkError.responseError(ResponseError(refresh, context: context))] {
            let ending = DownloadAttemptError(error)
            guard case .again = ending else {
                Issue.record("\(ending)")
                continue
            }
        }
    }
}
