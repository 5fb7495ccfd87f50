// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// The owner of a resumed upload, and the limit of one upload at a time.
@Suite(.timeLimit(.minutes(10)))
struct ResumableUploadKeyTests {
    /// Records the requested keys.
    private final class KeyStore: UploadStore {
        private let records = Mutex<[String: UploadRecord]>([:])
        private let asked = Mutex<[String]>([])

        var keys: [String] { asked.withLock { $0 } }

        func record(for key: String) async throws -> UploadRecord? {
            asked.withLock { $0.append(key) }
            return records.withLock { $0[key] }
        }
        func save(_ record: UploadRecord, for key: String) async throws { records.withLock { $0[key] = record } }
        func remove(_ key: String) async throws { records.withLock { $0[key] = nil } }
    }

    private let server = FakeTus()
    private let store = KeyStore()
    private let file = TemporaryFile(Data(repeating: 7, count: 1000))

    private func upload(_ change: (inout ResumableUpload) -> Void = { _ in }) -> ResumableUpload {
        var upload = ResumableUpload(file: file.path, to: "files")
        upload.store = store
        upload.chunkSize = 300
        upload.retries = 0
        change(&upload)
        return upload
    }

    private func client(_ change: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient.scripted(server.transport, configure: change)
    }

    /// Interrupts an upload, starts another, and returns whether the second resumed the first.
    private func goesOn(
        _ first: (APIClient, ResumableUpload), _ second: (APIClient, ResumableUpload)
    ) async throws -> Bool {
        server.fail("PATCH", .status(503))
        _ = try? await first.0.upload(first.1)
        let before = server.log.count
        try await second.0.upload(second.1)
        return server.log[before] == "HEAD - 0"
    }

    @Test("The same upload resumes; one with other metadata, type or account starts again")
    func said() async throws {
        #expect(try await goesOn((client(), upload()), (client(), upload())))
        let metadata = upload { $0.metadata = ["title": "a", "b": "c"] }
        #expect(try await goesOn((client(), metadata), (client(), metadata)))
        for other in [
            upload(), upload { $0.metadata = ["title": "ab", "": "c"] }, upload { $0.contentType = "a/b" },
            upload { $0.account = "zal" },
        ] {
            #expect(try await !goesOn((client(), metadata), (client(), other)))
            try await client().terminate(metadata)
        }
    }

    private static let owners: [@Sendable (inout APIClient.Configuration) -> Void] = [
        { _ in },
        { $0.authentication = .basic(username: "zal", password: "feather") },
        { $0.authentication = .basic(username: "rostam", password: "feather") },
        { $0.authentication = .digest(username: "rudabeh", password: "feather") },
        { $0.authentication = .bearer("feather-1") },
        { $0.authentication = .bearer("feather-2") },
        { $0.authentication = .apiKey("feather-1", name: "X-Any") },
        { $0.headers["authorization"] = "Bearer feather-3" },
        { $0.headers["Cookie"] = "session=feather-4" },
    ]

    @Test("An upload with other credentials starts again, and no key shows a secret", arguments: owners.indices)
    func credentials(index: Int) async throws {
        let mine = client(Self.owners[index])
        for (other, configure) in Self.owners.enumerated() {
            #expect(try await goesOn((mine, upload()), (client(configure), upload())) == (other == index), "\(other)")
            try await mine.terminate(upload())
        }
        #expect(!store.keys.isEmpty && !store.keys.contains { $0.contains("feather") || $0.contains("zal") })
    }

    @Test("A new password, or a named account, resumes the upload of the same owner")
    func renewed() async throws {
        let first = client { $0.authentication = .basic(username: "zal", password: "old") }
        let second = client { $0.authentication = .basic(username: "zal", password: "new") }
        #expect(try await goesOn((first, upload()), (second, upload())))
        let named = upload { $0.account = "zal" }
        let (old, new) = (client { $0.authentication = .bearer("1") }, client { $0.authentication = .bearer("2") })
        #expect(try await goesOn((old, named), (new, named)))
    }

    @Test("A second concurrent upload and a termination are refused until the first upload ends")
    func atOnce() async throws {
        let gate = Gate()
        let held = StubServer { [server] request in
            if request.method == .patch { try await gate.wait() }
            return try server.answer(request)
        }
        let client = APIClient.scripted(held)
        let running = Task { try await client.upload(upload()) }
        _ = try await held.request(at: 1)
        for work in [
            { @Sendable in _ = try await client.with { $0.headers["X-A"] = "b" }.upload(upload()) },
            { @Sendable in try await client.terminate(upload()) },
        ] {
            let error = await #expect(throws: NetworkError.self) { try await work() }
            guard case .invalidRequest(let refusal, _) = error else { throw error ?? .unknown }
            #expect(refusal.reason == .uploadUnderWay)
        }
        #expect(held.requestCount == 2)
        running.cancel()
        _ = await running.result
        gate.open()
        #expect(try await client.upload(upload()).length == 1000)
        #expect(held.requests[2].method == .head)
    }
}
