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

/// A download manager over the scripted background session.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundDownloadBackendTests {
    private let fixture = BackgroundFixture()

    private func manager(
        _ transfers: BackgroundTransfers? = nil, tls: TLSOptions = TLSOptions(),
        access: NetworkAccess = NetworkAccess(),
        change: (inout DownloadManagerConfig) -> Void = { _ in }
    ) throws -> DownloadManager {
        var config = DownloadManagerConfig(
            retryPolicy: DownloadRetryPolicy(maximumAttempts: 1, initialDelay: 100, maximumDelay: 100),
            downloadDirectory: fixture.directory, minFreeDiskSpace: 0)
        config.backgroundSessionIdentifier = "test"
        change(&config)
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        configuration.tls = tls
        configuration.access = access
        let transfers = transfers ?? fixture.process(tls: tls).transfers
        return try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: FakeOrigin([])),
            backend: BackgroundDownloadBackend { _ in transfers })
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

    @Test(
        "Transfers continue when their manager is closed or released; the next manager gets their files",
        arguments: [true, false])
    func closing(isReleased: Bool) async throws {
        // In one process, managers share the session, so that a stop of the first one would reach the system.
        let transfers = fixture.process().transfers
        var first: DownloadManager? = try manager(transfers)
        let id = try #require(try first?.enqueue(url: url()))
        while fixture.system.running.isEmpty { await Task.yield() }
        if !isReleased { await first?.close() }
        first = nil
        // A released manager leaves the folder a little later.
        var second = try? manager(transfers)
        while isReleased, second == nil {
            await Task.yield()
            second = try? manager(transfers)
        }
        let manager = try #require(second)
        transfers.flush()
        #expect(fixture.system.running == [1] && fixture.system.started == [1] && fixture.system.cancelled.isEmpty)
        #expect(await complete(manager, id)?.state == .completed)
        await manager.close()
    }

    @Test("A retry is passed to the system with the time at which it may begin, which other network rules keep")
    func retry() async throws {
        let manager = try manager()
        let id = try manager.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.fail(1)
        fixture.system.deliverAll()
        while fixture.system.running.isEmpty { await Task.yield() }
        let begin = try #require(fixture.system.task(2)?.order.earliestBegin)
        #expect(begin > Date())
        manager.updateConfiguration { $0.allowsCellularAccess = false }
        while fixture.system.task(2)?.state != .cancelling { await Task.yield() }
        fixture.system.finishStopping(2)
        while fixture.system.started != [1, 2, 3] { await Task.yield() }
        #expect(fixture.system.task(3)?.order.earliestBegin == begin)
        #expect(await complete(manager, id)?.state == .completed)
        await manager.close()
    }

    @Test("A force quit pauses the download and says so")
    func forceQuit() async throws {
        let first = try self.manager()
        let id = try first.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.kill()
        await first.close()
        let manager = try manager()
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

    @Test("After a force quit, one resume continues a download that is not restored automatically")
    func oneResume() async throws {
        let first = try self.manager()
        let id = try first.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        fixture.system.kill()
        await first.close()
        fixture.system.fail(1, code: -999, cancellation: 0)
        let manager = try manager { $0.restoresAutomatically = false }
        fixture.system.deliverAll()
        #expect(manager.tasks.first?.state == .paused)
        try manager.resume(id: id)
        #expect(await complete(manager, id)?.state == .completed)
        await manager.close()
    }

    // MARK: Network rules

    @Test("A tighter rule reaches the transfers that the system has; a looser one only those without bytes")
    func changedRules() async throws {
        let manager = try manager()
        let id = try manager.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        #expect(fixture.system.task(1)?.order.allowsCellularAccess == true)
        manager.updateConfiguration { $0.allowsCellularAccess = false }
        while fixture.system.task(1)?.state != .cancelling { await Task.yield() }
        fixture.system.finishStopping(1)
        while fixture.system.started.count < 2 { await Task.yield() }
        #expect(fixture.system.task(2)?.order.allowsCellularAccess == false)
        #expect(fixture.system.task(2)?.isResumed == false)
        let order = try #require(fixture.system.task(2)?.order)
        let task = BackgroundSessionTask(number: 2, id: id, url: order.url)
        let states = manager.progress(for: id)
        fixture.system.add(.progress(task, count: 3, expected: 10))
        fixture.system.deliverAll()
        for await progress in states where progress.downloadedBytes == 3 { break }
        manager.updateConfiguration { $0.allowsCellularAccess = true }
        manager.updateConfiguration { $0.maxQueueSize = 7 }
        #expect(await complete(manager, id)?.state == .completed)
        #expect(fixture.system.started == [1, 2])
        await manager.close()
    }

    @Test("A transfer obeys the rules of the client and of the manager")
    func rules() async throws {
        var access = NetworkAccess()
        access.allowsCellular = false
        let manager = try manager(access: access) { $0.allowsExpensiveNetworkAccess = false }
        let id = try manager.enqueue(url: url())
        while fixture.system.running.isEmpty { await Task.yield() }
        let order = try #require(fixture.system.task(1)?.order)
        #expect(!order.allowsCellularAccess && !order.allowsExpensiveNetworkAccess)
        #expect(order.allowsConstrainedNetworkAccess)
        #expect(await complete(manager, id)?.state == .completed)
        await manager.close()
    }

    // MARK: Trust

    private var pinned: TLSOptions {
        var tls = TLSOptions()
        let pin = "sha256/" + String(repeating: "A", count: 43) + "="
        tls.pins = [TLSPins(host: "a.test", keys: [pin], needsBackup: false)]
        return tls
    }

    @Test("Downloads of a client with pins are transferred; a server that is not trusted fails them without a retry")
    func untrusted() async throws {
        let manager = try manager(tls: pinned) { $0.retryPolicy = DownloadRetryPolicy(maximumAttempts: 3) }
        let id = try manager.enqueue(url: url())
        #expect(await complete(manager, id)?.state == .completed)
        let refused = try manager.enqueue(url: url(1))
        while fixture.system.running.isEmpty { await Task.yield() }
        let error = TransportError(
            .serverCertificateUntrusted, phase: .tls, message: "not pinned", requestMayHaveBeenSent: false)
        fixture.system.fail(2, code: -999, refusal: BackgroundRefusal(error))
        fixture.system.deliverAll()
        let last = try #require(await manager.progress(for: refused).last())
        guard case .transport(.serverCertificateUntrusted, let message) = last.error else {
            Issue.record("unexpected end: \(last)")
            return
        }
        #expect(last.state == .failed && message.contains("not pinned") && fixture.system.started == [1, 2])
        await manager.close()
    }

    @Test("Another manager of the session with other TLS options fails its downloads by name")
    func otherTrust() async throws {
        let process = fixture.process(tls: pinned)
        let backend = BackgroundDownloadBackend { (tls) throws(TransportError) in
            try BackgroundTransfers.named("otherTrust", tls: tls) { fixture.system.session($1, $2) }
        }
        _ = try BackgroundTransfers.named("otherTrust", tls: pinned) { fixture.system.session($1, $2) }
        var config = DownloadManagerConfig(downloadDirectory: fixture.directory, minFreeDiskSpace: 0)
        config.backgroundSessionIdentifier = "otherTrust"
        let manager = try DownloadManager(
            config: config, client: APIClient(transport: FakeOrigin([])), backend: backend)
        let last = try #require(await manager.download(url: url()).last())
        #expect(last.error?.description.contains("otherTrust has other TLS options") == true)
        #expect(fixture.system.started.isEmpty)
        await manager.close()
        withExtendedLifetime(process) {}
    }

    @Test("A backend that is not attached creates no session, because it does not know the TLS options yet")
    func unattached() {
        let backend = BackgroundDownloadBackend { _ in
            Issue.record("a session was created")
            return BackgroundFixture().process().transfers
        }
        backend.onBackgroundEventsHandled {}
        backend.discard(UUID())
        backend.settle(UUID())
        backend.setPriority(.high, of: UUID())
    }

    @Test("TLS options that a session cannot apply are refused by name")
    func refusedOptions() async throws {
        let changes: [(String, (inout TLSOptions) -> Void)] = [
            ("tls.serverName", { $0.serverName = "b.test" }),
            ("tls.identity", { $0.identity = TLSIdentity(certificates: .text("pem")) }),
            (
                "tls.rules",
                {
                    var other = TLSOptions()
                    other.minimumVersion = .tls13
                    $0.rules = [TLSRule(host: "b.test", options: other)]
                }
            ),
            ("no backup pin", { $0.pins = [TLSPins(host: "*", keys: [])] }),
        ]
        for (index, (name, change)) in changes.enumerated() {
            var tls = TLSOptions()
            change(&tls)
            let manager = try manager(tls: tls)
            let last = try #require(await manager.download(url: url(index)).last())
            let text = try #require(last.error?.description)
            #expect(text.contains(name) || text.contains("there is no pin"), "\(text)")
            await manager.close()
        }
        #expect(fixture.system.started.isEmpty)
    }

    @Test("Secret fields are refused by name")
    func refused() async throws {
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

    @Test("A handler that is replaced before the delivery is called once, at once; a removed one is not called")
    @MainActor
    func replacedHandler() async throws {
        let manager = try manager()
        let calls = Mutex<[Int]>([])
        for number in 1...3 { manager.backgroundCompletionHandler = { calls.withLock { $0.append(number) } } }
        #expect(calls.withLock { $0 } == [1, 2])
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        while calls.withLock({ $0.count }) < 3 { await Task.yield() }
        manager.backgroundCompletionHandler = { calls.withLock { $0.append(4) } }
        manager.backgroundCompletionHandler = nil
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        await manager.backgroundEventsHandled()
        #expect(calls.withLock { $0 } == [1, 2, 3])
        await manager.close()
    }

    @Test("A handler that is set between a delivery and the call of the old one waits for its own delivery")
    @MainActor
    func handlerBetween() async throws {
        let manager = try manager()
        let calls = Mutex<[Int]>([])
        manager.backgroundCompletionHandler = { calls.withLock { $0.append(1) } }
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        // The manager calls the handler on the main actor, on which this test runs.
        manager.backgroundCompletionHandler = { calls.withLock { $0.append(2) } }
        await Task { @MainActor in }.value
        #expect(calls.withLock { $0 } == [1] && manager.backgroundCompletionHandler != nil)
        fixture.system.add(.delivered)
        fixture.system.deliverAll()
        while calls.withLock({ $0.count }) < 2 { await Task.yield() }
        #expect(calls.withLock { $0 } == [1, 2])
        await manager.close()
    }
}
