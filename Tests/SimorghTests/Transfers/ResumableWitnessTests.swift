// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Resumable uploads to independent servers, interrupted and resumed.
@Suite(.timeLimit(.minutes(10)))
struct ResumableWitnessTests {
    struct Report: Decodable {
        var received: Int64
        var size: Int64
        var sha256: String
        var requests: Int
        var complete: Bool?
    }

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("resume-\(UUID().uuidString)")
        .path

    /// Creates a file of bytes that do not repeat, and returns its hash as computed by another program.
    private func makeFile(_ count: Int) async throws -> (path: String, sha256: String) {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/birds.bin"
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var words = [UInt64](repeating: 0, count: count / 8)
        for index in words.indices {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            words[index] = state
        }
        try words.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        let outcome = try await ChildProcess.run("/usr/bin/sha256sum", arguments: [path])
        return (path, String(outcome.text.prefix(64)))
    }

    private func upload(_ path: String, _ endpoint: String, _ style: ResumableUpload.Style) -> ResumableUpload {
        var upload = ResumableUpload(file: path, to: endpoint, style: style)
        upload.store = FileUploadStore(folder: "\(folder)/store")
        upload.retryDelay = .milliseconds(10)
        return upload
    }

    /// Uploads with a new client, as another process would, and cancels once the given fraction was sent.
    private func run(_ upload: ResumableUpload, stoppingAt fraction: Double = 2) async throws -> ResumableUpload.Receipt
    {
        let client = APIClient(transport: NIOTransport())
        let running = Mutex<Task<ResumableUpload.Receipt, any Error>?>(nil)
        // Without this gate the whole file could be sent before the task to cancel is known.
        let isKnown = Gate()
        let task = Task {
            try await isKnown.wait()
            return try await client.upload(upload) { progress in
                if progress.fraction >= fraction { running.withLock { $0?.cancel() } }
            }
        }
        running.withLock { $0 = task }
        isKnown.open()
        return try await task.value
    }

