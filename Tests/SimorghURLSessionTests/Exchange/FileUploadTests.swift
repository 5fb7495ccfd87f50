// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

@Suite("URLSession: bodies from files", .timeLimit(.minutes(5)))
struct FileUploadTests {
    private static func upload(
        _ body: RequestBody, _ capabilities: SessionCapabilities = .linux
    ) async throws -> SessionUpload {
        try await SessionUpload(body, by: SessionClock(Timeouts()), capabilities: capabilities)
    }

    @Test("A file is sent by the session, without a copy; its progress is reported, and its bytes arrive")
    func sent() async throws {
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let file = TemporaryFile(content)
        let body = try RequestBody.file(file.path)
        let upload = try await Self.upload(body)
        #expect(upload.content == .file(URL(filePath: file.path), isTemporary: false))
        #expect(upload.length == 3_000_000)
        var configuration = MockServer.Configuration()
        configuration.protocols = [.http1]
        try await MockServer.with(configuration) { server in
            server.on(.put, path: "/x", response: .text("done"))
            var settings = APIClient.Configuration()
            settings.baseURL = server.url
            let client = APIClient(configuration: settings, transport: URLSessionTransport())
            try await client.call(.put, "x", body: body).void()
            #expect(server.requests.first?.body == content)
        }
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A file that vanished or has another length fails before it is sent", arguments: [nil, 5, 20])
    func changedBefore(length: Int?) async throws {
        let file = TemporaryFile(Data(count: 10))
        let body = try RequestBody.file(file.path)
        if let length {
            TemporaryFile.replace(file, with: Data(count: length))
        } else {
            try FileManager.default.removeItem(atPath: file.path)
        }
        let error = await #expect(throws: TransportError.self) { try await Self.upload(body) }
        #expect(error?.code == .requestBodyStreamExhausted)
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test("A failure is explained by a file that changed or vanished meanwhile", arguments: [nil, 5])
    func changedMeanwhile(length: Int?) async throws {
        let file = TemporaryFile(Data(count: 10))
        let upload = try await Self.upload(try .file(file.path))
        let lost = TransportError(.networkConnectionLost, phase: .request, message: "lost")
        #expect(await upload.explained(lost).code == .networkConnectionLost)
        if let length {
            TemporaryFile.replace(file, with: Data(count: length))
        } else {
            try FileManager.default.removeItem(atPath: file.path)
        }
        let error = await upload.explained(lost)
        #expect(error.code == .requestBodyStreamExhausted)
        #expect(error.requestMayHaveBeenSent)
        #expect(await upload.explained(.cancelled(phase: .request)).code == .cancelled)
    }

    @Test("Chunks are streamed where the session can stream, and collected elsewhere")
    func chunks() async throws {
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            continuation.yield(Data(count: 7))
            continuation.finish()
        }
        #expect(try await Self.upload(.once(chunks), .apple).content == .stream)
        #expect(try await Self.upload(.once(chunks), .apple).length == nil)
        let collected = try await Self.upload(.once(chunks), .linux)
        #expect(collected.content == .bytes(Data(count: 7)))
        #expect(collected.length == 7)
    }
}
