// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadScenarioTests {
    /// The change between the first half of a download and the second.
    struct Scenario: Sendable, CustomTestStringConvertible {
        var name: String
        var validator = FakeOrigin.Validator.strong
        var fault = FakeOrigin.Fault.nothing
        /// The fault before the connection is cut.
        var before = FakeOrigin.Fault.nothing
        /// The new length, if the file changes.
        var changed: Int?
        var segments = 1
        /// True if the download ends with the correct file; otherwise it fails.
        var succeeds = true
        /// True if the first half is reused.
        var resumes: Bool?

        var testDescription: String { name }
    }

    private static let size = 400_000

    private static let scenarios: [Scenario] =
        FakeOrigin.Validator.allCases.flatMap { validator in
            [
                Scenario(
                    name: "unchanged, \(validator)", validator: validator,
                    resumes: validator == .strong || validator == .date),
                Scenario(
                    name: "changed, same length, \(validator)", validator: validator, changed: size, resumes: false),
                Scenario(
                    name: "changed, longer, \(validator)", validator: validator, changed: size + 5000, resumes: false),
                Scenario(name: "changed, shorter, \(validator)", validator: validator, changed: 1000, resumes: false),
            ]
        } + [
            Scenario(name: "If-Range ignored, same length", fault: .ignoresIfRange, changed: size, resumes: false),
            Scenario(
                name: "If-Range ignored, same length, date", validator: .date, fault: .ignoresIfRange, changed: size,
                resumes: false),
            Scenario(name: "If-Range ignored, shorter", fault: .ignoresIfRange, changed: 1000, resumes: false),
            Scenario(name: "Range ignored", fault: .ignoresRange, resumes: false),
            Scenario(name: "If-Range never holds", fault: .neverMatchesIfRange, resumes: true),
            Scenario(name: "If-Range never holds, segments", fault: .neverMatchesIfRange, segments: 4, resumes: true),
            Scenario(
                name: "If-Range never holds, changed", fault: .neverMatchesIfRange, changed: size, resumes: false),
            Scenario(name: "signed URLs", fault: .redirects, before: .redirects, resumes: true),
            Scenario(name: "a signed URL for the second half", fault: .redirects, resumes: true),
            Scenario(name: "signed URLs of another host", fault: .redirectsAway, before: .redirectsAway, resumes: true),
            Scenario(
                name: "signed URLs of another host, segments", fault: .redirectsAway, before: .redirectsAway,
                segments: 4, resumes: true),
            Scenario(
                name: "signed URLs of another host, changed", fault: .redirectsAway, before: .redirectsAway,
                changed: size, resumes: false),
            Scenario(name: "all further connections refused with 403", fault: .refusesOthers(403), segments: 4),
            Scenario(
                name: "no length, end of the connection confirmed by HEAD", validator: .none,
                fault: .closes(early: 0, sendsContentLength: true), resumes: false),
            Scenario(
                name: "no length, end of the connection contradicted by HEAD", validator: .none,
                fault: .closes(early: 100, sendsContentLength: true), succeeds: false),
            Scenario(name: "wrong start", fault: .wrongStart, resumes: false),
            Scenario(name: "no Content-Range", fault: .noContentRange, resumes: false),
            Scenario(name: "short parts", fault: .shortParts, resumes: true),
            Scenario(name: "no length, then the rest", before: .chunked, resumes: true),
            Scenario(name: "no length, then short parts", fault: .shortParts, before: .chunked, resumes: true),
            Scenario(
                name: "no length, then short parts of unknown total", fault: .shortPartsOfUnknown, before: .chunked,
                resumes: true),
            Scenario(name: "short parts of unknown total", fault: .shortPartsOfUnknown, resumes: true),
            Scenario(name: "more bytes than the part", fault: .longParts, resumes: false),
            Scenario(name: "a part with a wrong Content-Digest", fault: .wrongContentDigest, resumes: false),
            Scenario(name: "multipart", fault: .multipart, resumes: false),
            Scenario(name: "416 without Content-Range", fault: .plainUnsatisfiable, resumes: false),
            Scenario(name: "503 once", fault: .once(503), resumes: true),
            Scenario(name: "429 once", fault: .once(429), resumes: true),
            Scenario(name: "412", fault: .once(412), resumes: false),
            Scenario(name: "404", fault: .always(404), succeeds: false),
            Scenario(name: "403", fault: .always(403), succeeds: false),
            Scenario(name: "204", fault: .always(204), succeeds: false),
            Scenario(name: "500 always", fault: .always(500), succeeds: false),
            Scenario(name: "encoded always", fault: .encodes, changed: size, succeeds: false),
            Scenario(name: "body always too short", fault: .shortBody, succeeds: false),
            Scenario(
                name: "body always too short, no validator", validator: .none, fault: .shortBody, succeeds: false),
            Scenario(name: "body always too short, weak", validator: .weak, fault: .shortBody, succeeds: false),
            Scenario(name: "body always too short, date", validator: .date, fault: .shortBody, succeeds: false),
            Scenario(name: "Range ignored, segments", fault: .ignoresRange, segments: 4, resumes: false),
            Scenario(name: "unchanged, segments", segments: 4, resumes: true),
            Scenario(name: "changed, segments", changed: size, segments: 4, resumes: false),
        ]

    @Test("A resumed download has the right bytes or fails, and never mixes two versions", arguments: scenarios)
    func resumed(_ scenario: Scenario) async throws {
        let place = DownloadTestFolder()
        let first = DownloadTestFolder.bytes(Self.size)
        let origin = FakeOrigin(first)
        origin.change { state in
            state.validator = scenario.validator
            state.fault = scenario.before
            state.sendsContentDigests = true
            state.breaksAfter = Self.size / 2
        }
        let before = try place.manager(origin) { $0.retryPolicy = .none }
        let id = try before.enqueue(url: DownloadTestFolder.url)
        let cut = try #require(await before.progress(for: id).last())
        #expect(cut.state == .failed)
        #expect(cut.downloadedBytes > 0)
        await place.end(before)

        var expected = first
        origin.change { state in
            state.breaksAfter = nil
            state.fault = scenario.fault
            state.sent = 0
            state.requests = []
            if let length = scenario.changed {
                expected = DownloadTestFolder.bytes(length, seed: 2)
                state.version = FakeOrigin.Version(bytes: expected, number: 2)
            }
        }
        let after = try place.manager(origin) { $0.segments = scenario.segments }
        try after.resume(id: id)
        let last = try #require(await after.progress(for: id).last())
        let file = last.localURL.flatMap { try? Data(contentsOf: $0) }
        if scenario.succeeds {
            #expect(last.state == .completed, "\(last.error.map { "\($0)" } ?? "")")
            #expect(file.map(Array.init) == expected)
        } else {
            #expect(last.state == .failed)
            #expect(file == nil)
        }
        if let resumes = scenario.resumes { #expect((origin.sent < expected.count) == resumes) }
        await place.end(after)
    }

    @Test("SIM12: a download cut repeatedly resumes in each manager where the previous one stopped", arguments: [1, 4])
    func cuts(segments: Int) async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(1_000_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.breaksAfter = 90_000 }
        var id: UUID?
        var last: DownloadProgress?
        for _ in 0..<40 where last?.state != .completed {
            let manager = try place.manager(origin) { config in
                config.segments = segments
                config.retryPolicy = .none
            }
            if let id { try manager.resume(id: id) } else { id = try manager.enqueue(url: DownloadTestFolder.url) }
            last = await manager.progress(for: try #require(id)).last()
            await place.end(manager)
        }
        let file = try #require(last?.localURL)
        #expect(try Array(Data(contentsOf: file)) == bytes)
        #expect(origin.sent <= 1_200_000)
    }

    @Test("A file that changes between segments is fetched again once")
    func changes() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(800_000))
        let second = DownloadTestFolder.bytes(800_000, seed: 2)
        origin.change { $0.changesAfter = (2, FakeOrigin.Version(bytes: second, number: 2)) }
        let manager = try place.manager(origin) { $0.segments = 4 }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        let last = try #require(await manager.progress(for: id).last())
        #expect(last.state == .completed)
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == second)
        await place.end(manager)
    }

    @Test("skipIfSame: a complete file is not fetched again")
    func complete() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(100_000)
        let origin = FakeOrigin(bytes)
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
        request.destination = place.folder.appendingPathComponent("out")
        request.collision = .skipIfSame
        let manager = try place.manager(origin)
        for _ in 0..<2 {
            let last = try #require(await manager.download(request).last())
            #expect(last.state == .completed)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/out") == ["a.bin"])
        await place.end(manager)
    }

    @Test(
        "A file of the same length does not count as the same if it is of another URL or older than the server's"
    )
    func others() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(10_000))
        let out = place.folder.path + "/out"
        func fetch(_ manager: DownloadManager, _ path: String, _ collision: DownloadCollision) async throws -> String? {
            let url = try #require(URL(string: "https://origin.test/\(path)"))
            var request = DownloadRequest(url: url, fileName: "a.bin")
            request.destination = URL(filePath: out)
            request.collision = collision
            return try await manager.download(request).last()?.localURL?.lastPathComponent
        }
        let manager = try place.manager(origin)
        func change(_ number: Int) {
            let version = FakeOrigin.Version(
                bytes: DownloadTestFolder.bytes(10_000, seed: UInt64(number)), number: number)
            origin.change { $0.version = version }
        }
        #expect(try await fetch(manager, "one", .skipIfSame) == "a.bin")
        // The same length, and other bytes.
        change(2)
        #expect(try await fetch(manager, "two", .skipIfSame) == "a (1).bin")
        #expect(try await fetch(manager, "two", .skipIfSame) == "a (1).bin")
        await place.end(manager)
        try FileManager.default.removeItem(atPath: out + "/a (1).bin")
        origin.change { $0.fields[.lastModified] = "Fri, 01 Jan 2100 00:00:00 GMT" }
        change(3)
        let second = try place.manager(origin)
        #expect(try await fetch(second, "three", .replaceUnlessSame) == "a.bin")
        change(4)
        #expect(try await fetch(second, "four", .skipIfSame) == "a (1).bin")
        await place.end(second)
    }

    @Test("A Range field of the client's configuration is not sent")
    func clientRange() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(10_000))
        var client = APIClient.Configuration()
        client.headers = ["Range": "bytes=0-99", "X-Own": "1"]
        let manager = try place.manager(origin, client: client)
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(last.state == .completed && last.downloadedBytes == 10_000)
        let first = try #require(origin.requests.first)
        #expect(first[.range] == nil && first[HTTPField.Name("X-Own") ?? .range] == "1")
        await place.end(manager)
    }

    @Test("SIM14: a body of unknown length has indeterminate progress, and is complete at its end")
    func unknownLength() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(300_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.fault = .chunked }
        let manager = try place.manager(origin)
        var all: [DownloadProgress] = []
        for await progress in try manager.download(url: DownloadTestFolder.url) { all.append(progress) }
        #expect(all.dropLast().allSatisfy { $0.isIndeterminate && $0.eta == nil && !$0.fraction.isNaN })
        #expect(all.last?.fraction == 1)
        #expect(try Array(Data(contentsOf: #require(all.last?.localURL))) == bytes)
        await place.end(manager)
    }
}
