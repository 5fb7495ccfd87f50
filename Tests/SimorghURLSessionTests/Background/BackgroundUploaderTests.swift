// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghDownloads
import SimorghURLSession
import Testing

/// An uploader over the scripted background session.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundUploaderTests {
    private let fixture = BackgroundFixture()

    private func url() throws -> URL { try #require(URL(string: "https://a.test/file0.dat")) }

    private func uploader() throws -> BackgroundUploader {
        let transfers = fixture.process().transfers
        return try BackgroundUploader(directory: fixture.directory) { _ in transfers }
    }

    private func upload() throws -> BackgroundUpload {
        let file = fixture.root.appendingPathComponent("video")
        try Data("video".utf8).write(to: file)
        var upload = BackgroundUpload(file: file, to: try url(), headers: ["Authorization": "Bearer token"])
        upload.method = "POST"
        return upload
    }

    @Test("An upload returns the response; nothing is left")
    func uploads() async throws {
        let uploader = try uploader()
        let upload = try upload()
        let call = Task { try await uploader.upload(upload) }
        while fixture.system.running.isEmpty { await Task.yield() }
        let order = try #require(fixture.system.task(1)?.order)
        #expect(order.method == "POST" && order.file == upload.file.path)
        #expect(uploader.unfinishedUploads.map(\.id) == [upload.id])
        #expect(uploader.unfinishedUploads.first?.headers.isEmpty == true)
        fixture.system.complete(1, status: 201)
        fixture.system.deliverAll()
        let response = try await call.value
        #expect(response.status == 201 && response.body == ScriptedSystem.body(order.url))
        #expect(uploader.unfinishedUploads.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).isEmpty)
    }

    @Test("An upload that ends between two processes gives its response to the next call")
    func uploadRestart() async throws {
        let first = try uploader()
        let upload = try upload()
        let lost = Task { try await first.upload(upload) }
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.kill()
        lost.cancel()
        _ = await lost.result
        fixture.system.complete(1)
        let second = try uploader()
        fixture.system.deliverAll()
        let known = try #require(second.unfinishedUploads.first)
        #expect(try await second.upload(known).body == ScriptedSystem.body(upload.url.absoluteString))
        #expect(fixture.system.started == [1] && second.unfinishedUploads.isEmpty)
    }

    @Test("A response of more than 1 MiB is refused; a cancelled upload leaves nothing")
    func uploadLimits() async throws {
        let uploader = try uploader()
        let upload = try upload()
        let call = Task { try await uploader.upload(upload) }
        while fixture.system.running.isEmpty { await Task.yield() }
        let task = BackgroundSessionTask(number: 1, id: upload.id, url: upload.url.absoluteString)
        fixture.system.add(.data(task, Data(count: 1024 * 1024)))
        fixture.system.add(.data(task, Data(count: 1)))
        fixture.system.deliverAll()
        await #expect(throws: TransportError.self) { try await call.value }
        #expect(fixture.system.cancelled.contains(1))
        let second = Task { try await uploader.upload(upload) }
        while fixture.system.running.isEmpty { await Task.yield() }
        uploader.cancel(id: upload.id)
        await #expect(throws: TransportError.self) { try await second.value }
        #expect(uploader.unfinishedUploads.isEmpty)
    }

    @Test("TLS options that a session cannot apply, or that it does not have, are refused before there is an upload")
    func refusedTrust() throws {
        var tls = TLSOptions()
        tls.serverName = "b.test"
        let unused: BackgroundTransfers.Provider = { [fixture] _ throws(TransportError) in
            Issue.record("a session was created")
            return fixture.process().transfers
        }
        #expect(refusedOption(tls, transfers: unused) == "tls.serverName")
        let name = UUID().uuidString
        let system = fixture.system
        let provider: BackgroundTransfers.Provider = { tls throws(TransportError) in
            try BackgroundTransfers.named(name, tls: tls) { _, queue, events in system.session(queue, events) }
        }
        let first = try BackgroundUploader(directory: fixture.directory, transfers: provider)
        tls = TLSOptions()
        tls.evaluation = .afterVerification { _ in }
        #expect(refusedOption(tls, transfers: provider) == "tls")
        withExtendedLifetime(first) {}
    }

    /// Returns the option that an uploader refuses; `nil` if it refuses none.
    private func refusedOption(_ tls: TLSOptions, transfers: @escaping BackgroundTransfers.Provider) -> String? {
        do throws(TransportError) {
            _ = try BackgroundUploader(directory: fixture.directory, tls: tls, transfers: transfers)
            return nil
        } catch {
            return (error.underlying as? UnsupportedByURLSessionError)?.option
        }
    }

    @Test(
        "An upload continues after the container has moved, with the task of the earlier launch",
        arguments: [true, false])
    func upload(isRecordOld: Bool) async throws {
        let containers = fixture.root.appendingPathComponent("Containers/Data/Application")
        let before = containers.appendingPathComponent("6E0C7B1F-9E0A-4C5B-8D2A-111111111111")
        let after = containers.appendingPathComponent("0B5C7B1F-9E0A-4C5B-8D2A-222222222222")
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

    #if !canImport(Darwin)
    @Test("Other platforms refuse background uploads by name")
    func uploadsElsewhere() {
        let error = #expect(throws: TransportError.self) {
            try BackgroundUploader(identifier: "test", directory: fixture.directory)
        }
        #expect(error?.underlying is UnsupportedByURLSessionError)
    }
    #endif
}