    @Test(
        "tus: an upload interrupted twice is resumed by other clients, and only the last few bytes are resent"
    )
    func tus() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = 48 * 1024 * 1024
        let (path, sha256) = try await makeFile(count)
        let server = try Witness.tus.url
        var upload = upload(path, "\(server)/files", .tus)
        upload.chunkSize = nil
        let reports = APIClient(baseURL: server)
        var known: Report?
        for (turn, stop) in [(1, 0.3), (2, 0.6)] {
            do {
                _ = try await run(upload, stoppingAt: stop)
                Issue.record("the upload was not cancelled")
            } catch let error as NetworkError {
                #expect(error.isCancelled)
            }
            let place = try #require(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/store").first)
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/store/\(place)"))
            let record = try JSONDecoder().decode(UploadRecord.self, from: data)
            known = try await reports.get(
                "report/\(record.url.split(separator: "/").last ?? "")", query: ["after": turn])
            #expect((known?.size ?? 0) > 0 && (known?.size ?? 0) < count)
        }
        let receipt = try await run(upload)
        let report: Report = try await reports.get(
            "report/\(receipt.url?.split(separator: "/").last ?? "")", query: ["after": 3])
        #expect(report.size == count && report.sha256 == sha256)
        #expect(receipt.sent == Int64(count) - (known?.size ?? 0))
        // Only bytes that a lost request had delivered and the server had not written arrive twice.
        #expect(report.received >= count && report.received < count + 2 * 1024 * 1024)
        #expect(report.requests == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/store").isEmpty)
    }

    @Test("tus: an upload in chunks completes, with and without creation-with-upload", arguments: [false, true])
    func tusWhole(createsWithUpload: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, sha256) = try await makeFile(3_000_000)
        let server = try Witness.tus.url
        var upload = upload(path, "files", .tus)
        upload.chunkSize = 1_000_000
        upload.createsWithUpload = createsWithUpload
        let client = APIClient(baseURL: server)
        let receipt = try await client.upload(upload)
        let report: Report = try await client.get("report/\(receipt.url?.split(separator: "/").last ?? "")")
        #expect(report.sha256 == sha256 && receipt.sent == 3_000_000)
    }

    @Test("tus: a terminated upload is removed from the server")
    func tusTerminated() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, _) = try await makeFile(16 * 1024 * 1024)
        let server = try Witness.tus.url
        var upload = upload(path, "\(server)/files", .tus)
        upload.chunkSize = nil
        _ = try? await run(upload, stoppingAt: 0.3)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/store")
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/store/\(names.first ?? "")"))
        let url = try JSONDecoder().decode(UploadRecord.self, from: data).url
        let name = url.split(separator: "/").last ?? ""
        let client = APIClient(baseURL: server)
        let _: Report = try await client.get("report/\(name)")
        // The endpoint is an absolute URL, which does not depend on the base URL.
        try await client.terminate(upload)
        let error = await #expect(throws: NetworkError.self) { let _: Report = try await client.get("report/\(name)") }
        #expect(error?.statusCode == 404)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/store").isEmpty)
    }

    @Test("Draft: interrupted uploads resume at the URL of the 104, in the first and in later requests")
    func draft() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = 8 * 1024 * 1024
        let (path, sha256) = try await makeFile(count)
        let server = try Witness.uploads.url
        var upload = upload(path, "\(server)/draft?cut=1000000,2500000,1", .draft)
        upload.chunkSize = nil
        let fractions = Mutex<[Double]>([])
        let receipt = try await APIClient().upload(upload) { progress in
            fractions.withLock { $0.append(progress.fraction) }
        }
        let report: Report = try await APIClient().get(try #require(receipt.url))
        #expect(report.sha256 == sha256 && report.received == count && report.complete == true && report.requests == 4)
        let told = fractions.withLock { $0 }
        #expect(told == told.sorted() && told.last == 1 && told.count { $0 == 1 } == 1)
        #expect(try JSONDecoder().decode(Report.self, from: receipt.response.body).sha256 == sha256)
    }

    @Test("Draft: a relative Location in a 104 is resolved against the URL that answered, not the requested one")
    func draftMoved() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = 4_000_000
        let (path, sha256) = try await makeFile(count)
        let server = try Witness.uploads.url
        var upload = upload(path, "\(server)/moved/away?relative=1&cut=1000000", .draft)
        upload.chunkSize = nil
        let receipt = try await APIClient().upload(upload)
        let place = try #require(receipt.url)
        #expect(place.hasPrefix("\(server)/draft/"))
        let report: Report = try await APIClient().get(place)
        #expect(report.sha256 == sha256 && report.received == count && report.requests == 2)
    }

    @Test("Draft: another client resumes after a cancellation, in chunks as large as the server allows")
    func draftRestart() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let count = 16 * 1024 * 1024
        let (path, sha256) = try await makeFile(count)
        let server = try Witness.uploads.url
        var upload = upload(path, "\(server)/draft?limit=3000000", .draft)
        upload.chunkSize = nil
        _ = try? await run(upload, stoppingAt: 0.4)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/store").count == 1)
        let receipt = try await run(upload)
        let report: Report = try await APIClient().get(try #require(receipt.url))
        #expect(report.sha256 == sha256 && report.size == count)
        #expect(report.received == count)
        #expect(receipt.sent < Int64(count) && receipt.sent > 0)
    }

    @Test("Draft: a file is sent in chunks, and one that fits in the first request is sent at once")
    func draftChunks() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, sha256) = try await makeFile(1_000_000)
        let server = try Witness.uploads.url
        for (chunk, requests) in [(300_000, 4), (1_000_000, 1), (5_000_000, 1)] {
            var upload = upload(path, "\(server)/draft", .draft)
            upload.chunkSize = Int64(chunk)
            let receipt = try await APIClient().upload(upload)
            let report = try JSONDecoder().decode(Report.self, from: receipt.response.body)
            #expect(report.sha256 == sha256 && report.requests == requests && report.complete == true)
        }
    }

    @Test(
        "Draft: without a 104 an interrupted upload is not resent, and a location at another origin is not used",
        arguments: ["quiet", "elsewhere"])
    func draftUnresumable(how: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, _) = try await makeFile(4_000_000)
        let server = try Witness.uploads.url
        var upload = upload(path, "\(server)/draft?\(how)=1&cut=1000000", .draft)
        upload.chunkSize = nil
        let error = await #expect(throws: NetworkError.self) { try await APIClient().upload(upload) }
        guard case .urlError = error else { throw error ?? .unknown }
    }

    @Test("A server without support for the draft accepts the upload as a normal one")
    func draftUnknown() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (path, sha256) = try await makeFile(400_000)
        struct Count: Decodable { var sha256: String }
        let upload = upload(path, "\(try Witness.uploads.url)/count", .draft)
        let receipt = try await APIClient().upload(upload)
        #expect(receipt.url == nil)
        #expect(try JSONDecoder().decode(Count.self, from: receipt.response.body).sha256 == sha256)
    }
}
