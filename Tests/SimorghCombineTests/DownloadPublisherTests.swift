// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCombine
import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadPublisherTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "publishers-\(UUID())")

    private func manager(_ gate: Gate) throws -> DownloadManager {
        let transport = StubServer(precedence: .first)
        for path in ["/a", "/b"] { transport.on(path, response: .bytes(Data("0123456789".utf8)).held(by: gate)) }
        return try DownloadManager(
            config: DownloadManagerConfig(downloadDirectory: folder, minFreeDiskSpace: 0),
            client: .scripted(transport, baseURL: nil))
    }

    @Test("Progress and state publishers start with the current value and complete with the outcome")
    func one() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = Gate()
        let manager = try manager(gate)
        let url = try #require(URL(string: "https://origin.test/a"))
        let id = try manager.enqueue(url: url)
        let seen = Mutex<(states: [DownloadState], progress: [DownloadProgress])>(([], []))
        let ends = [Gate(), Gate()]
        let lines = [
            manager.statePublisher(for: id).sink { _ in
                ends[0].open()
            } receiveValue: { state in
                seen.withLock { $0.states.append(state) }
            },
            manager.progressPublisher(for: id).sink { _ in
                ends[1].open()
            } receiveValue: { progress in
                seen.withLock { $0.progress.append(progress) }
            },
        ]
        gate.open()
        for end in ends { try await end.wait() }
        seen.withLock { seen in
            #expect(seen.states.last == .completed)
            #expect(seen.progress.last?.isCompleted == true && seen.progress.last?.localURL != nil)
        }
        withExtendedLifetime(lines) {}
        await manager.close()
    }

    @Test(
        "tasksPublisher publishes the current list and each change; eventsPublisher publishes events after subscription"
    )
    func all() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let gate = Gate()
        let manager = try manager(gate)
        let (added, listed, removed) = (Gate(), Gate(), Gate())
        let lists = Mutex<[Int]>([])
        let lines = [
            manager.eventsPublisher.sink { event in
                if case .added = event { added.open() }
                if case .removed = event { removed.open() }
            },
            manager.tasksPublisher.sink { tasks in
                lists.withLock { $0.append(tasks.count) }
                if tasks.count == 1 { listed.open() }
            },
        ]
        let url = try #require(URL(string: "https://origin.test/b"))
        let id = try manager.enqueue(url: url)
        try await added.wait()
        try await listed.wait()
        manager.cancel(id: id)
        try await removed.wait()
        #expect(lists.withLock { $0.contains(1) })
        withExtendedLifetime(lines) {}
        gate.open()
        await manager.close()
    }
}
