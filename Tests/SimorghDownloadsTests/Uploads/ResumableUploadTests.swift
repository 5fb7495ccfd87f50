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

@Suite(.timeLimit(.minutes(10)))
struct ResumableUploadTests {
    let server = FakeTus()
    let store = MemoryUploadStore()
    let clock = TestClock(movesItself: true)
    let file = TemporaryFile(Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }))

    private var client: APIClient { APIClient.scripted(server.transport) { $0.time = clock.timeSource } }

    private func upload(_ change: (inout ResumableUpload) -> Void = { _ in }) -> ResumableUpload {
        var upload = ResumableUpload(file: file.path, to: "files")
        upload.store = store
        upload.chunkSize = 300
        change(&upload)
        return upload
    }

    @Test("A file is sent in chunks, and its record removed at the end; progress is monotonic and ends at 1.0")
    func whole() async throws {
        let log = ProgressLog()
        let receipt = try await client.upload(upload { $0.metadata = ["title": "é", "bad name": "x"] }) {
            log.uploadDidProgress($0)
        }
        #expect(server.log == ["POST - 0", "PATCH 0 300", "PATCH 300 300", "PATCH 600 300", "PATCH 900 100"])
        #expect(server.contents == [file.content])
        #expect(receipt.url == "https://api.test/files/1" && receipt.length == 1000 && receipt.sent == 1000)
        #expect(store.all.isEmpty)
        #expect(log.isMonotoneToTheEnd)
        let name = Data(URL(filePath: file.path).lastPathComponent.utf8).base64EncodedString()
        let type = Data("application/octet-stream".utf8).base64EncodedString()
        #expect(server.state.withLock { $0.metadata } == "filename \(name),filetype \(type),title w6k=")
    }

    @Test(
        "After a connection lost in a chunk the offset is queried, and only the rest is sent",
        arguments: [0, 1, 299, 300])
    func lost(after: Int) async throws {
        server.fail("PATCH", .lost(after: after))
        let receipt = try await client.upload(upload())
        #expect(server.contents == [file.content])
        #expect(server.log.prefix(4) == ["POST - 0", "PATCH 0 300", "HEAD - 0", "PATCH \(after) 300"])
        #expect(receipt.length == 1000)
        #expect(clock.waits.count == 1)
    }

    @Test("An upload interrupted by the end of the process is resumed by the next one")
    func restart() async throws {
        for _ in 0..<3 { server.fail("PATCH", .status(503)) }
        _ = try? await client.upload(upload { $0.retries = 0 })
        #expect(store.all.map(\.url) == ["https://api.test/files/1"])
        server.state.withLock { state in
            state.faults = []
            state.uploads["/files/1"]?.data = file.content.prefix(450)
        }
        let log = ProgressLog()
        let receipt = try await client.upload(upload()) { log.uploadDidProgress($0) }
        #expect(receipt.sent == 550)
        #expect(server.contents == [file.content])
        #expect(server.log.suffix(3) == ["HEAD - 0", "PATCH 450 300", "PATCH 750 250"])
        #expect(log.all.first?.sent == 450 && log.isMonotoneToTheEnd)
    }

    @Test("Cancelling pauses the upload: nothing more is sent, and the record stays")
    func pause() async throws {
        let gate = Gate()
        let held = StubServer { [server] request in
            if request.method == .patch { try await gate.wait() }
            var headers = HTTPFields()
            if request.method == .post { headers[.location] = "/files/9" }
            _ = server
            return StubResponse(status: .created, headerFields: headers)
        }
        let client = APIClient.scripted(held)
        let task = Task { try await client.upload(upload()) }
        _ = try await held.request(at: 1)
        task.cancel()
        let result = await task.result
        guard case .failure(let error as NetworkError) = result, error.isCancelled else {
            Issue.record("\(result)")
            return
        }
        #expect(store.all.map(\.url) == ["https://api.test/files/9"])
        #expect(held.requestCount == 2)
    }

    @Test("A file that changed before the upload resumes is sent from the start; bytes of two files are never mixed")
    func changedBetween() async throws {
        server.fail("PATCH", .lost(after: 100))
        _ = try? await client.upload(upload { $0.retries = 0 })
        #expect(store.all.count == 1)
        let other = TemporaryFile.replace(file, with: Data(repeating: 9, count: 700))
        try await client.upload(upload())
        #expect(server.contents.last == other)
        #expect(!server.log.contains { $0.hasPrefix("HEAD") })
        #expect(store.all.isEmpty)
    }

    @Test("A file that changes while it is sent is sent again from the start, even at its last chunk")
    func changedMeanwhile() async throws {
        let new = Data(repeating: 3, count: 500)
        server.fail("PATCH", .meanwhile { [file] in TemporaryFile.replace(file, with: new) })
        try await client.upload(upload { $0.chunkSize = nil })
        #expect(server.contents.last == new)
        #expect(server.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    @Test("An upload that the server dropped starts again", arguments: [404, 410])
    func gone(status: Int) async throws {
        server.fail("PATCH", .lost(after: 10))
        server.fail("HEAD", .status(status))
        try await client.upload(upload())
        #expect(server.contents.last == file.content)
        #expect(server.log.filter { $0.hasPrefix("POST") }.count == 2)
    }

    /// Leaves the record of an upload from an earlier run.
    private func leaveBehind() async throws {
        server.fail("PATCH", .lost(after: 10))
        _ = try? await client.upload(upload { $0.retries = 0 })
        #expect(store.all.map(\.url) == ["https://api.test/files/1"])
        server.state.withLock { $0.log = [] }
    }

    @Test(
        "A lost upload of an earlier run starts again in the same run, with or without retries",
        arguments: [403, 404, 410], [0, 5])
    func goneSince(status: Int, retries: Int) async throws {
        try await leaveBehind()
        server.fail("HEAD", .status(status))
        let receipt = try await client.upload(upload { $0.retries = retries })
        #expect(receipt.url == "https://api.test/files/2" && receipt.sent == 1000)
        #expect(server.log.prefix(3) == ["HEAD - 0", "POST - 0", "PATCH 0 300"])
        #expect(server.contents.last == file.content && store.all.isEmpty)
    }

    @Test("A 403 to HEAD without a credential keeps the record, so a later run with one resumes (tus-js-client#239)")
    func forbidden() async throws {
        try await leaveBehind()
        server.fail("HEAD", .status(403))
        server.fail("POST", .status(403))
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload()) }
        #expect(error?.statusCode == 403)
        #expect(store.all.map(\.url) == ["https://api.test/files/1"])
        let receipt = try await client.upload(upload())
        #expect(receipt.url == "https://api.test/files/1" && receipt.sent == 990)
        #expect(server.contents == [file.content])
    }

    @Test("A 403 to HEAD with an Upload-Offset is thrown, because the upload still exists")
    func forbiddenOffset() async throws {
        try await leaveBehind()
        server.fail("HEAD", .status(403, ["Upload-Offset": "10"]))
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload()) }
        #expect(error?.statusCode == 403)
        #expect(server.log == ["HEAD - 0"] && store.all.count == 1)
    }

    @Test("After an offset conflict or a checksum mismatch the offset is queried", arguments: [409, 460])
    func conflict(status: Int) async throws {
        server.fail("PATCH", .status(status))
        try await client.upload(upload())
        #expect(server.contents == [file.content])
        #expect(server.log.prefix(4) == ["POST - 0", "PATCH 0 300", "HEAD - 0", "PATCH 0 300"])
    }

    @Test("Failures are bounded: delays double, then the last error is thrown and the record is kept")
    func bounded() async throws {
        for _ in 0..<10 {
            server.fail("PATCH", .status(503))
            server.fail("HEAD", .status(502))
        }
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload { $0.retries = 3 }) }
        #expect(error?.statusCode == 502)
        #expect(server.log.count == 5)
        let waits = clock.waits
        #expect(waits.count == 3)
        for (wait, most) in zip(waits, [1.0, 2, 4]) { #expect((most * 0.74...most).contains(wait / .seconds(1))) }
        #expect(store.all.count == 1)
    }

    @Test("A refusal is thrown at once, with the server's response", arguments: [400, 401, 403, 413])
    func refused(status: Int) async throws {
        server.fail("POST", .status(status))
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload()) }
        #expect(error?.statusCode == status)
        #expect(server.log == ["POST - 0"])
    }

    @Test(
        "An upload URL on another origin is refused unless it is allowed",
        arguments: [
            "https://evil.test/files/1", "//evil.test/files/1", "http://api.test/files/1", "https://api.test:444/f",
        ])
    func otherOrigin(location: String) async throws {
        server.fail("POST", .location(location))
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload()) }
        guard case .validation(let reason, _) = error else { throw error ?? .unknown }
        #expect(reason.contains("origin") && store.all.isEmpty && server.log.count == 1)
        let second = FakeTus()
        second.fail("POST", .location(location))
        var allowed = upload { $0.allowsOtherOrigins = true }
        allowed.retries = 0
        let transport = second.transport
        _ = try? await APIClient.scripted(transport).upload(allowed)
        #expect(transport.requestCount > 1)
    }

    @Test("A record with a URL of another origin is not used")
    func planted() async throws {
        server.fail("PATCH", .lost(after: 10))
        _ = try? await client.upload(upload { $0.retries = 0 })
        store.change { $0.url = "https://evil.test/files/1" }
        let transport = server.transport
        try await APIClient.scripted(transport).upload(upload())
        #expect(transport.requests.allSatisfy { $0.head.authority == "api.test" })
        #expect(server.contents.last == file.content)
    }

    @Test(
        "An offset that is not a number, or not in the file, is a failure",
        arguments: ["x", "-1", "1001", "99999999999999999999"])
    func nonsense(offset: String) async throws {
        server.fail("PATCH", .lost(after: 10))
        server.fail("HEAD", .offset(offset))
        await #expect(throws: NetworkError.self) { try await client.upload(upload()) }
        #expect(server.log.count == 3)
    }

    @Test("sendsChecksums adds a checksum to each chunk; createsWithUpload sends the first chunk with the creation")
    func extensions() async throws {
        try await client.upload(upload { $0.sendsChecksums = true })
        let sums = server.state.withLock { $0.checksums }
        #expect(sums.count == 4)
        #expect(sums.first == "sha1 wXHPgxa3xE7eeHFGk2r0A+DsneE=")
        let second = FakeTus()
        try await APIClient.scripted(second.transport).upload(upload { $0.createsWithUpload = true })
        #expect(second.log == ["POST - 300", "PATCH 300 300", "PATCH 600 300", "PATCH 900 100"])
        #expect(second.contents == [file.content])
    }

    @Test(
        "A complete file that may have been accepted is not sent twice; a temporarily refused one is",
        arguments: [(408, 1), (500, 1), (502, 1), (504, 1), (425, 2), (429, 2), (503, 2)],
        [ResumableUpload.Style.tus, .draft])
    func once(answer: (status: Int, posts: Int), style: ResumableUpload.Style) async throws {
        let transport = StubServer { _ in .status(HTTPResponse.Status(code: answer.status)) }
        let client = APIClient.scripted(transport) { $0.time = clock.timeSource }
        var upload = upload {
            $0.createsWithUpload = true; $0.chunkSize = nil; $0.retries = 1
        }
        upload.style = style
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload) }
        #expect(error?.statusCode == answer.status)
        #expect(transport.requestCount == answer.posts)
    }

    @Test("A server that ignores the draft and takes the first part for the whole file is a failure")
    func unaware() async throws {
        let transport = StubServer { _ in
            var headers = HTTPFields()
            headers[.location] = "/files/1"
            return StubResponse(status: .created, headerFields: headers)
        }
        var upload = upload()
        upload.style = .draft
        let error = await #expect(throws: NetworkError.self) { try await APIClient.scripted(transport).upload(upload) }
        guard case .validation(let reason, _) = error else { throw error ?? .unknown }
        #expect(reason.contains("does not support resumable uploads"))
        #expect(transport.requestCount == 1 && store.all.isEmpty)
    }

    @Test(
        "A redirect never leads an upload to another origin, or to a request without its body",
        arguments: [
            (307, "https://evil.test/files"), (308, "https://api.test:444/files"), (302, "/other"), (303, "/other"),
        ])
    func redirected(status: Int, location: String) async throws {
        server.fail("POST", .status(status, ["Location": location]))
        let transport = server.transport
        let error = await #expect(throws: NetworkError.self) {
            try await APIClient.scripted(transport).upload(upload())
        }
        #expect(error?.statusCode == status)
        #expect(transport.requestCount == 1)
    }

    @Test("A relative upload URL is resolved against the URL of its response")
    func relativePlace() async throws {
        server.fail("POST", .status(307, ["Location": "/files/new"]))
        server.fail("POST", .location("1"))
        let receipt = try await client.upload(upload())
        #expect(receipt.url == "https://api.test/files/1")
        #expect(server.contents == [file.content])
    }

    @Test("An upload URL with invalid characters is stored as it is requested")
    func unescapedPlace() async throws {
        let log = Mutex<[String]>([])
        let transport = StubServer { request in
            log.withLock { $0.append("\(request.method.rawValue) \(request.path)") }
            var headers = HTTPFields()
            headers[.location] = "/files/a b|c"
            return StubResponse(status: request.method == .post ? .created : .badRequest, headerFields: headers)
        }
        _ = try? await APIClient.scripted(transport).upload(upload())
        #expect(store.all.map(\.url) == ["https://api.test/files/a%20b%7Cc"])
        #expect(log.withLock { $0 } == ["POST /files", "PATCH /files/a%20b%7Cc"])
        // A URL that cannot be requested counts as missing.
        store.change { $0.url = "https://api.test/files/a b|c" }
        try await client.upload(upload())
        #expect(server.contents == [file.content])
    }

    @Test("An Upload-Offset beyond the sent bytes is queried again before it is used")
    func boasting() async throws {
        server.fail("PATCH", .offset("1000"))
        let receipt = try await client.upload(upload())
        #expect(server.log.prefix(4) == ["POST - 0", "PATCH 0 300", "HEAD - 0", "PATCH 300 300"])
        #expect(server.contents == [file.content] && receipt.length == 1000)
        let second = FakeTus()
        second.fail("POST", .offset("1000"))
        try await APIClient.scripted(second.transport).upload(upload())
        #expect(second.contents == [file.content])
    }

    @Test("An empty file is uploaded by its creation")
    func empty() async throws {
        TemporaryFile.replace(file, with: Data())
        let receipt = try await client.upload(upload())
        #expect(receipt.length == 0 && server.log == ["POST - 0"])
    }

    @Test("Terminating removes the upload from the server and its record; a second time does nothing")
    func terminate() async throws {
        server.fail("PATCH", .lost(after: 10))
        _ = try? await client.upload(upload { $0.retries = 0 })
        try await client.terminate(upload())
        #expect(server.contents.isEmpty && store.all.isEmpty)
        #expect(server.log.last == "DELETE - 0")
        try await client.terminate(upload())
        #expect(server.log.filter { $0.hasPrefix("DELETE") }.count == 1)
    }

    @Test(
        "Terminating an upload that the server lost, or refuses to remove, removes its record (tus-js-client#50)",
        arguments: [403, 404, 410])
    func terminateRefused(status: Int) async throws {
        try await leaveBehind()
        server.fail("DELETE", .status(status))
        try await client.terminate(upload())
        #expect(store.all.isEmpty && server.log == ["DELETE - 0"])
    }

    @Test("Terminating that fails for another reason keeps the record", arguments: [401, 423, 500])
    func terminateFailed(status: Int) async throws {
        try await leaveBehind()
        for _ in 0..<5 { server.fail("DELETE", .status(status)) }
        let error = await #expect(throws: NetworkError.self) { try await client.terminate(upload()) }
        #expect(error?.statusCode == status && store.all.count == 1)
    }

    @Test("The events of a resumable upload end with 1.0 and the receipt")
    func events() async throws {
        var fractions: [Double] = []
        var receipt: ResumableUpload.Receipt?
        for try await event in client.uploadEvents(upload()) {
            if case .value(let value) = event { receipt = value } else { fractions.append(event.fraction) }
        }
        #expect(fractions.last == 1 && receipt?.length == 1000)
    }

    @Test("A missing file is an invalid request")
    func missing() async throws {
        let upload = ResumableUpload(file: "/nowhere/at-all", to: "files")
        let error = await #expect(throws: NetworkError.self) { try await client.upload(upload) }
        guard case .invalidRequest = error else { throw error ?? .unknown }
        #expect(server.log.isEmpty)
    }
}
