// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadDigestFlowTests {
    @Test(
        "A digest in the trailers is verified", arguments: ["Repr-Digest", "Content-Digest"], [true, false])
    func trailers(name: String, isRight: Bool) async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        let field = try #require(HTTPField.Name(name))
        origin.change { state in
            state.fault = .chunked
            state.trailers = [field: FakeOrigin.digest(bytes, isWrong: !isRight)]
        }
        let manager = try place.manager(origin)
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(last.state == (isRight ? .completed : .failed))
        if !isRight {
            guard case .digestMismatch = last.error else {
                Issue.record("unexpected end: \(last)")
                return
            }
        }
        await place.end(manager)
    }

    @Test("A Content-Digest in the trailers of a range that does not match means that the file changed")
    func partTrailers() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        let digest = try #require(HTTPField.Name("Content-Digest"))
        origin.change { $0.breaksAfter = 50_000 }
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: id).last()?.state == .failed)
        origin.change { state in
            state.breaksAfter = nil
            state.fields[.trailer] = "Content-Digest"
            state.trailers = [digest: FakeOrigin.digest(bytes, isWrong: true)]
        }
        try manager.resume(id: id)
        guard case .digestMismatch = await manager.progress(for: id).last()?.error else {
            Issue.record("the digest of the range was ignored")
            return
        }
        // The range, the whole file in its place, and the whole file once more.
        #expect(origin.requests.suffix(3).map { $0[.range] != nil } == [true, false, false])
        await place.end(manager)
    }

    @Test("A digest of the whole file is verified in Repr-Digest and Content-Digest; legacy fields only if accepted")
    func serverDigests() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(1000)
        let right = FakeOrigin.digest(bytes)
        let wrong = FakeOrigin.digest(bytes, isWrong: true)
        let old = wrong.replacing(":", with: "").replacing("sha-256", with: "SHA-256")
        let cases: [(String, String, Bool, DownloadState)] = [
            ("Repr-Digest", right, false, .completed), ("Repr-Digest", wrong, false, .failed),
            ("Content-Digest", right, false, .completed), ("Content-Digest", wrong, false, .failed),
            ("Digest", old, false, .completed), ("Digest", old, true, .failed),
            ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==", false, .completed),
            ("Content-MD5", "1B2M2Y8AsgTpgAmY7PhCfg==", true, .failed),
        ]
        for (name, value, accepts, state) in cases {
            let origin = FakeOrigin(bytes)
            let field = try #require(HTTPField.Name(name))
            origin.change { $0.fields[field] = value }
            let manager = try place.manager(origin) { $0.acceptsLegacyDigests = accepts }
            #expect(try await manager.download(url: DownloadTestFolder.url).last()?.state == state, "\(name): \(value)")
            manager.removeCompleted()
            for task in manager.tasks { manager.cancel(id: task.id) }
            await place.end(manager)
        }
    }

    @Test("A digest mismatch moves the file aside, retries once, and then fails")
    func digests() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(Array("abc".utf8))
        let manager = try place.manager(origin)
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.digest = DownloadDigest("sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try #require(await manager.download(request).last()).state == .completed)
        request.digest = DownloadDigest("sha-256=" + String(repeating: "00", count: 32))
        let last = try #require(await manager.download(request).last())
        #expect(last.state == .failed)
        guard case .digestMismatch = last.error else {
            Issue.record("another error")
            return
        }
        #expect(origin.requests.count == 3)
        // The corrupt file is kept until the download is cancelled or completes.
        let corrupt = DownloadFolder(in: place.folder.path, id: last.taskId).corrupt
        #expect(try Data(contentsOf: URL(filePath: corrupt)) == Data("abc".utf8))
        try manager.revise(id: last.taskId) { $0.digest = nil }
        try manager.resume(id: last.taskId)
        #expect(await manager.progress(for: last.taskId).last()?.state == .completed)
        #expect(!DownloadFileSystem.exists(corrupt))
        await place.end(manager)
    }

    @Test("A file with the wrong digest is moved aside without a copy, and the next attempt begins a new file")
    func setsAside() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin)
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.digest = DownloadDigest("sha-256=" + String(repeating: "00", count: 32))
        let id = try manager.enqueue(request)
        for await progress in manager.progress(for: id) where progress.downloadedBytes > 0 { break }
        let folder = DownloadFolder(in: place.folder.path, id: id)
        let partial = folder.partial(for: request)
        let number = try #require(DownloadFileSystem.inode(of: partial))
        // The first attempt ends, and the second gets a 404.
        origin.change { state in
            state.isHeld = false
            state.fault = .always(404)
        }
        #expect(await manager.progress(for: id).last()?.error == .httpStatus(404))
        #expect(DownloadFileSystem.inode(of: folder.corrupt) == number)
        #expect(try Array(Data(contentsOf: URL(filePath: folder.corrupt))) == bytes)
        #expect(!DownloadFileSystem.exists(partial))
        await place.end(manager)
    }

    @Test("A file that was moved aside is deleted if its disk space is needed")
    func makesRoom() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        let manager = try place.manager(origin)
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.digest = DownloadDigest("sha-256=" + String(repeating: "00", count: 32))
        let last = try #require(await manager.download(request).last())
        let corrupt = DownloadFolder(in: place.folder.path, id: last.taskId).corrupt
        #expect(DownloadFileSystem.exists(corrupt))
        manager.updateConfiguration { $0.minFreeDiskSpace = .max / 2 }
        try manager.resume(id: last.taskId)
        for await state in manager.states(for: last.taskId) where state == .waitingForSpace { break }
        #expect(!DownloadFileSystem.exists(corrupt))
        await place.end(manager)
    }

    @Test("skipIfSame: a file with the digest of the server is not fetched again, another of the same length is")
    func skips() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(1000)
        let origin = FakeOrigin(bytes)
        let name = try #require(HTTPField.Name("Repr-Digest"))
        origin.change { $0.fields[name] = FakeOrigin.digest(bytes) }
        let out = place.folder.appendingPathComponent("out")
        try DownloadFileSystem.makeFolder(out.path)
        let manager = try place.manager(origin)
        for (there, names) in [(bytes, ["a.bin"]), (DownloadTestFolder.bytes(1000, seed: 2), ["a (1).bin", "a.bin"])] {
            try Data(there).write(to: out.appendingPathComponent("a.bin"))
            var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
            request.destination = out
            request.collision = .skipIfSame
            #expect(try #require(await manager.download(request).last()).state == .completed)
            #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).sorted() == names)
            #expect(try Array(Data(contentsOf: out.appendingPathComponent("a.bin"))) == there)
        }
        await place.end(manager)
    }
}
