// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ContainerPathTests {
    private static let app = "/var/mobile/Containers/Data/Application"
    private static let group = "/private/var/mobile/Containers/Shared/AppGroup"
    private static let (old, new) = (
        "6E0C7B1F-9E0A-4C5B-8D2A-111111111111", "0B5C7B1F-9E0A-4C5B-8D2A-222222222222"
    )

    @Test("The key of a file is the same after its container has moved")
    func keys() {
        for root in [Self.app, Self.group, "/private\(Self.app)"] {
            let keys = [Self.old, Self.new].map {
                ContainerPath.key(of: "\(root)/\($0)/Documents/film.mov", in: "/elsewhere")
            }
            #expect(keys[0] == keys[1] && !keys[0].contains(Self.old), "\(keys)")
        }
        #expect(ContainerPath.key(of: "/a/b/c/film", in: "/a/b") == "./c/film")
        #expect(ContainerPath.key(of: "/a/bc/film", in: "/a/b") == "/a/bc/film")
        #expect(
            ContainerPath.key(of: "\(Self.app)/\(Self.old)/f", in: "/")
                != ContainerPath.key(of: "\(Self.group)/\(Self.old)/f", in: "/"))
    }

    @Test("A recorded file is found in the folder, in the container of the folder, or in the home folder")
    func current() {
        func current(_ path: String, oldDirectory: String? = nil, directory: String, home: String? = nil) -> String {
            ContainerPath.current(path, oldDirectory: oldDirectory, directory: directory, home: home)
        }
        let (before, after) = ("\(Self.app)/\(Self.old)", "\(Self.app)/\(Self.new)")
        #expect(
            current("\(before)/tmp/film", directory: "/private\(after)/uploads") == "/private\(after)/tmp/film")
        #expect(
            current("\(before)/tmp/film", directory: "\(Self.group)/\(Self.new)", home: after) == "\(after)/tmp/film")
        #expect(current("/old/uploads/film", oldDirectory: "/old/uploads", directory: "/new") == "/new/film")
        #expect(current("/old/film", oldDirectory: "/old/uploads", directory: "/new") == "/old/film")
        #expect(current("\(before)/film", directory: "/new") == "\(before)/film")
    }

    @Test(
        "Other paths are in no container",
        arguments: ["", "/", "Containers", "/Containers/Data/Application", "/Containers/a/b/c"])
    func others(path: String) {
        #expect(ContainerPath(path) == nil)
    }

    @Test(
        "An upload continues after the container has moved, with the task of the earlier launch",
        arguments: [true, false])
    func upload(isRecordOld: Bool) async throws {
        let fixture = BackgroundFixture()
        let containers = fixture.root.appendingPathComponent("Containers/Data/Application")
        let (before, after) = (containers.appendingPathComponent(Self.old), containers.appendingPathComponent(Self.new))
        try FileManager.default.createDirectory(
            at: before.appendingPathComponent("uploads"), withIntermediateDirectories: true)
        try Data("film".utf8).write(to: before.appendingPathComponent("film.mov"))
        let url = try #require(URL(string: "https://a.test/films"))
        let upload = BackgroundUpload(file: before.appendingPathComponent("film.mov"), to: url)
        let first = fixture.process()
        let uploader = try BackgroundUploader(directory: before.appendingPathComponent("uploads")) { _ in
            first.transfers
        }
        let lost = Task { try await uploader.upload(upload) }
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.kill()
        lost.cancel()
        _ = await lost.result
        try FileManager.default.moveItem(at: before, to: after)
        if isRecordOld {
            let folder = DownloadFolder(in: after.appendingPathComponent("uploads").path, id: upload.id)
            try JSONEncoder().encode(upload).write(to: URL(filePath: "\(folder.path)/upload.json"))
        }
        let second = fixture.process()
        let next = try BackgroundUploader(directory: after.appendingPathComponent("uploads")) { _ in second.transfers }
        let known = try #require(next.unfinishedUploads.first)
        #expect(known.file.path == after.appendingPathComponent("film.mov").path)
        let call = Task { try await next.upload(known) }
        while !second.transfers.isAwaited(upload.id) { await Task.yield() }
        second.transfers.flush()
        #expect(fixture.system.started == [1])
        fixture.system.complete(1, status: 201)
        fixture.system.deliverAll()
        #expect(try await call.value.status == 201)
    }
}
