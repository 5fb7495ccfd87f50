// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

/// Changes of requests: concurrent ones, and ones that cannot be written to disk.
@Suite(.timeLimit(.minutes(5)))
struct DownloadRevisingTests {
    private let place = DownloadTestFolder()

    /// Returns the current journal of a download.
    private func journal(_ id: UUID) throws -> DownloadJournal {
        let path = DownloadFolder(in: place.folder.path, id: id).journal
        return try #require(try JournalFile.open(path)).file.journal
    }

    @Test("Concurrent changes of one request are all applied, and recorded in the journal")
    func together() async throws {
        let (manager, id) = try await place.begun(FakeOrigin(DownloadTestFolder.bytes(100_000)))
        manager.pause(id: id)
        await manager.core.settled()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try manager.revise(id: id) { $0.mirrors.append("https://mirror.test/\(number)") }
                }
                group.addTask { try manager.setPriority(number.isMultiple(of: 2) ? .high : .low, id: id) }
                group.addTask { manager.updateConfiguration { $0.maxQueueSize += 1 } }
            }
            try await group.waitForAll()
        }
        let priority = try #require(manager.tasks.first?.priority)
        var size = 0
        manager.updateConfiguration { size = $0.maxQueueSize }
        #expect(size == 140)
        await place.end(manager)
        let request = try journal(id).beginning.request
        #expect(Set(request.mirrors) == Set((0..<40).map { "https://mirror.test/\($0)" }))
        #expect(request.mirrors.count == 40)
        #expect(request.priority == priority)
    }

    @Test("A change that cannot be written to the journal is not applied")
    func unwritten() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))
        let (manager, id) = try await place.begun(origin)
        manager.pause(id: id)
        await manager.core.settled()
        let (path, aside) = (DownloadFolder(in: place.folder.path, id: id).journal, place.folder.path + "/aside")
        // In place of a full disk: the user who runs the tests may write every file.
        try DownloadFileSystem.replace(path, with: aside)
        try DownloadFileSystem.makeFolder(path)
        let signed = try #require(URL(string: "https://origin.test/files/data.bin?signed=1"))
        #expect(throws: DownloadError.self) { try manager.replaceURL(with: signed, id: id) }
        #expect(manager.tasks.first?.url == DownloadTestFolder.url)
        #expect(throws: DownloadError.alreadyQueued(DownloadTestFolder.url)) {
            try manager.enqueue(url: DownloadTestFolder.url)
        }
        DownloadFileSystem.removeFolder(path)
        try DownloadFileSystem.replace(aside, with: path)
        try manager.replaceURL(with: signed, id: id)
        #expect(manager.tasks.first?.url == signed)
        await place.end(manager)
        #expect(try journal(id).beginning.request.url == signed.absoluteString)
    }

    @Test("A change that cannot be written and has no caller to throw to is reported as an event")
    func told() async throws {
        let (manager, id) = try await place.begun(FakeOrigin(DownloadTestFolder.bytes(100_000)))
        manager.pause(id: id)
        await manager.core.settled()
        let (path, aside) = (DownloadFolder(in: place.folder.path, id: id).journal, place.folder.path + "/aside")
        let events = manager.events
        try DownloadFileSystem.replace(path, with: aside)
        try DownloadFileSystem.makeFolder(path)
        try manager.setPriority(.high, id: id)
        for await event in events {
            guard case .error(id, let message) = event else { continue }
            #expect(message.contains(path))
            break
        }
        await place.end(manager)
    }

    @Test("A partial file that cannot be moved stays at the old destination, and the download resumes there")
    func unmoved() async throws {
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
        let old = place.folder.appendingPathComponent("old")
        request.destination = old
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try #require(await manager.download(request).last()).taskId
        try Data([1]).write(to: place.folder.appendingPathComponent("file"))
        request.destination = place.folder.appendingPathComponent("file/new")
        #expect(throws: DownloadError.self) { try manager.core.revise(id, moves: true) { $0 = request } }
        origin.change { $0.breaksAfter = nil }
        try manager.resume(id: id)
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        #expect(file.path == old.path + "/a.bin")
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=100000-") == true)
        await place.end(manager)
    }

    @Test("The partial file of the journal is moved, and replaces an older copy of a killed process")
    func copied() async throws {
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
        request.destination = place.folder.appendingPathComponent("old")
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try #require(await manager.download(request).last()).taskId
        let new = place.folder.appendingPathComponent("new")
        request.destination = new
        try DownloadFileSystem.makeFolder(new.path)
        // As long as the whole file, like one with preallocated space.
        let copy = DownloadFolder(in: place.folder.path, id: id).partial(for: request)
        try Data(count: bytes.count).write(to: URL(filePath: copy))
        try manager.core.revise(id, moves: true) { $0 = request }
        origin.change { $0.breaksAfter = nil }
        try manager.resume(id: id)
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        #expect(file.path == new.path + "/a.bin")
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=100000-") == true)
        await place.end(manager)
    }

    /// A call during the move of a partial file to another folder.
    enum Meanwhile: CaseIterable { case resume, pause, cancel, close }

    @Test(
        "resume, pause, cancel and close during the move of a partial file wait for its end",
        arguments: Meanwhile.allCases)
    func between(_ call: Meanwhile) async throws {
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
        request.destination = place.folder.appendingPathComponent("old")
        var manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try #require(await manager.download(request).last()).taskId
        origin.change { $0.breaksAfter = nil }
        let folder = DownloadFolder(in: place.folder.path, id: id)
        let old = folder.partial(for: request)
        request.destination = place.folder.appendingPathComponent("new")
        let new = folder.partial(for: request)
        do throws(DownloadError) {
            try manager.core.revise(id, moves: true) { [manager, request] asked in
                // The move begins when this closure has returned.
                switch call {
                case .resume: try? manager.resume(id: id)
                case .pause:
                    try? manager.resume(id: id)
                    manager.pause(id: id)
                case .cancel: manager.cancel(id: id)
                case .close: manager.core.close()
                }
                asked = request
            }
            #expect(call != .close)
        } catch {
            #expect(call == .close && error == .taskNotFound(id))
        }
        switch call {
        case .resume: break
        case .pause:
            #expect(manager.tasks.map(\.state) == [.paused])
            #expect(!DownloadFileSystem.exists(old) && DownloadFileSystem.length(of: new) == 100_000)
            try manager.resume(id: id)
        case .cancel:
            await place.end(manager)
            #expect(manager.tasks.isEmpty)
            #expect(![old, new, folder.journal].contains { DownloadFileSystem.exists($0) })
            return
        case .close:
            await manager.core.settled()
            #expect(DownloadFileSystem.length(of: old) == 100_000 && !DownloadFileSystem.exists(new))
            manager = try place.manager(origin)
            try manager.resume(id: id)
        }
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        #expect(file.path == place.folder.path + (call == .close ? "/old/a.bin" : "/new/a.bin"))
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.requests.last?[.range]?.hasPrefix("bytes=100000-") == true)
        await place.end(manager)
    }

    /// True if there is a memory disk besides the disk of the test folders.
    private static var hasTwoDisks: Bool {
        let here = FileManager.default.temporaryDirectory.path
        return DownloadFileSystem.exists("/dev/shm")
            && DownloadFileSystem.disk(of: "/dev/shm") != DownloadFileSystem.disk(of: here)
    }

    @Test("A partial file moved from another disk is complete, and no draft is left", .enabled(if: hasTwoDisks))
    func disks() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let bytes = DownloadTestFolder.bytes(3_000_000)
        let old = "/dev/shm/\(UUID().uuidString)"
        defer { try? DownloadFileSystem.remove(old) }
        try Data(bytes).write(to: URL(filePath: old))
        let new = place.folder.path + "/new"
        try Data("half".utf8).write(to: URL(filePath: new))
        try DownloadFileSystem.take(old, as: new)
        #expect(try Array(Data(contentsOf: URL(filePath: new))) == bytes)
        #expect(!DownloadFileSystem.exists(old))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == ["new"])
    }

    /// The name of the request, its later name and the time of the change, and the name of the file.
    struct Naming: Sendable, CustomTestStringConvertible {
        enum Moment: CaseIterable { case running, paused, restarted }

        let first: String?
        let then: String?
        let moment: Moment
        let name: String

        var testDescription: String { "\(first ?? "none"), \(then ?? "none") while \(moment)" }
    }

    private static let namings: [Naming] =
        Naming.Moment.allCases.flatMap { moment in
            [
                Naming(first: "a.bin", then: "b.bin", moment: moment, name: "b.bin"),
                Naming(first: nil, then: "b.bin", moment: moment, name: "b.bin"),
            ]
        } + [Naming(first: "a.bin", then: nil, moment: .paused, name: "told.bin")]

    @Test("The last requested name is that of the file, also for a resumed download", arguments: namings)
    func names(_ naming: Naming) async throws {
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { state in
            state.isHeld = true
            state.fields[.contentDisposition] = "attachment; filename=told.bin"
        }
        var manager = try place.manager(origin)
        let id = try manager.enqueue(url: DownloadTestFolder.url, fileName: naming.first)
        for await progress in manager.progress(for: id) where progress.downloadedBytes > 0 { break }
        if naming.moment != .running {
            manager.pause(id: id)
            await manager.core.settled()
        }
        if naming.moment == .restarted {
            await place.end(manager)
            manager = try place.manager(origin)
        }
        try manager.revise(id: id) { $0.fileName = naming.then }
        if let then = naming.then { #expect(manager.tasks.first?.fileName == then) }
        origin.change { $0.isHeld = false }
        if naming.moment != .running { try manager.resume(id: id) }
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        #expect(file.lastPathComponent == naming.name)
        #expect(manager.tasks.first?.fileName == naming.name)
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect((origin.requests.last?[.range] != nil) == (naming.moment != .running))
        await place.end(manager)
    }
}
