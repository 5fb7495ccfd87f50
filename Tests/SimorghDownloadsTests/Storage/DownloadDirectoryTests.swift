// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghDownloads
import SimorghSupport
import TestSupport
import Testing

@Suite("The folder of downloads and its free space", .timeLimit(.minutes(5)))
struct DownloadDirectoryTests {
    @Test("A configured folder is used without the slash at its end, even if there is no home")
    func configured() throws {
        let unknown = PlatformFolders(system: .other, home: nil, programName: "birds")
        let config = DownloadManagerConfig(downloadDirectory: URL(filePath: "/birds/", directoryHint: .isDirectory))
        #expect(try config.directory(in: unknown) == "/birds")
    }

    @Test("Without a configured folder the default of the system is used")
    func standard() throws {
        let known = PlatformFolders(system: .other, home: "/home/zal", programName: "birds")
        #expect(try DownloadManagerConfig().directory(in: known) == "/home/zal/Documents/Downloads")
    }

    @Test("A daemon without a home gets an error that names the setting", arguments: [nil, "/"])
    func daemon(home: String?) {
        let unknown = PlatformFolders(system: .other, home: home, programName: "birds")
        let error = #expect(throws: DownloadError.self) { try DownloadManagerConfig().directory(in: unknown) }
        #expect(error?.description.contains("DownloadManagerConfig.downloadDirectory") == true)
    }

    @Test(
        "A destination in the app's container follows the container; another one stays",
        arguments: [
            (
                "/var/mobile/Containers/Data/Application/6E0C7B1F-9E0A-4C5B-8D2A-111111111111/Documents/Films",
                "/var/mobile/Containers/Data/Application/0B5C7B1F-9E0A-4C5B-8D2A-222222222222/Documents/Films"
            ),
            ("/home/zal/Films", "/home/zal/Films"),
        ])
    func movedContainer(old: String, new: String) throws {
        var request = DownloadRequest(url: try #require(URL(string: "https://a.test/film")))
        request.destination = URL(filePath: old, directoryHint: .isDirectory)
        let home = "/var/mobile/Containers/Data/Application/0B5C7B1F-9E0A-4C5B-8D2A-222222222222"
        #expect(request.inContainer(of: home).destination == URL(filePath: new, directoryHint: .isDirectory))
        #expect(request.inContainer(of: nil) == request)
        request.destination = nil
        #expect(request.inContainer(of: home) == request)
    }

    @Test("A destination in the app group of the manager's folder follows the container")
    func movedGroup() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("group-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let root = "\(folder)/Containers/Shared/AppGroup"
        let (old, new) = ("6E0C7B1F-9E0A-4C5B-8D2A-111111111111", "0B5C7B1F-9E0A-4C5B-8D2A-222222222222")
        var request = DownloadRequest(url: try #require(URL(string: "https://a.test/film")))
        request.destination = URL(filePath: "\(root)/\(old)/Films", directoryHint: .isDirectory)
        // Nothing tells that the folder is in the same group.
        #expect(request.inContainer(of: nil, directory: "\(root)/\(new)/downloads") == request)
        try FileManager.default.createDirectory(atPath: "\(root)/\(new)/Films", withIntermediateDirectories: true)
        #expect(
            request.inContainer(of: nil, directory: "\(root)/\(new)/downloads").destination
                == URL(filePath: "\(root)/\(new)/Films", directoryHint: .isDirectory))
        #expect(request.inContainer(of: nil, directory: nil) == request)
    }

    /// The free bytes, the bytes after reclaiming, the wanted bytes, and the bytes that the error reports.
    private static let disks: [(free: Int64, after: Int64?, wanted: Int64, reported: Int64?)] = [
        (1000, nil, 500, nil), (1000, nil, 1500, 1000), (1000, 4000, 1500, nil), (1000, 4000, 5000, 4000),
        // Some file systems report zero.
        (1000, 0, 1500, 1000), (1000, 0, 500, nil),
    ]

    @Test("Space that the system would free counts as free", arguments: disks)
    func reclaimable(free: Int64, after: Int64?, wanted: Int64, reported: Int64?) {
        let space = DiskSpaceReservations(free: { _ in free }, reclaimable: { _ in after })
        let error = space.refusal(for: UUID(), bytes: wanted, at: "/", reserve: 0)
        #expect(error == reported.map { .insufficientDiskSpace(required: wanted, available: $0) })
    }

    @Test("The system is not asked for reclaimable space while enough is free")
    func cheap() {
        let space = DiskSpaceReservations(
            free: { _ in 1000 },
            reclaimable: { _ in
                Issue.record("asked for reclaimable space")
                return nil
            })
        #expect(space.refusal(for: UUID(), bytes: 900, at: "/", reserve: 100) == nil)
    }

    @Test("A reservation of reclaimed space counts for the next download")
    func reserved() {
        let space = DiskSpaceReservations(free: { _ in 1000 }, reclaimable: { _ in 4000 })
        #expect(space.refusal(for: UUID(), bytes: 3000, at: "/", reserve: 0) == nil)
        #expect(space.refusal(for: UUID(), bytes: 2000, at: "/", reserve: 0) != nil)
        #expect(space.refusal(for: UUID(), bytes: 1000, at: "/", reserve: 0) == nil)
    }
}
