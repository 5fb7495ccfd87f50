// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// HTTP/1.1 bodies over TLS, where a write may make the channel unwritable and writable again before it returns.
@Suite("Uploads over TLS", .timeLimit(.minutes(5)))
struct SecureUploadTests {
    enum Source: String, CaseIterable, Sendable { case memory, known, chunked, file }

    /// Text without a repeated section.
    private static let text = Data(
        (0..<1_000_000).map { (index: Int) -> UInt8 in
            let mixed: Int = index &* 7 ^ (index >> 7) ^ (index >> 15)
            return 0x21 + UInt8(mixed & 63)
        })

    private static func body(_ source: Source, _ bytes: Data, _ file: URL) throws -> RequestBody {
        let stream: @Sendable () -> AsyncThrowingStream<Data, any Error> = {
            let sent = Mutex(0)
            return AsyncThrowingStream<Data, any Error> {
                sent.withLock { sent -> Data? in
                    guard sent < bytes.count else { return nil }
                    // Large and small chunks, neither a multiple of the write size.
                    let size = sent.isMultiple(of: 2) ? 150_001 : 20_000
                    defer { sent = min(bytes.count, sent + size) }
                    return bytes[sent..<min(bytes.count, sent + size)]
                }
            }
        }
        switch source {
        case .memory: return .bytes(bytes)
        case .known: return .stream(length: Int64(bytes.count), stream)
        case .chunked: return .stream(stream)
        case .file:
            try bytes.write(to: file)
            return try .file(file.path)
        }
    }

    @Test(
        "Each byte is sent once, and the connection can be reused", arguments: Source.allCases,
        [65_536, 65_537, 70_000, 131_072, 1_000_000])
    func once(_ source: Source, size: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "body \(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let bytes = Self.text.prefix(size)
        let (configuration, root) = try MockServer.Configuration.secure()
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let transport = NIOTransport()
            var options = TransportOptions()
            options.tls.additionalRoots = [root]
            options.delivery = .collected(upTo: 8_000_000)
            options.httpVersion = .http1Only
            let authority = "localhost:\(server.port)"
            for _ in 0..<3 {
                let request = TransportRequest(
                    head: HTTPRequest(method: .post, scheme: "https", authority: authority, path: "/anything"),
                    body: try Self.body(source, Data(bytes), file), options: options)
                let response = try await transport.send(request)
                let answer = try JSON(parsing: #require(response.body.collectedBytes))
                #expect(answer["data"].string == String(decoding: bytes, as: UTF8.self))
                #expect(response.timings.sentBytes >= Int64(size))
                #expect(response.timings.sentBytes < Int64(size + 2000))
            }
            #expect(transport.statistics.dialed == 1)
        }
    }
}
