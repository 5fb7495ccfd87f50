// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

/// Faults at the borders of a background session: hostile requests, early and late events, ends of the process.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundFaultTests {
    private let fixture = BackgroundFixture()

    private func write(_ text: String, to name: String, of id: UUID) throws {
        let folder = DownloadFolder(in: fixture.directory.path, id: id).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    private func exists(_ id: UUID) -> Bool {
        FileManager.default.fileExists(atPath: DownloadFolder(in: fixture.directory.path, id: id).path)
    }

    // MARK: Events

    @Test("Resume data that come after the transfer was discarded are not stored", arguments: [true, false])
    func lateResumeData(isCallbackFirst: Bool) async throws {
        let process = fixture.process()
        let order = process.order()
        try write("", to: ".journal", of: order.id)
        let call = await process.call(order)
        call.cancel()
        #expect(await call.value == .failure(.cancelled))
        process.transfers.discard(order.id)
        process.transfers.flush()
        let callback = try #require(fixture.system.task(1)?.stopCompletion)
        if isCallbackFirst { callback(Data([1])) }
        process.transfers.flush()
        fixture.system.deliverAll()
        if !isCallbackFirst { callback(Data([1])) }
        process.transfers.flush()
        #expect(process.files(of: order.id) == [".journal"])
        #expect(process.transfers.isIdle)
    }

    @Test("A discarded transfer leaves no empty folder")
    func emptyFolder() {
        let process = fixture.process()
        let order = process.order()
        process.transfers.discard(order.id)
        process.transfers.flush()
        #expect(!exists(order.id))
    }

    @Test("A task that the system cancels is created again once")
    func cancelledAgain() async {
        let process = fixture.process()
        let call = await process.call(process.order())
        fixture.system.fail(1, code: -999)
        fixture.system.deliverAll()
        process.transfers.flush()
        #expect(fixture.system.started == [1, 2])
        fixture.system.fail(2, code: -999)
        fixture.system.deliverAll()
        #expect(await call.value == .failure(.cancelled))
        #expect(fixture.system.started == [1, 2])
    }

    @Test("The timer of an earlier delivery does not tell a later one")
    func timerOfEarlierDelivery() {
        var machine = BackgroundTransferStateMachine()
        let first = BackgroundSessionTask(number: 1, id: UUID(), url: "https://a.test/1")
        let second = BackgroundSessionTask(number: 2, id: UUID(), url: "https://a.test/2")
        #expect(machine.handle(.listed([])).isEmpty)
        #expect(machine.handle(.kept(first, nil)).isEmpty)
        #expect(machine.handle(.delivered) == [.waitToTell(delivery: 1)])
        #expect(machine.handle(.settled(first.id)) == [.tell])
        #expect(machine.handle(.kept(second, nil)).isEmpty)
        #expect(machine.handle(.delivered) == [.waitToTell(delivery: 2)])
        #expect(machine.handle(.waitedToTell(delivery: 1)).isEmpty)
        #expect(machine.handle(.delivered).isEmpty)
        #expect(machine.handle(.waitedToTell(delivery: 2)) == [.tell])
    }

    @Test("A file that arrives before the folder of its download is known is kept")
    func beforeAttaching() async throws {
        let id = UUID()
        try write("", to: ".journal", of: id)
        let path = fixture.system.folder.appendingPathComponent("early").path
        try Data("early".utf8).write(to: URL(fileURLWithPath: path))
        let task = BackgroundSessionTask(number: 1, id: id, url: "https://a.test/file")
        let response = BackgroundResponse(url: task.url, status: 200, fields: [:])
        let system = fixture.system
        let transfers = BackgroundTransfers(timer: { _, _ in }) { queue, events in
            queue.async { events(.file(task, response, path: path)) }
            return system.session(queue, events)
        }
        for _ in 0..<1000 { await Task.yield() }
        transfers.attach(fixture.directory.path, user: UUID(), action: nil)
        transfers.flush()
        let folder = DownloadFolder(in: fixture.directory.path, id: id)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.fetched)) == Data("early".utf8))
    }

    @Test("The head of a download is stored without cookies, for this user only")
    func head() throws {
        let process = fixture.process()
        let order = process.order()
        let path = fixture.system.folder.appendingPathComponent("file").path
        try Data("file".utf8).write(to: URL(fileURLWithPath: path))
        let task = BackgroundSessionTask(number: 1, id: order.id, url: order.url)
        let fields: HTTPFields = [.setCookie: "session=secret", .eTag: "\"1\""]
        fixture.system.add(
            .file(task, BackgroundResponse(url: order.url, status: 200, fields: fields), path: path))
        fixture.system.deliverAll()
        let head = DownloadFolder(in: process.directory.path, id: order.id).fetchedResponse
        let text = try String(contentsOf: URL(fileURLWithPath: head), encoding: .utf8)
        #expect(!text.contains("secret") && text.lowercased().contains("etag"))
        let attributes = try FileManager.default.attributesOfItem(atPath: head)
        #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
    }

    // MARK: Requests for which Foundation ends the program

    @Test("An upload that Foundation does not accept is refused before a task is created")
    func refusedUploads() async throws {
        let process = fixture.process()
        let uploader = try BackgroundUploader(directory: fixture.directory) { _ in process.transfers }
        let file = fixture.root.appendingPathComponent("file")
        try Data("file".utf8).write(to: file)
        let url = try #require(URL(string: "https://a.test/file"))
        let changes: [@Sendable (inout BackgroundUpload) -> Void] = [
            { $0.url = URL(fileURLWithPath: "/file") },
            { $0.url = URL(string: "ftp://a.test/file") ?? $0.url },
            { $0.method = "NO TOKEN" },
            { $0.headers = ["X-Name": "a\r\nX-Other: b"] },
            { $0.headers = ["not a name": "a"] },
            { $0.file = URL(fileURLWithPath: "/does/not/exist") },
            { $0.file = URL(fileURLWithPath: "/") },
        ]
        for change in changes {
            var upload = BackgroundUpload(file: file, to: url)
            change(&upload)
            let refused = upload
            await #expect(throws: TransportError.self) { _ = try await uploader.upload(refused) }
        }
        #expect(fixture.system.started.isEmpty && uploader.unfinishedUploads.isEmpty)
        process.transfers.flush()
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).isEmpty)
    }

    @Test("An empty identifier is refused")
    func identifier() throws {
        #expect(throws: TransportError.self) { try BackgroundSessionSettings(identifier: "").validate() }
        try BackgroundSessionSettings(identifier: "a").validate()
        #expect(throws: DownloadError.self) { try manager { $0.backgroundSessionIdentifier = "" } }
    }

    @Test("An uploader whose folder cannot be created uses no session")
    func uploaderWithoutFolder() throws {
        let blocked = fixture.root.appendingPathComponent("blocked")
        try Data().write(to: blocked)
        #expect(throws: TransportError.self) {
            try BackgroundUploader(directory: blocked.appendingPathComponent("uploads")) { [fixture] _ in
                Issue.record("a session was created")
                return fixture.process().transfers
            }
        }
    }

    // MARK: Ends of the process

    private func manager(change: (inout DownloadManagerConfig) -> Void = { _ in }) throws -> DownloadManager {
        var config = DownloadManagerConfig(downloadDirectory: fixture.directory, minFreeDiskSpace: 0)
        config.backgroundSessionIdentifier = "test"
        change(&config)
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        let transfers = fixture.process().transfers
        return try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: FakeOrigin([])),
            backend: BackgroundDownloadBackend { _ in transfers })
    }

    @Test("A process that ends while it removes a cancelled download leaves that to the next one, with the task")
    func cancelledDownload() async throws {
        let url = try #require(URL(string: "https://a.test/file"))
        let first = try manager()
        let id = try first.enqueue(url: url)
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.kill()
        await first.close()
        let folder = DownloadFolder(in: fixture.directory.path, id: id)
        let journal = try #require(try JournalFile.open(folder.journal)).file
        try journal.append(.state(.cancelled, attempt: 0, message: nil), isSynced: true)
        for name in DownloadFolder.backendNames { try write("left", to: name, of: id) }
        let second = try manager()
        await second.close()
        while fixture.system.cancelled.isEmpty { await Task.yield() }
        #expect(fixture.system.cancelled == [1] && !exists(id))
    }

    @Test("Files that a backend stored for a removed download are removed at the next start")
    func orphans() async throws {
        let id = UUID()
        try write("left", to: ".fetched", of: id)
        await (try manager()).close()
        #expect(!exists(id))
    }

    @Test("An uploader removes the uploads that an earlier process was about to forget, and no downloads")
    func forgottenUploads() throws {
        let (forgotten, download) = (UUID(), UUID())
        for name in DownloadFolder.backendNames { try write("left", to: name, of: forgotten) }
        try write("kept", to: ".fetched", of: download)
        try write("kept", to: ".journal", of: download)
        let number = fixture.system.add(BackgroundOrder(id: forgotten, url: "https://a.test/file"), state: .running)
        let process = fixture.process()
        let uploader = try BackgroundUploader(directory: fixture.directory) { _ in process.transfers }
        process.transfers.flush()
        #expect(!exists(forgotten) && process.files(of: download) == [".fetched", ".journal"])
        #expect(fixture.system.cancelled == [number])
        withExtendedLifetime(uploader) {}
    }
}
