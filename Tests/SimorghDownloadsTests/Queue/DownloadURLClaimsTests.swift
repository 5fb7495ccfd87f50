// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(5)))
struct DownloadURLClaimsTests {
    private let place = DownloadTestFolder()
    private var folder: String { place.folder.path }
    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    private static let first = "https://origin.test/a"
    private static let second = "https://origin.test/b"

    @Test("A URL belongs to one manager at a time, and to the next after release")
    func exclusive() throws {
        let one = try DownloadURLClaims(folder, wanting: [Self.first])
        let two = try DownloadURLClaims(folder, wanting: [Self.first, Self.second])
        #expect(one.urls == [Self.first] && two.urls == [Self.second])
        one.release(removingFolder: true)
        let three = try DownloadURLClaims(folder, wanting: [Self.first, Self.second])
        #expect(three.urls == [Self.first])
        two.release(removingFolder: true)
        for _ in 0..<2 { three.release(removingFolder: true) }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(
        "Claims of a killed process are removed, and so are download folders without a journal")
    func killed() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (empty, full) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        for name in [empty, full] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        try Data("x".utf8).write(to: URL(filePath: folder + "/" + full + "/.journal"))
        try Data("sha-256=00".utf8).write(to: URL(filePath: folder + "/.run-dead.lock"))
        let claims = try DownloadURLClaims(folder, wanting: [Self.first])
        #expect(!names.contains(".run-dead.lock") && !names.contains(empty) && names.contains(full))
        claims.release(removingFolder: true)
        #expect(names.sorted() == [".lock", full].sorted())
    }

    @Test("While another manager is running, a new download folder is kept")
    func sweeping() throws {
        let one = try DownloadURLClaims(folder, wanting: [Self.first])
        let young = UUID().uuidString.lowercased()
        try FileManager.default.createDirectory(atPath: folder + "/" + young, withIntermediateDirectories: true)
        let two = try DownloadURLClaims(folder, wanting: [Self.second])
        #expect(names.contains(young))
        two.release(removingFolder: false)
        one.release(removingFolder: false)
    }

    @Test("A manager sees only the journals of its URLs, and accepts no other URL")
    func managers() async throws {
        let origin = FakeOrigin(DownloadTestFolder.bytes(1000))
        let (left, right) = (try #require(URL(string: Self.first)), try #require(URL(string: Self.second)))
        let client = APIClient(transport: origin)
        var config = DownloadManagerConfig(downloadDirectory: place.folder, minFreeDiskSpace: 0)
        config.restoresAutomatically = false
        func manager(_ urls: [URL]) throws -> DownloadManager {
            try DownloadManager(
                config: config, client: client, log: DownloadLog(nil), claiming: urls.map(\.absoluteString))
        }
        let one = try manager([left])
        let id = try one.enqueue(url: left)
        one.pause(id: id)
        #expect(throws: DownloadError.alreadyQueued(right)) { try one.enqueue(url: right) }
        let two = try manager([left, right])
        #expect(two.tasks.isEmpty && !two.core.ownsURL(Self.first) && two.core.ownsURL(Self.second))
        await place.end(two)
        await place.end(one)
        let three = try manager([left])
        #expect(three.tasks.map(\.id) == [id])
        await place.end(three)
    }
}
