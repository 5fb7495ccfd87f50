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

/// State that managers pass on across restarts, and changes between two attempts.
@Suite(.timeLimit(.minutes(5)))
struct DownloadRestoringTests {
    private func url(_ path: String) throws -> URL { try #require(URL(string: "https://origin.test/" + path)) }

    @Test("waitingForSpace keeps the bytes on disk, and resumes when there is disk space")
    func waitsForSpace() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let clock = TestClock()
        var client = APIClient.Configuration()
        client.time = clock.timeSource
        let manager = try place.manager(origin, client: client) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
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
        // The timer that checks the disk space, and not one of the previous attempt, which is shorter.
        try await clock.sleeping(for: .seconds(5))
        clock.advance(by: .seconds(5))
        let last = try #require(await manager.progress(for: id).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=100000-") == true)
        await place.end(manager)
    }

    @Test("Closing a manager ends its lists and events")
    func ends() async throws {
        let place = DownloadTestFolder()
        let manager = try place.manager(FakeOrigin([]))
        async let lists = manager.taskLists.reduce(0) { count, _ in count + 1 }
        async let events = manager.events.reduce(0) { count, _ in count + 1 }
        await place.end(manager)
        _ = await (lists, events)
    }

    @Test("A failed download can be resumed only if no other fetches the same URL, also after a restart")
    func reclaims() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { $0.fault = .once(404) }
        let first = try place.manager(origin)
        let failed = try first.enqueue(url: DownloadTestFolder.url)
        #expect(await first.progress(for: failed).last()?.state == .failed)
        origin.change { $0.isHeld = true }
        // The same URL, written in another form.
        let same = try #require(URL(string: "https://Origin.test:443/files/data.bin"))
        let other = try first.enqueue(url: same)
        #expect(throws: DownloadError.alreadyQueued(DownloadTestFolder.url)) { try first.resume(id: failed) }
        await place.end(first)
        origin.change { $0.isHeld = false }
        let second = try place.manager(origin) { $0.restoresAutomatically = false }
        #expect(throws: DownloadError.alreadyQueued(DownloadTestFolder.url)) { try second.resume(id: failed) }
        second.cancel(id: other)
        for await tasks in second.taskLists where tasks.map(\.id) == [failed] { break }
        try second.resume(id: failed)
        #expect(await second.progress(for: failed).last()?.state == .completed)
        await place.end(second)
    }

    @Test("The retry policy applies as it is when the download starts")
    func retryPolicies() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin) { $0.maxConcurrentDownloads = 1 }
        let first = try manager.enqueue(url: DownloadTestFolder.url)
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

    @Test("A URL with credentials is refused, and the error hides them")
    func users() throws {
        let place = DownloadTestFolder()
        let manager = try place.manager(FakeOrigin([]))
        let secret = try #require(URL(string: "https://zal:feather@origin.test/a"))
        #expect { try manager.enqueue(url: secret) } throws: { error in
            error as? DownloadError == .invalidURL(secret.absoluteString) && !"\(error)".contains("feather")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [".lock"])
    }

    @Test("Drafts of a killed process are removed, also at a new destination, and no other files")
    func halfCopies() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(200_000))
        origin.change { $0.breaksAfter = 100_000 }
        let (old, new) = (place.folder.appendingPathComponent("old"), place.folder.appendingPathComponent("new"))
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
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
        // Drafts of the download's own files are removed, too, since their writer is gone.
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

    @Test("A destination that was moved meanwhile keeps the partial file")
    func moves() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let (old, new) = (place.folder.appendingPathComponent("old"), place.folder.appendingPathComponent("new"))
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
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

    @Test("Queued downloads resume after a restart, unless restoresAutomatically is false", arguments: [true, false])
    func restores(goesOn: Bool) async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
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

    @Test("A download cancelled while the manager closes stays cancelled")
    func forgets() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))
        let (first, id) = try await place.begun(origin)
        first.cancel(id: id)
        await place.end(first)
        #expect(throws: DownloadError.self) { try first.enqueue(url: DownloadTestFolder.url) }
        #expect(throws: DownloadError.taskNotFound(id)) { try first.resume(id: id) }
        let second = try place.manager(origin)
        #expect(second.tasks.isEmpty)
        await place.end(second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [".lock"])
    }

    @Test("revise(id:) changes the digest and the URL, which is then taken")
    func revises() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(200_000))
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
            Issue.record("unexpected end: \(last)")
            return
        }
        await place.end(next)
    }

    @Test("The position in the queue is kept across a restart")
    func places() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))
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

    @Test("A damaged journal is moved aside, and damaged records at its end are dropped")
    func damage() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
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
        // The event is delivered although no observer existed when the damage was detected.
        for await event in third.events {
            guard case .error(id, let message) = event else { continue }
            #expect(message.contains("damaged"))
            break
        }
        #expect(FileManager.default.fileExists(atPath: journal.path + ".damaged"))
        await place.end(third)
    }
}
