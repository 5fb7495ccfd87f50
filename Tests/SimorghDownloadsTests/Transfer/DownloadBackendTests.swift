// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadBackendTests {
    /// A background transfer service of the system.
    private final class FakeBackend: DownloadBackend {
        let folder: String
        let answers: Mutex<[(status: Int, fields: HTTPFields, bytes: [UInt8])]>
        let transfers = Mutex<[BackendTransfer]>([])
        let discarded = Mutex<[UUID]>([])
        let action = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ folder: String, _ answers: [(status: Int, fields: HTTPFields, bytes: [UInt8])]) {
            self.folder = folder
            self.answers = Mutex(answers)
        }

        func fetch(
            _ transfer: BackendTransfer, progress: @escaping @Sendable (Int64, Int64?) -> Void
        ) async throws(TransportError) -> BackendFile {
            transfers.withLock { $0.append(transfer) }
            guard let answer = answers.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                throw TransportError(.networkConnectionLost, phase: .body, message: "connection lost")
            }
            progress(Int64(answer.bytes.count), nil)
            let path = folder + "/\(UUID())"
            try? Data(answer.bytes).write(to: URL(filePath: path))
            return BackendFile(url: transfer.url, status: answer.status, fields: answer.fields, path: path)
        }

        func discard(_ id: UUID) { discarded.withLock { $0.append(id) } }

        func onBackgroundEventsHandled(_ action: @escaping @Sendable () -> Void) {
            self.action.withLock { $0 = action }
        }
    }

    private func run(
        _ answers: [(status: Int, fields: HTTPFields, bytes: [UInt8])], digest: DownloadDigest? = nil
    ) async throws -> (last: DownloadProgress, bytes: [UInt8]?, left: Int) {
        let place = DownloadTestFolder()
        let folder = place.folder.path + "/carried"
        try DownloadFileSystem.makeFolder(folder)
        let backend = FakeBackend(folder, answers)
        var config = DownloadManagerConfig(
            retryPolicy: DownloadRetryPolicy(maximumAttempts: 2, initialDelay: 0.001, maximumDelay: 0.002),
            downloadDirectory: place.folder, minFreeDiskSpace: 0)
        config.segments = 1
        var configuration = APIClient.Configuration()
        configuration.networkMonitor = nil
        let manager = try DownloadManager(
            config: config, client: APIClient(configuration: configuration, transport: FakeOrigin([])), backend: backend
        )
        var request = DownloadRequest(url: DownloadTestFolder.url)
        request.digest = digest
        let last = try #require(await manager.download(request).last())
        let bytes = last.localURL.flatMap { try? Data(contentsOf: $0) }.map(Array.init)
        await place.end(manager)
        #expect(backend.transfers.withLock { $0.first?.headers["Accept-Encoding"] } == "identity")
        return (last, bytes, try FileManager.default.contentsOfDirectory(atPath: folder).count)
    }

    @Test("A file of a backend is verified and named like any other")
    func whole() async throws {
        let bytes = DownloadTestFolder.bytes(5000)
        let outcome = try await run([
            (200, [.contentLength: "5000", .contentDisposition: "attachment; filename=a.dat"], bytes)
        ])
        #expect(outcome.last.state == .completed && outcome.last.localURL?.lastPathComponent == "a.dat")
        #expect(outcome.bytes == bytes && outcome.left == 0)
    }

    @Test("A 206 whose file the system completed counts with the whole length")
    func part() async throws {
        let bytes = DownloadTestFolder.bytes(5000)
        let outcome = try await run([(206, [.contentRange: "bytes 2000-4999/5000"], bytes)])
        #expect(outcome.last.state == .completed && outcome.bytes == bytes)
        let unknown = try await run([(206, [.contentRange: "bytes 2000-4999/*"], bytes)])
        #expect(unknown.last.state == .completed && unknown.bytes == bytes)
        let short = try await run([(206, [.contentRange: "bytes 2000-4999/*"], Array(bytes.prefix(4000)))])
        #expect(short.last.state == .failed && short.bytes == nil)
        let unasked = try await run([(206, [.contentRange: "bytes 0-2999/*"], Array(bytes.prefix(3000)))])
        #expect(unasked.last.state == .failed && unasked.bytes == nil)
    }

    @Test("A short body, an error page or a wrong digest is refused; transient errors are retried")
    func refused() async throws {
        let bytes = DownloadTestFolder.bytes(5000)
        let short = try await run([
            (200, [.contentLength: "6000"], bytes), (503, [:], [1]), (200, [.contentLength: "5000"], bytes),
        ])
        #expect(short.last.state == .completed && short.bytes == bytes && short.left == 0)
        let page = try await run([(404, [:], [1, 2, 3])])
        #expect(page.last.error == .httpStatus(404) && page.bytes == nil && page.left == 0)
        let wrong = DownloadDigest("sha-256=" + String(repeating: "00", count: 32))
        let other = try await run([(200, [:], bytes), (200, [:], bytes)], digest: wrong)
        guard case .digestMismatch = other.last.error else {
            Issue.record("unexpected end: \(other.last)")
            return
        }
    }
}
