// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

/// What managers keep of one another, and what may change between two attempts.
@Suite(.timeLimit(.minutes(5)))
struct DownloadRestoringTests {
    private func url(_ path: String) throws -> URL { try #require(URL(string: "https://origin.test/" + path)) }

    @Test("What has no room waits with what is there, and goes on by itself when there is room")
    func waitsForSpace() async throws {
        let place = DownloadPlace()
        let bytes = DownloadPlace.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let clock = TestClock()
        var client = APIClient.Configuration()
        client.time = clock.timeSource
        let manager = try place.manager(origin, client: client) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadPlace.url)
        #expect(await manager.progress(for: id).last()?.state == .failed)
        origin.change { $0.breaksAfter = nil }
        manager.updateConfiguration { $0.minFreeDiskSpace = .max / 2 }
        let other = try url("other")
        #expect { try manager.enqueue(url: other) } throws: { error in
            if case .insufficientDiskSpace? = error as? DownloadError { true } else { false }
        }
        try manager.resume(id: id)
        for await state in manager.states(for: id) where state == .waitingForSpace { break }
        await manager.core.settled()
        let task = try #require(manager.tasks.first)
        #expect(task.downloadedBytes == 100_000 && task.errorMessage != nil)
        manager.updateConfiguration { $0.minFreeDiskSpace = 0 }
        // Whoever looks for room, and not what the attempt before may have left: its waits are shorter.
        try await clock.sleeping(for: .seconds(5))
        clock.advance(by: .seconds(5))
        let last = try #require(await manager.progress(for: id).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=100000-") == true)
        await place.end(manager)
    }

    @Test("Who reads the lists and the events of a manager that is closed comes to their end")
    func ends() async throws {
        let place = DownloadPlace()
        let manager = try place.manager(FakeOrigin([]))
        async let lists = manager.taskLists.reduce(0) { count, _ in count + 1 }
        async let events = manager.events.reduce(0) { count, _ in count + 1 }
        await place.end(manager)
        _ = await (lists, events)
    }

    @Test("One that failed goes on only when nobody else fetches the same, also after a restart")
    func reclaims() async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(50_000))
        origin.change { $0.fault = .once(404) }
        let first = try place.manager(origin)
        let failed = try first.enqueue(url: DownloadPlace.url)
        #expect(await first.progress(for: failed).last()?.state == .failed)
        origin.change { $0.isHeld = true }
        // The same in another way to write it.
        let same = try #require(URL(string: "https://Origin.test:443/files/data.bin"))
        let other = try first.enqueue(url: same)
        #expect(throws: DownloadError.alreadyQueued(DownloadPlace.url)) { try first.resume(id: failed) }
        await place.end(first)
        origin.change { $0.isHeld = false }
        let second = try place.manager(origin) { $0.restoresAutomatically = false }
        #expect(throws: DownloadError.alreadyQueued(DownloadPlace.url)) { try second.resume(id: failed) }
        second.cancel(id: other)
        for await tasks in second.taskLists where tasks.map(\.id) == [failed] { break }
        try second.resume(id: failed)
        #expect(await second.progress(for: failed).last()?.state == .completed)
        await place.end(second)
    }

    @Test("How often it is tried again is what holds when its turn comes")
    func retryPolicies() async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(50_000))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin) { $0.maxConcurrentDownloads = 1 }
        let first = try manager.enqueue(url: DownloadPlace.url)
        for await progress in manager.progress(for: first) where progress.downloadedBytes > 0 { break }
        let second = try manager.enqueue(url: try url("second"))
        manager.updateConfiguration { $0.retryPolicy = .none }
        origin.change { state in
            state.isHeld = false
            state.fault = .always(503)
        }
        #expect(await manager.progress(for: second).last()?.error == .httpStatus(503))
        #expect(origin.requests.count == 2)
        await place.end(manager)
    }

    @Test("A URL with a user's name in it is refused, and not told")
    func users() throws {
        let place = DownloadPlace()
        let manager = try place.manager(FakeOrigin([]))
        let secret = try #require(URL(string: "https://zal:feather@origin.test/a"))
        #expect { try manager.enqueue(url: secret) } throws: { error in
            error as? DownloadError == .invalidURL(secret.absoluteString) && !"\(error)".contains("feather")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [".lock"])
    }

    @Test("Half a copy that the end of a process left beside a part goes, and nobody else's does")
    func halfCopies() async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(200_000))
        origin.change { $0.breaksAfter = 100_000 }
        let (old, new) = (place.folder.appendingPathComponent("old"), place.folder.appendingPathComponent("new"))
        var request = DownloadRequest(url: DownloadPlace.url, fileName: "a.bin")
        request.destination = old
        let first = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try #require(await first.download(request).last()).taskId
        await place.end(first)
        let folder = DownloadFolder(in: place.folder.path, id: id)
        let drafts = try [old, new].map { target in
            try DownloadFileSystem.makeFolder(target.path)
            request.destination = target
            return TemporaryFiles.name(for: folder.partial(for: request))
        }
        let other = TemporaryFiles.name(for: old.path + "/notes")
        // Of these, too, whoever was about to write them is no more.
        let own = [folder.journal, folder.corrupt, folder.path + "/.partial"].map { TemporaryFiles.name(for: $0) }
        for path in drafts + own + [other] { try Data("half".utf8).write(to: URL(filePath: path)) }
        let second = try place.manager(origin)
        #expect(!DownloadFileSystem.exists(drafts[0]) && DownloadFileSystem.exists(drafts[1]))
        #expect(own.allSatisfy { !DownloadFileSystem.exists($0) })
        request.destination = new
        try second.core.revise(id, moves: true) { $0 = request }
        #expect(!DownloadFileSystem.exists(drafts[1]) && DownloadFileSystem.exists(other))
        #expect(DownloadFileSystem.length(of: folder.partial(for: request)) == 100_000)
        await place.end(second)
    }

    @Test("A folder that was moved meanwhile has the file in its new place")
    func moves() async throws {
        let place = DownloadPlace()
        let bytes = DownloadPlace.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let (old, new) = (place.folder.appendingPathComponent("old"), place.folder.appendingPathComponent("new"))
        var request = DownloadRequest(url: DownloadPlace.url, fileName: "a.bin")
        request.destination = old
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let last = try #require(await manager.download(request).last())
        #expect(last.state == .failed)
        try FileManager.default.moveItem(at: old, to: new)
        origin.change { $0.breaksAfter = nil }
        request.destination = new
        try manager.core.revise(last.taskId, moves: true) { $0 = request }
        try manager.resume(id: last.taskId)
        let file = try #require(await manager.progress(for: last.taskId).last()?.localURL)
        #expect(file.path == new.path + "/a.bin")
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=100000-") == true)
        #expect(!DownloadFileSystem.exists(old.path))
        await place.end(manager)
    }

    @Test("What waited when the process ended goes on by itself, unless it is told not to", arguments: [true, false])
    func restores(goesOn: Bool) async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(50_000))
        origin.change { $0.isHeld = true }
        let first = try place.manager(origin) { $0.maxConcurrentDownloads = 1 }
        let ids = try [url("1"), url("2")].map { try first.enqueue(url: $0) }
        for await progress in first.progress(for: ids[0]) where progress.downloadedBytes > 0 { break }
        await place.end(first)
        origin.change { $0.isHeld = false }
        let second = try place.manager(origin) { $0.restoresAutomatically = goesOn }
        #expect(second.tasks.map(\.id) == ids)
        if goesOn {
            for id in ids { #expect(await second.progress(for: id).last()?.state == .completed) }
        } else {
            #expect(second.tasks.map(\.state) == [.paused, .paused])
        }
        await place.end(second)
    }

    @Test("What was given up while the manager closed does not come back")
    func forgets() async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(100_000))
        let (first, id) = try await place.begun(origin)
        first.cancel(id: id)
        await place.end(first)
        #expect(throws: DownloadError.self) { try first.enqueue(url: DownloadPlace.url) }
        #expect(throws: DownloadError.taskNotFound(id)) { try first.resume(id: id) }
        let second = try place.manager(origin)
        #expect(second.tasks.isEmpty)
        await place.end(second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [".lock"])
    }

    @Test("A request can be revised: the hash that it must have, and its URL, which then is taken")
    func revises() async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(200_000))
        let (manager, id) = try await place.begun(origin)
        manager.pause(id: id)
        await manager.core.settled()
        let signed = try url("files/data.bin?signed=2")
        try manager.revise(id: id) { request in
            request.url = signed.absoluteString
            request.digest = DownloadDigest("sha-256=" + String(repeating: "00", count: 32))
        }
        #expect(throws: DownloadError.alreadyQueued(signed)) { try manager.enqueue(url: signed) }
        await place.end(manager)
        origin.change { $0.isHeld = false }
        let next = try place.manager(origin)
        #expect(next.tasks.first?.url == signed)
        try next.resume(id: id)
        let last = try #require(await next.progress(for: id).last())
        guard case .digestMismatch = last.error else {
            Issue.record("another end: \(last)")
            return
        }
        await place.end(next)
    }

    @Test("The place in the line is kept over a restart")
    func places() async throws {
        let place = DownloadPlace()
        let origin = FakeOrigin(DownloadPlace.bytes(100_000))
        origin.change { $0.isHeld = true }
        let first = try place.manager(origin)
        let ids = try ["1", "2", "3"].map { try first.enqueue(url: try url($0)) }
        first.pauseAll()
        await first.core.settled()
        #expect(first.tasks.map(\.state) == [.paused, .paused, .paused])
        try first.move(id: ids[2], toFront: true)
        await place.end(first)
        let second = try place.manager(origin)
        #expect(second.tasks.map(\.id) == [ids[2], ids[0], ids[1]])
        await place.end(second)
    }

    @Test("A damaged journal is set aside, and a damaged end is fetched again")
    func damage() async throws {
        let place = DownloadPlace()
        let bytes = DownloadPlace.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadPlace.url)
        _ = await manager.progress(for: id).last()
        await place.end(manager)
        let journal = place.folder.appendingPathComponent(id.uuidString.lowercased() + "/.journal")
        try (try Data(contentsOf: journal) + Data([9, 9, 9])).write(to: journal)
        origin.change { $0.breaksAfter = nil }
        let second = try place.manager(origin)
        try second.resume(id: id)
        #expect(try Array(Data(contentsOf: #require(await second.progress(for: id).last()?.localURL))) == bytes)
        await place.end(second)
        try Data("nonsense".utf8).write(to: journal)
        let third = try place.manager(origin)
        #expect(third.tasks.isEmpty)
        // Nobody could observe while it was found, and yet it is told.
        for await event in third.events {
            guard case .error(id, let message) = event else { continue }
            #expect(message.contains("damaged"))
            break
        }
        #expect(FileManager.default.fileExists(atPath: journal.path + ".damaged"))
        await place.end(third)
    }
}
