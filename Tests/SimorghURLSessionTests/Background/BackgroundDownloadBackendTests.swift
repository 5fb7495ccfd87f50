// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghTesting
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

/// A download manager and an uploader over the scripted background session.
@Suite(.timeLimit(.minutes(1)))
struct BackgroundDownloadBackendTests {
    private let fixture = BackgroundFixture()

    private func manager(
        tls: TLSOptions = TLSOptions(), change: (inout DownloadManagerConfig) -> Void = { _ in }
    ) throws -> DownloadManager {
        var config = DownloadManagerConfig(
            retryPolicy: DownloadRetryPolicy(maximumAttempts: 1, initialDelay: 100, maximumDelay: 100),
            downloadDirectory: fixture.directory, minFreeDiskSpace: 0)
        config.backgroundSessionIdentifier = "test"
        change(&config)
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        configuration.tls = tls
        let transfers = fixture.process().transfers
        return try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: FakeOrigin([])),
            backend: BackgroundDownloadBackend { transfers })
    }

    private func complete(_ manager: DownloadManager, _ id: UUID, status: Int = 200) async -> DownloadProgress? {
        let stream = manager.progress(for: id)
        while fixture.system.running.isEmpty { await Task.yield() }
        for task in fixture.system.running { fixture.system.complete(task, status: status) }
        fixture.system.deliverAll()
        return await stream.last()
    }

    private func url(_ index: Int = 0) throws -> URL { try #require(URL(string: "https://a.test/file\(index).dat")) }

    @Test("All waiting downloads are with the system at once, with their priorities")
    func all() async throws {
        let manager = try manager { $0.maxQueueSize = 20 }
        let ids = try (0..<12).map { try manager.enqueue(url: url($0), priority: $0 == 3 ? .high : .low) }
        while fixture.system.running.count < 12 { await Task.yield() }
        let tasks = fixture.system.running.compactMap(fixture.system.task)
        #expect(tasks.filter { $0.order.priority == 0.75 }.count == 1)
        try manager.setPriority(.critical, id: ids[0])
        while fixture.system.priorities.isEmpty { await Task.yield() }
        let last = await complete(manager, ids[0])
        #expect(last?.state == .completed)
        #expect(last?.localURL.flatMap { try? Data(contentsOf: $0) } == ScriptedSystem.body(try url().absoluteString))
        await manager.close()
    }

    @Test("A file that arrives between two processes is placed by the next manager, and leaves nothing behind")
    func restart() async throws {
        let first = try manager()
        let id = try first.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.kill()
        await first.close()
        for task in fixture.system.running { fixture.system.complete(task) }
        let second = try manager()
        fixture.system.add(.delivered)
        let handled = Task { await second.backgroundEventsHandled() }
        let stream = second.progress(for: id)
        fixture.system.deliverAll()
        let last = await stream.last()
        #expect(last?.state == .completed)
        await handled.value
        await second.close()
        let path = DownloadFolder(in: fixture.directory.path, id: id).path
        let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(files == [".journal", "file0.dat"])
    }

    @Test("A retry is passed to the system with the time at which it may begin")
    func retry() async throws {
        let manager = try manager()
        let id = try manager.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.fail(1)
        fixture.system.deliverAll()
        while fixture.system.running.isEmpty { await Task.yield() }
        #expect(fixture.system.task(2)?.order.earliestBegin.map { $0 > Date() } == true)
        #expect(await complete(manager, id)?.state == .completed)
        await manager.close()
    }

    @Test("A force quit pauses the download and says so")
    func forceQuit() async throws {
        let manager = try manager()
        let id = try manager.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        let states = manager.progress(for: id)
        fixture.system.fail(1, code: -999, cancellation: 0)
        fixture.system.deliverAll()
        for await progress in states where progress.state == .paused {
            #expect(progress.error?.description.contains("closed the app") == true)
            break
        }
        try manager.resume(id: id)
        #expect(await complete(manager, id)?.state == .completed)
        await manager.close()
    }

    @Test("TLS options and secret fields are refused by name")
    func refused() async throws {
        var tls = TLSOptions()
        tls.additionalRoots = ["root"]
        let pinned = try manager(tls: tls)
        let id = try pinned.enqueue(url: url())
        let first = try #require(await pinned.progress(for: id).last())
        #expect(first.error?.description.contains("tls is not possible") == true)
        await pinned.close()
        let manager = try manager()
        var request = DownloadRequest(url: try url(1))
        request.headers = ["X-API-Key": "secret"]
        let last = try #require(await manager.download(request).last())
        #expect(last.error?.description.contains("X-API-Key") == true)
        #expect(fixture.system.started.isEmpty)
        manager.updateConfiguration { $0.allowsSecretFieldsInBackground = true }
        var allowed = DownloadRequest(url: try url(2))
        allowed.headers = ["X-API-Key": "secret", "Authorization": "Bearer token"]
        let allowedID = try manager.enqueue(allowed)
        #expect(await complete(manager, allowedID)?.state == .completed)
        await manager.close()
    }

    @Test("The handler of the app is called once, also if it is set after the delivery")
    @MainActor
    func handler() async throws {
        let manager = try manager()
        let calls = Mutex(0)
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        manager.backgroundCompletionHandler = { calls.withLock { $0 += 1 } }
        #expect(calls.withLock { $0 } == 1 && manager.backgroundCompletionHandler == nil)
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        await manager.backgroundEventsHandled()
        #expect(calls.withLock { $0 } == 1)
        await manager.close()
    }

    // MARK: Uploads

    private func uploader() throws -> BackgroundUploader {
        let transfers = fixture.process().transfers
        return try BackgroundUploader(directory: fixture.directory) { transfers }
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
