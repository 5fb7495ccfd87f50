// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghTesting
import TestSupport
import Testing

/// Failures of downloads that the other suites cover only in passing.
@Suite(.timeLimit(.minutes(5)))
struct DownloadErrorTests {
    private let place = DownloadTestFolder()

    /// A failure, and the error expected for it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var origin: @Sendable (inout FakeOrigin.State) -> Void = { _ in }
        var request: @Sendable (inout DownloadRequest) -> Void = { _ in }
        let isExpected: @Sendable (DownloadError) -> Bool
    }

    private static let cases: [Case] = [
        Case(testDescription: "204", origin: { $0.fault = .always(204) }, isExpected: { $0 == .emptyResponse(204) }),
        Case(
            testDescription: "another length", request: { $0.size = 5 },
            isExpected: { $0 == .sizeMismatch(expected: 5, found: 1000) }),
        Case(
            testDescription: "an unknown content coding", origin: { $0.fault = .encodes },
            isExpected: { if case .encoding = $0 { true } else { false } }),
        Case(
            testDescription: "an existing file name", request: { $0.collision = .fail },
            isExpected: { if case .fileExists(let path) = $0 { path.hasSuffix("/out/a.bin") } else { false } }),
        Case(
            testDescription: "a lost connection", origin: { $0.breaksAfter = 500 },
            isExpected: { if case .transport(.networkConnectionLost, _) = $0 { true } else { false } }),
        Case(
            testDescription: "an impossible folder",
            request: { $0.destination = $0.destination?.appendingPathComponent("a.bin/deeper") },
            isExpected: { if case .file = $0 { true } else { false } }),
    ]

    @Test("Each failure has its error, and leaves other files unchanged", arguments: cases)
    func names(_ wrong: Case) async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        origin.change(wrong.origin)
        let out = place.folder.appendingPathComponent("out")
        try DownloadFileSystem.makeFolder(out.path)
        let taken = out.appendingPathComponent("a.bin")
        try Data("mine".utf8).write(to: taken)
        var request = DownloadRequest(url: DownloadTestFolder.url, fileName: "a.bin")
        request.destination = out
        wrong.request(&request)
        let manager = try place.manager(origin) { $0.retryPolicy = .none }
        let last = try #require(await manager.download(request).last())
        #expect(last.state == .failed && last.localURL == nil)
        let error = try #require(last.error)
        #expect(wrong.isExpected(error), "\(error)")
        #expect(try Data(contentsOf: taken) == Data("mine".utf8))
        await place.end(manager)
    }

    @Test("An unrequested 206 throws an error that names the bytes received")
    func unasked() async throws {
        let part = StubResponse(
            status: .partialContent, headerFields: [.contentRange: "bytes 5-9/10", .eTag: "\"v1\""])
        let manager = try place.manager(StubServer { _ in part })
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(last.state == .failed)
        let message = "asked for the whole file, the server gave bytes 5 to 9 of 10"
        #expect(last.error == .transport(.badServerResponse, message))
        await place.end(manager)
    }

    /// An origin that serves another version for each request.
    private struct Restless: Transport {
        let origin: FakeOrigin

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            origin.change { $0.version.number += 1 }
            return try await origin.send(request)
        }
    }

    @Test("A file that changes twice while it is fetched fails with entityChanged")
    func changes() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        origin.change { $0.fault = .closes(early: 0, sendsContentLength: true) }
        let manager = try place.manager(Restless(origin: origin))
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        guard case .entityChanged(let reason) = last.error else {
            Issue.record("another error: \(last)")
            return
        }
        #expect(reason.contains("ETag"))
        await place.end(manager)
    }

    @Test("Of 64 concurrent enqueues of one URL, one is accepted")
    func duplicates() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(50_000))
        origin.change { $0.isHeld = true }
        let manager = try place.manager(origin)
        let taken = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask { (try? manager.enqueue(url: DownloadTestFolder.url)) != nil }
            }
            return await group.reduce(into: 0) { count, isTaken in count += isTaken ? 1 : 0 }
        }
        #expect(taken == 1 && manager.tasks.count == 1)
        let folders = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
        #expect(folders.count { $0 != ".lock" } == 1)
        origin.change { $0.isHeld = false }
        let id = try #require(manager.tasks.first?.id)
        #expect(await manager.progress(for: id).last()?.state == .completed)
        await place.end(manager)
    }
}
