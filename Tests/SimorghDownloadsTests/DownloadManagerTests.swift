// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadManagerTests {
    private func url(_ path: String) throws -> URL { try #require(URL(string: "https://origin.test/" + path)) }

    @Test("SIM10: with two concurrent downloads, the one with the highest priority starts next")
    func order() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin) { $0.maxConcurrentDownloads = 2 }
        let events = manager.events
        let items: [(String, DownloadPriority)] = [
            ("a", .normal), ("b", .normal), ("c", .low), ("d", .normal), ("e", .critical),
        ]
        var names: [UUID: String] = [:]
        for (name, priority) in items {
            names[try manager.enqueue(url: try url(name), priority: priority)] = name
        }
        origin.change { $0.isHeld = false }
        var started: [String] = []
        var done = 0
        for await event in events {
            if case .stateChange(let id, .downloading) = event { started.append(names[id] ?? "") }
            if case .stateChange(_, .completed) = event { done += 1 }
            if done == 5 { break }
        }
        #expect(started == ["a", "b", "e", "d", "c"])
        #expect(manager.tasks.map(\.url.lastPathComponent) == ["a", "b", "c", "d", "e"])
        await place.end(manager)
    }

    @Test("SIM11: enqueueing a URL again throws while it is downloading, and succeeds when it is complete")
    func duplicates() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin)
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(throws: DownloadError.alreadyQueued(DownloadTestFolder.url)) {
            try manager.enqueue(url: DownloadTestFolder.url)
        }
        let batch = manager.enqueueBatch([DownloadRequest(url: DownloadTestFolder.url)])
        #expect(batch.ids.isEmpty && batch.rejected.map(\.error) == [.alreadyQueued(DownloadTestFolder.url)])
        origin.change { $0.isHeld = false }
        #expect(await manager.progress(for: id).last()?.state == .completed)
        let again = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: again).last()?.state == .completed)
        await place.end(manager)
    }

    @Test("SIM11: a URL set by replaceURL can be enqueued again when the download is complete")
    func replacedURL() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        let (manager, id) = try await place.begun(origin)
        let signed = try url("files/data.bin?signed=1")
        try manager.replaceURL(with: signed, id: id)
        #expect(throws: DownloadError.alreadyQueued(signed)) { try manager.enqueue(url: signed) }
        origin.change { $0.isHeld = false }
        #expect(await manager.progress(for: id).last()?.state == .completed)
        let again = try manager.enqueue(url: signed)
        #expect(await manager.progress(for: again).last()?.state == .completed)
        await place.end(manager)
    }

    @Test("SIM12: a paused download resumes at its offset, also in another process")
    func pauses() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        let (first, id) = try await place.begun(origin)
        first.pause(id: id)
        await first.core.settled()
        #expect(first.tasks.first?.state == .paused)
        await place.end(first)
        let second = try place.manager(origin)
        let task = try #require(second.tasks.first)
        #expect(task.id == id && task.state == .paused && task.downloadedBytes == 16_384)
        origin.change { $0.isHeld = false }
        try second.resume(id: id)
        let last = try #require(await second.progress(for: id).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        #expect(origin.requests.last?[.range] == "bytes=16384-199999")
        #expect(origin.requests.last?[.ifRange] == "\"v1\"")
        await place.end(second)
    }

    @Test("SIM13: 404 fails at once and leaves no file; a lost connection resumes with the bytes on disk")
    func failures() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.fault = .always(404) }
        let manager = try place.manager(origin)
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        let last = try #require(await manager.progress(for: id).last())
        #expect(last.state == .failed && last.error == .httpStatus(404) && last.localURL == nil)
        #expect(origin.requests.count == 1)
        origin.change { state in
            state.fault = .nothing
            state.breaksAfter = 60_000
        }
        try manager.resume(id: id)
        let whole = try #require(await manager.progress(for: id).last())
        #expect(whole.state == .completed)
        #expect(try Array(Data(contentsOf: #require(whole.localURL))) == bytes)
        #expect(origin.requests.suffix(3).allSatisfy { $0[.range] != nil })
        await place.end(manager)
    }

    @Test("A failed download leaves no file at its destination, and can be resumed")
    func nothing() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        origin.change { $0.fault = .always(404) }
        let manager = try place.manager(origin)
        let out = place.folder.appendingPathComponent("out")
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.destination = out
        let id = try manager.enqueue(request)
        #expect(await manager.progress(for: id).last()?.error == .httpStatus(404))
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).isEmpty)
        origin.change { $0.fault = .nothing }
        try manager.resume(id: id)
        #expect(await manager.progress(for: id).last()?.state == .completed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).count == 1)
        await place.end(manager)
    }

    @Test("SIM15: insufficient disk space throws with the number of bytes required")
    func space() throws {
        let place = DownloadTestFolder()
        let manager = try place.manager(FakeOrigin([])) { $0.minFreeDiskSpace = .max / 2 }
        #expect { try manager.enqueue(url: DownloadTestFolder.url) } throws: { error in
            guard case .insufficientDiskSpace(let required, let available)? = error as? DownloadError else {
                return false
            }
            return required >= .max / 2 && available > 0
        }
        #expect(manager.enqueueBatch([DownloadTestFolder.url]).isEmpty)
    }

    @Test("SIM16: a URL with ../ stays inside the folder; SIM17: detected file types add an extension")
    func names() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 100))
        let manager = try place.manager(origin)
        let evil = try #require(await manager.download(url: try url("..%2F..%2Fevil")).last()?.localURL)
        #expect(evil.path.hasPrefix(place.folder.path + "/"))
        #expect(evil.lastPathComponent == "evil.png")
        let photo = try #require(await manager.download(url: try url("x"), fileName: "photo").last()?.localURL)
        #expect(photo.lastPathComponent == "photo.png")
        let spaced = try #require(await manager.download(url: try url("my%20photo.jpg")).last()?.localURL)
        #expect(spaced.lastPathComponent == "my photo.jpg")
        await place.end(manager)
    }

    @Test("Internal file names are not used for downloads", arguments: [".journal", ".partial", ".corrupt"])
    func ownNames(name: String) async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(50_000)
        let manager = try place.manager(FakeOrigin(bytes))
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: name)
        request.keepsFileName = true
        request.collision = .overwrite
        let file = try #require(await manager.download(request).last()?.localURL)
        #expect(file.lastPathComponent.hasPrefix(name.dropFirst()))
        #expect(try Array(Data(contentsOf: file)) == bytes)
        await place.end(manager)
        let next = try place.manager(FakeOrigin(bytes))
        #expect(next.tasks.map(\.state) == [.completed])
        await place.end(next)
    }

    @Test("SIM22: removeCompleted keeps the files; maxQueueSize limits the queue")
    func lists() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        let manager = try place.manager(origin) { config in
            config.maxQueueSize = 1
            config.maxConcurrentDownloads = 1
        }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        manager.pause(id: id)
        #expect(manager.tasks.first?.state == .completed)
        manager.removeCompleted()
        #expect(manager.tasks.isEmpty)
        #expect(FileManager.default.fileExists(atPath: file.path))
        origin.change { $0.isHeld = true }
        try manager.enqueue(url: try url("1"))
        try manager.enqueue(url: try url("2"))
        #expect(throws: DownloadError.queueFull(limit: 1)) { try manager.enqueue(url: try url("3")) }
        await place.end(manager)
    }

    @Test("A second manager of the folder throws directoryInUse; after the first it lists the completed downloads")
    func folders() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        do {
            let manager = try place.manager(origin)
            #expect(throws: DownloadError.directoryInUse(place.folder.path)) { try place.manager(origin) }
            let id = try manager.enqueue(url: DownloadTestFolder.url)
            _ = await manager.progress(for: id).last()
            await place.end(manager)
        }
        let next = try place.manager(origin)
        #expect(next.tasks.map(\.state) == [.completed])
        #expect(next.tasks.first?.fileName == "data.bin")
        await place.end(next)
    }

    @Test("Extreme limits do no harm")
    func extremes() async throws {
        let place = DownloadTestFolder()
        let manager = try place.manager(FakeOrigin(DownloadTestFolder.bytes(100_000))) { config in
            config.minimumSegmentSize = .max
            config.segments = .max
            config.timeoutInterval = -.infinity
            config.agingInterval = .nan
        }
        #expect(try await manager.download(url: DownloadTestFolder.url).last()?.state == .completed)
        var request = DownloadRequest(url: try url("other"))
        request.size = .max
        #expect(throws: DownloadError.self) { try manager.enqueue(request) }
        await place.end(manager)
    }

    @Test("Each of the ten lifecycle events is logged, and the log level limits them")
    func log() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + DownloadTestFolder.bytes(50_000))
        let box = LogBox()
        func run(_ level: LogLevel) async throws {
            let log = NetworkLog(level, to: NetworkLogger([.logger(box.logger)]), rules: .standard)
            let manager = try place.manager(origin, log: log)
            origin.change { state in
                state.isHeld = true
                state.fault = .once(503)
            }
            let id = try manager.enqueue(url: DownloadTestFolder.url)
            for await progress in manager.progress(for: id) where progress.downloadedBytes > 0 { break }
            manager.pause(id: id)
            await manager.core.settled()
            origin.change { $0.isHeld = false }
            try manager.resume(id: id)
            #expect(await manager.progress(for: id).last()?.state == .completed)
            manager.removeCompleted()
            origin.change { $0.fault = .always(404) }
            let failed = try manager.enqueue(url: DownloadTestFolder.url)
            #expect(await manager.progress(for: failed).last()?.error == .httpStatus(404))
            let stream = manager.progress(for: failed)
            manager.cancel(id: failed)
            _ = await stream.last()
            await place.end(manager)
        }
        try await run(.standard)
        let lifecycle: Set = [
            "enqueued", "started", "paused", "resumed", "response", "completed", "retry", "failed", "cancelled", "mime",
        ]
        #expect(Set(box.texts) == Set(lifecycle.map { "download \($0)" }))
        box.clear()
        try await run(.verbose)
        #expect(Set(box.texts) == Set(lifecycle.union(["progress"]).map { "download \($0)" }))
        box.clear()
        for level in [LogLevel.failures, .minimal] {
            try await run(level)
            #expect(box.texts == ["download failed"])
            box.clear()
        }
        try await run(.none)
        #expect(box.texts == [])
    }

    @Test("cancel() leaves no file behind")
    func cancels() async throws {
        let place = DownloadTestFolder()
        let (manager, id) = try await place.begun(FakeOrigin(DownloadTestFolder.bytes(100_000)))
        let stream = manager.progress(for: id)
        let events = manager.events
        manager.cancel(id: id)
        #expect(await stream.last()?.state == .cancelled)
        for await event in events { if case .removed = event { break } }
        #expect(manager.tasks.isEmpty)
        #expect(throws: DownloadError.taskNotFound(id)) { try manager.resume(id: id) }
        await place.end(manager)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [".lock"])
    }

    @Test("Leaving the progress loop pauses the download")
    func leaving() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin)
        let states: DownloadStates
        do {
            let stream = try manager.download(url: DownloadTestFolder.url)
            states = manager.states(for: try #require(manager.tasks.first?.id))
            for await progress in stream where progress.downloadedBytes > 0 { break }
        }
        for await state in states where state == .paused { break }
        #expect(manager.tasks.first?.state == .paused)
        await place.end(manager)
    }
}
