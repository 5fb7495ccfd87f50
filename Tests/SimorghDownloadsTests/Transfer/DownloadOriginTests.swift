// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import Synchronization
import TestSupport
import Testing

/// Requests of downloads, and the validation of responses.
@Suite(.timeLimit(.minutes(5)))
struct DownloadOriginTests {
    @Test("A body delimited by the end of the connection is confirmed by HEAD, or else unconfirmed")
    func unconfirmed() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        for sendsContentLength in [true, false] {
            origin.change { $0.fault = .closes(early: 0, sendsContentLength: sendsContentLength) }
            let manager = try place.manager(origin)
            let id = try manager.enqueue(url: DownloadTestFolder.url)
            let last = try #require(await manager.progress(for: id).last())
            #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
            #expect(origin.state.withLock { $0.methods.last } == "HEAD")
            #expect(manager.tasks.last?.isLengthConfirmed == sendsContentLength)
            await place.end(manager)
            let next = try place.manager(origin)
            #expect(next.tasks.last?.isLengthConfirmed == sendsContentLength)
            await place.end(next)
        }
    }

    @Test("A body that ends too early resumes at its end")
    func early() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.fault = .closes(early: 30_000, sendsContentLength: true) }
        let manager = try place.manager(origin)
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        #expect(origin.requests.last?[.range] == "bytes=70000-")
        await place.end(manager)
    }

    @Test("A server that refuses all but one connection serves the file over that one", arguments: [403, 429, 503])
    func refusesOthers(status: Int) async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(800_000)
        let origin = FakeOrigin(bytes)
        origin.change { state in
            state.fault = .refusesOthers(status)
            state.isHeld = true
        }
        let manager = try place.manager(origin) { $0.segments = 4 }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        try await eventually { origin.requests.count >= 4 }
        origin.change { $0.isHeld = false }
        let last = try #require(await manager.progress(for: id).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        await place.end(manager)
    }

    @Test("A download bypasses the client's cache, and stores nothing in it")
    func caches() async throws {
        let place = DownloadTestFolder()
        let old = DownloadTestFolder.bytes(1000)
        let new = DownloadTestFolder.bytes(1000, seed: 2)
        let origin = FakeOrigin(old)
        origin.change { $0.fields[.cacheControl] = "max-age=86400" }
        let cache = HTTPCache(CacheConfiguration(diskCapacity: 0))
        var configuration = APIClient.Configuration()
        (configuration.caching.httpCache, configuration.networkMonitor) = (cache, nil)
        // The date of the origin's fields, at which its response is fresh.
        configuration.time = TimeSource(clock: ContinuousClock()) { Date(timeIntervalSince1970: 1_736_164_800) }
        let manager = try place.manager(origin, client: configuration)
        let client = APIClient(configuration: configuration, transport: origin)
        let url = DownloadTestFolder.url.absoluteString
        for _ in 0..<2 { #expect(try await Array(client.call(.get, url).data()) == old) }
        #expect(origin.requests.count == 1)
        origin.change { $0.version = FakeOrigin.Version(bytes: new, number: 2) }
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == new)
        #expect(origin.requests.count == 2)
        #expect(try await Array(client.call(.get, url).data()) == old)
        #expect(origin.requests.count == 2)
        await place.end(manager)
    }

    @Test("The client's credentials and certificate are not sent to mirrors")
    func clientCredentials() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        origin.change { $0.fault = .once(404) }
        var client = APIClient.Configuration()
        client.headers = ["Authorization": "Bearer s3cret", "X-Bird": "Simorgh"]
        client.query = ["key": "s3cret"]
        client.tls.identity = TLSIdentity(certificates: .text("a"))
        let manager = try place.manager(origin, client: client)
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.mirrors = ["https://mirror.test/data.bin"]
        #expect(try #require(await manager.download(request).last()).state == .completed)
        #expect(origin.requests.map { $0[.authorization] } == ["Bearer s3cret", nil])
        #expect(origin.state.withLock { $0.paths.map { $0.contains("s3cret") } } == [true, false])
        #expect(origin.state.withLock { $0.presentsIdentity } == [true, false])
        await place.end(manager)
    }

    @Test(
        "Authentication is sent only to the client's own server, unless it is for every host",
        arguments: [
            (nil, false, true), ("https://origin.test/api", false, true), ("https://api.test", false, false),
            ("https://api.test", true, true),
        ] as [(String?, Bool, Bool)])
    func authentication(base: String?, goesEverywhere: Bool, isSent: Bool) async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        for isDynamic in [false, true] where base != nil || !isDynamic {
            var client = APIClient.Configuration()
            if isDynamic { client.dynamicBaseURL = { base ?? "" } } else { client.baseURL = base }
            let bearer = Authentication.bearer("s3cret")
            client.authentication = goesEverywhere ? bearer.everywhere() : bearer
            let manager = try place.manager(origin, client: client)
            #expect(try #require(await manager.download(url: DownloadTestFolder.url).last()).state == .completed)
            #expect(origin.requests.last?[.authorization] == (isSent ? "Bearer s3cret" : nil))
            await place.end(manager)
        }
    }

    @Test("A 401 refreshes the token, and the partial file resumes with the new one")
    func refreshes() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        var client = APIClient.Configuration()
        client.authentication = .refreshing(RefreshingToken(AccessToken("old")) { _ in AccessToken("new") })
        let manager = try place.manager(origin, client: client) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: id).last()?.state == .failed)
        origin.change { state in
            state.breaksAfter = nil
            state.fault = .once(401)
        }
        try manager.resume(id: id)
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.requests.map { $0[.authorization] } == ["Bearer old", "Bearer old", "Bearer new"])
        #expect(origin.requests.last?[.range] == "bytes=100000-199999")
        await place.end(manager)
    }

    @Test(
        "A refusal keeps the partial file, which resumes later", arguments: [403, 404, 410])
    func refused(status: Int) async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(200_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 100_000 }
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        #expect(await manager.progress(for: id).last()?.state == .failed)
        origin.change { state in
            state.breaksAfter = nil
            state.fault = .always(status)
        }
        try manager.resume(id: id)
        let last = try #require(await manager.progress(for: id).last())
        #expect(last.error == .httpStatus(status) && last.downloadedBytes == 100_000)
        origin.change { $0.fault = .nothing }
        try manager.resume(id: id)
        let file = try #require(await manager.progress(for: id).last()?.localURL)
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.requests.last?[.range] == "bytes=100000-199999")
        await place.end(manager)
    }

    @Test("A server that ignores Range is read to its end over one connection")
    func promises() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(800_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.fault = .ignoresRange }
        let manager = try place.manager(origin) { $0.segments = 4 }
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(last.state == .completed)
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        await place.end(manager)
    }

    @Test("A mirror gets no credentials, and is used when the first URL fails")
    func mirrors() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        origin.change { $0.fault = .once(404) }
        let manager = try place.manager(origin)
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.headers = ["Authorization": "Bearer s3cret", "X-Bird": "Simorgh"]
        request.mirrors = ["https://mirror.test/data.bin"]
        #expect(try #require(await manager.download(request).last()).state == .completed)
        #expect(origin.requests.map { $0[.authorization] } == ["Bearer s3cret", nil])
        #expect(origin.requests.allSatisfy { fields in fields.contains { $0.name.rawName == "X-Bird" } })
        request.mirrors = ["http://mirror.test/data.bin"]
        #expect(throws: DownloadError.invalidURL("http://mirror.test/data.bin")) { try manager.enqueue(request) }
        await place.end(manager)
    }

    /// The change of a file without validator between its halves.
    enum Change: Sendable, CaseIterable { case none, all, beforeTheOverlap }

    @Test("resumesWithoutValidator: the last bytes and a digest replace a validator", arguments: Change.allCases)
    func overlap(change: Change) async throws {
        let place = DownloadTestFolder()
        let first = DownloadTestFolder.bytes(400_000)
        var second = change == .all ? DownloadTestFolder.bytes(400_000, seed: 2) : first
        if change == .beforeTheOverlap { second[7] ^= 0xFF }
        var hasher = FileHasher([.sha256])
        second.withUnsafeBytes { hasher.update($0) }
        let origin = FakeOrigin(first)
        origin.change { state in
            state.validator = .none
            state.breaksAfter = 200_000
        }
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.resumesWithoutValidator = true
        request.digest = hasher.digests.first
        let id = try manager.enqueue(request)
        #expect(await manager.progress(for: id).last()?.state == .failed)
        origin.change { state in
            state.breaksAfter = nil
            state.requests = []
            state.version = FakeOrigin.Version(bytes: second, number: 2)
        }
        try manager.resume(id: id)
        let last = try #require(await manager.progress(for: id).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == second)
        #expect(origin.requests.first?[.range] == "bytes=198976-399999")
        #expect(origin.requests.count == (change == .none ? 1 : 2))
        await place.end(manager)
    }
}
