// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UploadProgressTests {
    struct AddPhoto: NetworkRouter {
        struct Fields: Codable { var album: String; var year: Int }
        var path: String { "photos" }
        var method: RequestMethod? { .post }
        var headers: [String: String]? { ["Content-Type": "multipart/form-data", "X-Kind": "photo"] }
        var params: Fields? { Fields(album: "birds", year: 2026) }
    }

    struct Bare: NetworkRouter { var path: String { "photos" } }

    let transport = StubServer { _ in .json(["ok": true]) }
    let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(count: 300_000)

    private func chunks(_ count: Int, of size: Int) -> @Sendable () -> DataChunks {
        { DataChunks(pieces: (0..<count).map { Data(repeating: UInt8($0), count: size) }) }
    }

    @Test("A progress closure with one argument receives fractions, one with three also the bytes; both end at 1.0")
    func closures() async throws {
        let client = APIClient.scripted(transport)
        let (one, three) = (ProgressLog(), ProgressLog())
        let first: [String: Bool] = try await client.uploadRequest(Bare(), withName: "photo", data: picture) {
            progress in
            one.note(progress)
        }
        let second: [String: Bool] = try await client.uploadRequest(
            Bare(), formFields: [.file(name: "f", data: picture, fileName: "a.png"), .text(name: "a", value: "b")]
        ) { fraction, sent, total in
            three.note(fraction, sent, total)
        }
        #expect(first == ["ok": true] && second == ["ok": true])
        #expect(one.isMonotoneToTheEnd && one.all.count >= 3)
        #expect(three.isMonotoneToTheEnd && three.all.count >= 3)
        let last = try #require(three.all.last)
        let count = try await transport.request(at: 1).body.count
        #expect(last.sent == last.total && last.sent == Int64(count))
    }

    @Test("Bytes become a file part with the field's name and detected type; parameters are parts before it")
    func form() async throws {
        let _: [String: Bool] = try await APIClient.scripted(transport)
            .uploadRequest(AddPhoto(), withName: "photo", data: Data(picture.prefix(8)))
        let request = try await transport.request(at: 0)
        let type = try #require(request.header(.contentType))
        #expect(
            type.hasPrefix("multipart/form-data; boundary=")
                && request.head.headerFields[values: .contentType].count == 1)
        let name = try #require(HTTPField.Name("X-Kind"))
        #expect(request.header(name) == "photo")
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(text.contains("name=\"photo\"; filename=\"photo.png\"\r\nContent-Type: image/png\r\n\r\n"))
        let album = try #require(text.range(of: "name=\"album\"\r\n\r\nbirds\r\n"))
        let year = try #require(text.range(of: "name=\"year\"\r\n\r\n2026\r\n"))
        let photo = try #require(text.range(of: "name=\"photo\""))
        #expect(album.upperBound <= year.lowerBound && year.upperBound <= photo.lowerBound)
        #expect(request.method == .post)
    }

    @Test("Without a length no fraction but the final one is reported, and the total is unknown until then")
    func unknownTotal() async throws {
        let client = APIClient.scripted(transport)
        let log = ProgressLog()
        let body = RequestBody.stream(chunks(4, of: 1000))
        try await client.upload(body, to: "x").uploadProgress(delegate: log).void()
        #expect(log.all.dropLast().allSatisfy { $0.isIndeterminate && $0.fraction == 0 })
        #expect(log.all.map(\.sent) == [1000, 2000, 3000, 4000, 4000])
        #expect(log.all.last == UploadProgress(sent: 4000, total: 4000, isFinished: true))
        let (one, three) = (ProgressLog(), ProgressLog())
        let fields = [MultipartFormField.stream(name: "s", fileName: nil, chunks(2, of: 10))]
        let _: [String: Bool] = try await client.uploadRequest(Bare(), formFields: fields) { one.note($0) }
        let _: [String: Bool] = try await client.uploadRequest(Bare(), formFields: fields) { three.note($0, $1, $2) }
        #expect(one.fractions == [1])
        #expect(three.all.first?.total == -1 && three.isMonotoneToTheEnd)
    }

    @Test("EK14: a retried request never reports less progress, and uses the client's own transport")
    func retried() async throws {
        let again = Interceptor { request, next in
            for _ in 0..<2 {
                let response = try await next(request)
                if response.head.status == .ok { return response }
            }
            return try await next(request)
        }
        let transport = StubServer(inOrder: [
            .status(.serviceUnavailable), .status(.serviceUnavailable), .status(.ok),
        ])
        let client = APIClient.scripted(transport) { $0.interceptors = [again] }
        let log = ProgressLog()
        try await client.upload(.bytes(Data(count: 300_000)), to: "x").uploadProgress(delegate: log).void()
        #expect(transport.requestCount == 3)
        #expect(log.isMonotoneToTheEnd)
        #expect(log.all.map(\.sent) == [65536, 131072, 196608, 262144, 300_000])
        #expect(transport.requests.allSatisfy { $0.body.count == 300_000 })
    }

    @Test(
        "A refused upload never reports 1.0", arguments: [HTTPResponse.Status.internalServerError, .contentTooLarge])
    func refused(status: HTTPResponse.Status) async throws {
        let client = APIClient.scripted(StubServer { _ in .status(status) })
        let log = ProgressLog()
        await #expect(throws: NetworkError.self) {
            try await client.upload(.bytes(Data(count: 200_000)), to: "x").uploadProgress(delegate: log).void()
        }
        #expect(!log.all.isEmpty && log.fractions.allSatisfy { $0 < 1 })
    }

    @Test("EK11: cancelling before or during a progress request ends it at once; an uncancelled one ends at 1.0")
    func cancelled() async throws {
        let gate = Gate()
        let transport = StubServer { _ in
            try await gate.wait()
            return .json(["ok": true])
        }
        let client = APIClient.scripted(transport)
        let log = ProgressLog()
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let _: [String: Bool] = try await client.uploadRequest(Bare(), withName: "a", data: Data(count: 10)) {
                log.note($0)
            }
        }
        #expect((await before.result.failure as? NetworkError)?.isCancelled == true)
        #expect(log.all.isEmpty && transport.requestCount == 0)
        let during = Task {
            let _: [String: Bool] = try await client.uploadRequest(Bare(), withName: "a", data: Data(count: 10)) {
                log.note($0)
            }
        }
        _ = try await transport.request(at: 0)
        during.cancel()
        #expect((await during.result.failure as? NetworkError)?.isCancelled == true)
        #expect(log.fractions.allSatisfy { $0 < 1 })
        gate.open()
        let _: [String: Bool] = try await client.uploadRequest(Bare(), withName: "a", data: Data(count: 10)) {
            log.note($0)
        }
        #expect(log.fractions.last == 1)
    }

    @Test("The events of an upload are its progress, then 1.0, then the value")
    func events() async throws {
        let client = APIClient.scripted(transport)
        let call = client.upload(.bytes(Data(count: 200_000)), to: "x").decoding(.decodable([String: Bool].self))
        var fractions: [Double] = []
        var value: [String: Bool]?
        for try await event in call.uploadEvents() {
            switch event {
            case .progress(let progress):
                #expect(value == nil)
                fractions.append(progress.fraction)
            case .value(let came): value = came
            }
        }
        #expect(fractions.last == 1 && fractions == fractions.sorted())
        #expect(value == ["ok": true])
        #expect(transport.requestCount == 1)
    }

    @Test("Leaving the event loop stops the upload; a failure is thrown; a cancelled reader gets a cancellation error")
    func eventsEnd() async throws {
        let gate = Gate()
        let held = StubServer { _ in
            try await gate.wait()
            return .status(.ok)
        }
        let client = APIClient.scripted(held)
        let task = Task {
            for try await _ in client.upload(.bytes(Data(count: 200_000)), to: "x").uploadEvents() {}
        }
        _ = try await held.request(at: 0)
        task.cancel()
        #expect((await task.result.failure as? NetworkError)?.isCancelled == true)
        for try await _ in client.upload(.bytes(Data(count: 200_000)), to: "x").uploadEvents() { break }
        let failing = APIClient.scripted(StubServer { _ in .status(.notFound) })
        var iterator = failing.upload(.bytes(Data()), to: "x").uploadEvents().makeAsyncIterator()
        await #expect(throws: NetworkError.self) { while try await iterator.next() != nil {} }
        #expect(try await iterator.next() == nil)
    }

    @Test("The total timeout applies to uploads only if it was set, even to the default of 300 seconds")
    func timeouts() async throws {
        let client = APIClient.scripted(transport)
        try await client.upload(.bytes(Data()), to: "x").void()
        for seconds in [7, 300] {
            try await client.with { $0.timeouts.total = .seconds(seconds) }.upload(.bytes(Data()), to: "x").void()
            try await client.upload(.bytes(Data()), to: "x").with { $0.timeouts.total = .seconds(seconds) }.void()
        }
        try await client.call(.put, "x").void()
        let totals = transport.requests.map { $0.options?.timeouts.total }
        #expect(totals == [nil, .seconds(7), .seconds(7), .seconds(300), .seconds(300), Timeouts().total])
    }

    @Test("A file is sent unchanged, with the media type detected from its bytes")
    func file() async throws {
        let path = NSTemporaryDirectory() + "upload-\(UUID().uuidString).dat"
        try picture.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let client = APIClient.scripted(transport)
        try await client.upload(file: path, to: "a/b").void()
        try await client.upload(Bare(), file: path, contentType: "x/y").void()
        let (first, second) = (try await transport.request(at: 0), try await transport.request(at: 1))
        #expect(first.body == picture && second.body == picture)
        #expect(first.header(.contentType) == "image/png" && second.header(.contentType) == "x/y")
        #expect(first.method == .put && second.method == .post)
        let error = await #expect(throws: NetworkError.self) { try await client.upload(AddPhoto(), file: path).void() }
        guard case .invalidRequest(let refusal, _) = error else { throw error ?? .unknown }
        #expect(refusal.reason == .conflictingBodyTypes)
    }

    @Test("Concurrent counters report one value at a time, in order, and end once")
    func races() async {
        for _ in 0..<200 {
            let log = ProgressLog()
            let meter = UploadProgressReporter { log.uploadDidProgress($0) }
            await withTaskGroup(of: Void.self) { group in
                for attempt in 0..<4 {
                    group.addTask {
                        for count in 1...20 { meter.sent(Int64(count * 10 + attempt), of: 300) }
                    }
                }
            }
            await meter.finish()
            await meter.finish()
            meter.sent(299, of: 300)
            #expect(log.isMonotoneToTheEnd)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
