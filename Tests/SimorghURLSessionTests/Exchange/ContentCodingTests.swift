// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghURLSession
import TestSupport
import Testing

@Suite("URLSession: Content-Encoding", .timeLimit(.minutes(5)))
struct ContentCodingTests {
    /// "hello, hello, hello" as gzip.
    private static let gzipped: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8,
        0x40,
        0xA2, 0x00, 0x9F, 0xA1, 0xCA, 0x09, 0x13, 0x00, 0x00, 0x00,
    ]

    private static func response(_ coding: String, _ body: [UInt8]) async throws -> TransportResponse {
        let server = try await RawServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"),
                .bytes(body),
            ]
        }
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/"))
        return try await URLSessionTransport().send(request)
    }

    @Test(
        "A body with identity or unknown labels beside gzip is decoded",
        arguments: ["gzip", "gzip, none", "identity,gzip"])
    func labels(coding: String) async throws {
        let response = try await Self.response(coding, Self.gzipped)
        #expect(response.body.collectedBytes == Data("hello, hello, hello".utf8))
        #expect(response.head.headerFields[.contentEncoding] == nil)
        #expect(response.head.headerFields[.contentLength] == nil)
    }

    @Test(
        "An unknown coding around gzip fails, and so does a body that is not valid gzip",
        arguments: [("gzip, aws-chunked", gzipped), ("gzip", Array("this is not gzip, not in the least".utf8))])
    func wrong(coding: String, body: [UInt8]) async throws {
        let error = await #expect(throws: TransportError.self) { try await Self.response(coding, body) }
        #expect(error?.code == .cannotDecodeContentData, "\(String(describing: error))")
    }
}
