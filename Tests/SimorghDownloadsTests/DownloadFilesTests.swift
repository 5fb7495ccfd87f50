// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadFilesTests {
    private let place = DownloadTestFolder()

    private func journal(_ name: String = ".journal") throws -> JournalFile {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let beginning = JournalRecord.Beginning(
            id: UUID(), request: DownloadRequest(url: DownloadTestFolder.url), date: 0, position: 0)
        return try JournalFile.create(place.folder.path + "/" + name, beginning: beginning)
    }

    @Test("Bytes written in any order are stored at their offsets, hashed in file order, and recorded in the journal")
    func writer() async throws {
        let journal = try journal()
        let bytes = DownloadTestFolder.bytes(300_000)
        let file = try PartialFile(place.folder.path + "/.partial")
        let writer = DownloadFileWriter(file, journal: journal, hashing: [.sha256], time: .system)
        var random = SeededNumbers(7)
        for start in stride(from: 0, to: bytes.count, by: 10_000).shuffled(using: &random) {
            try await writer.write(
                [Data(bytes[start..<start + 4000]), Data(bytes[start + 4000..<start + 10_000])], at: Int64(start))
        }
        let digests = try await writer.finish(length: Int64(bytes.count))
        var hasher = FileHasher([.sha256])
        bytes.withUnsafeBytes { hasher.update($0) }
        #expect(digests == hasher.digests)
        #expect(try Array(Data(contentsOf: URL(filePath: file.path))) == bytes)
        #expect(journal.journal.ranges.covers(Int64(bytes.count)))
    }

    @Test("A digest requested at the end is computed from the file")
    func lateHash() async throws {
        let journal = try journal()
        let writer = DownloadFileWriter(
            try PartialFile(place.folder.path + "/.partial"), journal: journal, hashing: [.md5], time: .system)
        try await writer.write([Data("abc".utf8)], at: 0)
        #expect(
            try await writer.finish(length: 3, hashing: [.sha256, .md5]).map(\.description) == [
                "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "md5=900150983cd24fb0d6963f7d28e17f72",
            ])
    }

    @Test("A cancelled finish() stops hashing, and a later one completes the hash")
    func cancelledHash() async throws {
        let journal = try journal()
        let file = try PartialFile(place.folder.path + "/.partial")
        let length: Int64 = 40 * 1024 * 1024
        try file.truncate(to: length)
        try journal.append(.ranges([0, length]))
        let writer = DownloadFileWriter(file, journal: journal, hashing: [.sha256], time: .system)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await writer.finish(length: length)
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let whole = try #require(try DownloadFileSystem.digest(of: file.path, using: .sha256))
        #expect(try await writer.finish(length: length) == [whole])
        // The hash of a digest requested at the end has not been started.
        let other = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await writer.finish(length: length, hashing: [.sha512])
        }
        await #expect(throws: CancellationError.self) { try await other.value }
        #expect(writer.ranges.covers(length))
    }

    @Test("Bytes of an earlier run are hashed before new ones are written")
    func prefix() async throws {
        let journal = try journal()
        let path = place.folder.path + "/.partial"
        try Data("abc".utf8).write(to: URL(filePath: path))
        try journal.append(.ranges([0, 3]))
        let writer = DownloadFileWriter(try PartialFile(path), journal: journal, hashing: [.sha256], time: .system)
        try await writer.hashExistingBytes()
        try await writer.write([Data("def".utf8)], at: 3)
        #expect(
            try await writer.finish(length: 6).map(\.description)
                == ["sha-256=bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721"])
    }

    @Test(
        "A write to a full disk throws, and its bytes are not recorded as written",
        .enabled(if: DownloadFileSystem.exists("/dev/full")))
    func full() async throws {
        let journal = try journal()
        let writer = DownloadFileWriter(try PartialFile("/dev/full"), journal: journal, hashing: [], time: .system)
        try await writer.write([Data([1, 2, 3])], at: 0)
        await #expect {
            try await writer.checkpoint()
        } throws: { error in
            guard case .insufficientDiskSpace? = error as? DownloadError else { return false }
            return true
        }
        await #expect(throws: DownloadError.self) { try await writer.write([Data([4])], at: 3) }
        #expect(writer.ranges.count == 0 && journal.journal.ranges.count == 0)
    }

    @Test("After a failed fsync, unsynced bytes do not count, later checkpoints throw, and writes are refused")
    func unsynced() async throws {
        let journal = try journal()
        // It accepts every write, and cannot sync.
        let file = try PartialFile("/dev/null")
        guard (try? file.sync()) == nil else { return }
        let writer = DownloadFileWriter(file, journal: journal, hashing: [], time: .system)
        try journal.append(.ranges([0, 3]))
        try await writer.write([Data([1, 2, 3])], at: 3)
        for _ in 0..<2 { await #expect(throws: DownloadError.self) { try await writer.checkpoint() } }
        await #expect(throws: DownloadError.self) { try await writer.write([Data([4])], at: 6) }
        #expect(writer.ranges.ends == [0, 3] && journal.journal.ranges.ends == [0, 3])
        #expect(try #require(try JournalFile.open(journal.path)).file.journal.recordedRanges.ends == [0, 3])
    }

    @Test(
        "PartialFile.write stores chunks of all sizes contiguously, in any number", arguments: [0, 1, 2, 16, 17, 100])
    func chunks(count: Int) throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let file = try PartialFile(place.folder.path + "/.partial")
        let bytes = DownloadTestFolder.bytes(count * (count + 1) / 2 + 3)
        var chunks: [Data] = []
        var start = 3
        // Empty chunks, small ones with inline storage, and slices of others.
        for length in 0...count {
            let end = start + length
            chunks.append(length.isMultiple(of: 2) ? Data(bytes[start..<end]) : Data(bytes)[start..<end])
            start = end
        }
        try file.write([Data(bytes.prefix(3))], at: 0)
        try file.write(chunks, at: 3)
        #expect(try Array(Data(contentsOf: URL(filePath: file.path))) == bytes)
    }

    @Test("A full disk stores none of several chunks", .enabled(if: DownloadFileSystem.exists("/dev/full")))
    func fullForSeveral() throws {
        let file = try PartialFile("/dev/full")
        #expect {
            try file.write([Data([1]), Data(), Data([2, 3])], at: 0)
        } throws: { error in
            guard case .insufficientDiskSpace(let required, _)? = error as? DownloadError else { return false }
            return required == 3 && "\(error)".hasPrefix("the disk or quota is full: at least 3 bytes are needed, ")
        }
        try file.write([], at: 0)
        try file.write([Data()], at: 0)
    }

    @Test("DownloadFileSystem.isSame compares all bytes, and throws cancelled if its caller cancels")
    func same() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let (first, second) = (place.folder.path + "/first", place.folder.path + "/second")
        var bytes = DownloadTestFolder.bytes(2 * 1024 * 1024 + 5)
        for path in [first, second] { try Data(bytes).write(to: URL(filePath: path)) }
        #expect(try DownloadFileSystem.isSame(first, as: second))
        #expect(throws: DownloadError.cancelled) { try DownloadFileSystem.isSame(first, as: second, unless: { true }) }
        bytes[bytes.count - 1] ^= 1
        try Data(bytes).write(to: URL(filePath: second))
        #expect(try !DownloadFileSystem.isSame(first, as: second))
        try Data(bytes.dropLast()).write(to: URL(filePath: second))
        #expect(try !DownloadFileSystem.isSame(first, as: second, unless: { true }))
    }

    @Test("DownloadFileSystem.move(_:toFree:) does not replace an existing file")
    func names() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let (old, new) = (place.folder.path + "/old", place.folder.path + "/new")
        for path in [old, new] { try Data(path.utf8).write(to: URL(filePath: path)) }
        #expect(try !DownloadFileSystem.move(old, toFree: new))
        #expect(try Data(contentsOf: URL(filePath: new)) == Data(new.utf8))
        try DownloadFileSystem.remove(new)
        symlink("nowhere", new)
        #expect(try !DownloadFileSystem.move(old, toFree: new))
        try DownloadFileSystem.remove(new)
        #expect(try DownloadFileSystem.move(old, toFree: new))
        #expect(try Data(contentsOf: URL(filePath: new)) == Data(old.utf8))
        #expect(!DownloadFileSystem.exists(old))
    }

    @Test("PartialFile does not follow a symbolic link")
    func links() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let target = place.folder.path + "/target"
        try Data("mine".utf8).write(to: URL(filePath: target))
        symlink(target, place.folder.path + "/.partial")
        #expect(throws: DownloadError.self) { try PartialFile(place.folder.path + "/.partial") }
        #expect(try Data(contentsOf: URL(filePath: target)) == Data("mine".utf8))
    }

    @Test("A journal that grew is compacted, with the same content")
    func compacts() throws {
        let journal = try journal()
        for end in 1...5000 { try journal.append(.written([0, Int64(end)], boot: "here")) }
        try journal.append(.named("a"))
        let length = try #require(DownloadFileSystem.length(of: journal.path))
        #expect(length < 128 * 1024)
        let opened = try #require(try JournalFile.open(journal.path))
        #expect(!opened.isDamaged && opened.file.journal.name == "a")
        #expect(opened.file.journal.recordedRanges.count == 5000)
        // Unsynced bytes count only in the same boot session.
        opened.file.adopt("elsewhere")
        #expect(opened.file.journal.ranges.count == 0)
        journal.adopt("here")
        #expect(journal.journal.ranges.count == 5000)
    }

    @Test("A journal that cannot be compacted keeps growing, without losing a record")
    func grows() throws {
        // A temporary file beside it would have a name that is too long.
        let journal = try journal(String(repeating: "j", count: 250))
        for end in 1...5000 { try journal.append(.written([0, Int64(end)], boot: "here")) }
        #expect(try #require(DownloadFileSystem.length(of: journal.path)) > 128 * 1024)
        let opened = try #require(try JournalFile.open(journal.path))
        #expect(!opened.isDamaged && opened.file.journal.recordedRanges.count == 5000)
    }

    /// A flag.
    private final class Switch: Sendable {
        private let state = Mutex(false)

        var isOn: Bool { state.withLock { $0 } }

        func set(_ isOn: Bool) { state.withLock { $0 = isOn } }
    }

    @Test("Journal: a record that cannot be synced is removed, also after a kill, and further records are refused")
    func unkept() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let beginning = JournalRecord.Beginning(
            id: UUID(), request: DownloadRequest(url: DownloadTestFolder.url), date: 0, position: 0)
        let (path, isBroken, isUndone) = (place.folder.path + "/.journal", Switch(), Switch())
        let journal = try JournalFile.create(path, beginning: beginning) { !isBroken.isOn && FileSync.data($0) }
        // Reads the journal as the next process does.
        func read() throws -> DownloadJournal { try #require(try JournalFile.open(path)).file.journal }
        try journal.append(.named("first"), isSynced: true)
        isBroken.set(true)
        #expect(throws: DownloadError.self) { try journal.append(.named("second"), isSynced: true) }
        #expect(throws: DownloadError.self) {
            try journal.append {
                JournalRecord.named("third")
            } undo: {
                isUndone.set(true)
            }
        }
        #expect(isUndone.isOn)
        #expect(journal.journal.name == "first")
        #expect(try read() == journal.journal)
        isBroken.set(false)
        try journal.append(.state(.paused, attempt: 1, message: nil))
        #expect(journal.journal.name == "first" && journal.journal.state == .paused)
        #expect(try read() == journal.journal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == [".journal"])
    }

    @Test("A failed sync of the journal is reported, and repeated before the next record")
    func unsyncedJournal() async throws {
        let manager = try place.manager(FakeOrigin(DownloadTestFolder.bytes(10)))
        let (path, isBroken, events) = (place.folder.path + "/.journal", Switch(), manager.events)
        let beginning = JournalRecord.Beginning(
            id: UUID(), request: DownloadRequest(url: DownloadTestFolder.url), date: 0, position: 0)
        let journal = try JournalFile.create(path, beginning: beginning) { !isBroken.isOn && FileSync.data($0) }
        isBroken.set(true)
        manager.core.syncLater(journal)
        for await event in events {
            guard case .error(beginning.id, let message) = event else { continue }
            #expect(message.contains("synced"))
            break
        }
        #expect(throws: DownloadError.self) { try journal.append(.named("a")) }
        isBroken.set(false)
        let lasts = journal.sync()
        #expect(lasts)
        try journal.append(.named("a"))
        #expect(try #require(try JournalFile.open(path)).file.journal.name == "a")
        try DownloadFileSystem.remove(path)
        let isGone = journal.sync()
        #expect(isGone)
        await place.end(manager)
    }

    @Test("DownloadFileSystem.syncAll syncs the whole disk of an existing folder")
    func wholeDisk() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        #expect(DownloadFileSystem.syncAll(of: place.folder.path))
        #expect(!DownloadFileSystem.syncAll(of: place.folder.path + "/none"))
    }

    @Test("A later state does not reopen a finished download")
    func late() throws {
        let journal = try journal()
        try journal.append(.finished(file: "a", size: 3, date: 0))
        try journal.append(.state(.paused, attempt: 0, message: nil))
        #expect(try #require(try JournalFile.open(journal.path)).file.journal.state == .completed)
    }

    @Test("Waiting downloads keep no file open, and a journal that cannot be read now is left for the next start")
    func descriptors() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(10))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin) { config in
            config.maxConcurrentDownloads = 1
            config.maxQueueSize = 1000
        }
        let urls = try (0..<300).map { try #require(URL(string: "https://origin.test/\($0)")) }
        #expect(manager.enqueueBatch(urls).count == 300)
        manager.pauseAll()
        await manager.core.settled()
        #expect(DownloadStressTests.openFiles(below: place.folder.path).filter { !$0.hasSuffix(".lock") }.count < 10)
        await place.end(manager)
        // In place of a journal without read permission: the user who runs the tests may read every file.
        let folder = DownloadFolder(in: place.folder.path, id: manager.tasks[0].id)
        try DownloadFileSystem.remove(folder.journal)
        try DownloadFileSystem.makeFolder(folder.journal)
        let next = try place.manager(origin)
        #expect(next.tasks.count == 299)
        #expect(!DownloadFileSystem.exists(folder.journal + ".damaged"))
        await place.end(next)
    }

    @Test("Reserved disk space counts until the download is removed, and sums do not overflow")
    func space() throws {
        try DownloadFileSystem.makeFolder(place.folder.path)
        let space = DiskSpaceReservations()
        let available = try #require(DownloadFileSystem.available(at: place.folder.path))
        let (a, b) = (UUID(), UUID())
        #expect(space.refusal(for: a, bytes: available / 2, at: place.folder.path, reserve: 0) == nil)
        #expect(space.refusal(for: b, bytes: available / 4 * 3, at: place.folder.path, reserve: 0) != nil)
        space.updateNeed(of: a, to: 0)
        #expect(space.refusal(for: b, bytes: available / 2, at: place.folder.path, reserve: 0) == nil)
        #expect(space.refusal(for: a, bytes: .max, at: place.folder.path, reserve: .max) != nil)
    }

    @Test("DownloadFileSystem.replaceFile does not replace a folder")
    func devices() throws {
        try DownloadFileSystem.makeFolder(place.folder.path + "/folder")
        let old = place.folder.path + "/old"
        try Data([1]).write(to: URL(filePath: old))
        #expect(try !DownloadFileSystem.replaceFile(old, with: place.folder.path + "/folder"))
        #expect(try DownloadFileSystem.replaceFile(old, with: place.folder.path + "/new"))
    }

    @Test("DownloadFolderLock: a released folder cannot be locked twice")
    func locks() throws {
        let path = place.folder.path
        let first = try DownloadFolderLock(path)
        #expect(throws: DownloadError.directoryInUse(path)) { try DownloadFolderLock(path) }
        first.release(removingFolder: true)
        #expect(!DownloadFileSystem.exists(path))
        let second = try DownloadFolderLock(path)
        #expect(throws: DownloadError.directoryInUse(path)) { try DownloadFolderLock(path) }
        second.release()
    }

    @Test("After a crash between moving the file and recording it, nothing is fetched again")
    func placed() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        let id = UUID()
        let folder = DownloadFolder(in: place.folder.path, id: id)
        try DownloadFileSystem.makeFolder(folder.path)
        let beginning = JournalRecord.Beginning(
            id: id, request: DownloadRequest(url: DownloadTestFolder.url), date: 0, position: 0)
        do {
            let journal = try JournalFile.create(folder.journal, beginning: beginning)
            let file = folder.path + "/data.bin"
            try Data(DownloadTestFolder.bytes(1000)).write(to: URL(filePath: file))
            try journal.append(
                .entity(RemoteFileVersion(url: beginning.request.url, fields: [.eTag: "\"v1\""], total: 1000)))
            try journal.append(.ranges([0, 1000]))
            try journal.append(.state(.downloading, attempt: 0, message: nil))
            try journal.append(
                .placing(file: "data.bin", size: 1000, number: try #require(DownloadFileSystem.inode(of: file))))
        }
        let manager = try place.manager(origin)
        let last = try #require(await manager.progress(for: id).last())
        #expect(last.state == .completed && last.localURL?.lastPathComponent == "data.bin")
        #expect(origin.requests.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [".journal", "data.bin"])
        await place.end(manager)
    }
}
