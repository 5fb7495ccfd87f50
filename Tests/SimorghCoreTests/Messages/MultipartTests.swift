// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MultipartTests {
    private func chunks(_ body: RequestBody) async throws -> [Data] {
        guard case .chunks(let make) = body.content else { return [] }
        var iterator = make()
        var chunks: [Data] = []
        while let chunk = try await iterator.next(isolation: #isolation) { chunks.append(chunk) }
        return chunks
    }

    private func sent(_ body: RequestBody) async throws -> Data { try await chunks(body).reduce(Data(), +) }

    @Test("A form is written as RFC 7578 has it")
    func form() async throws {
        let body = try RequestBody.multipart(
            [
                .text(name: "checksum", value: "abc 123\nø"),
                .file(name: "file", data: Data([0, 1, 255]), fileName: "a.zip", mimeType: "application/zip"),
                .file(name: "raw", data: Data(), fileName: "b"),
            ], boundary: "B")
        var expected = Data("--B\r\nContent-Disposition: form-data; name=\"checksum\"\r\n\r\nabc 123\nø".utf8)
        expected += Data("\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zip\"\r\n".utf8)
        expected += Data("Content-Type: application/zip\r\n\r\n".utf8) + Data([0, 1, 255])
        expected += Data("\r\n--B\r\nContent-Disposition: form-data; name=\"raw\"; filename=\"b\"\r\n".utf8)
        expected += Data("Content-Type: application/octet-stream\r\n\r\n\r\n--B--\r\n".utf8)
        let bytes = try await sent(body)
        #expect(bytes == expected)
        #expect(body.length == Int64(expected.count))
        #expect(body.contentType == "multipart/form-data; boundary=B")
        #expect(body.replayability == .replayable)
        #expect(try await sent(body) == bytes)
    }

    @Test("A form without fields is its last line")
    func empty() async throws {
        let body = try RequestBody.multipart([], boundary: "B")
        #expect(try await sent(body) == Data("--B--\r\n".utf8))
        #expect(body.length == 7)
    }

    @Test("Names cannot end their quotes or their line")
    func escaped() async throws {
        let hostile = "a\"; x=\"\r\nX-Evil: 1\u{0}é"
        let body = try RequestBody.multipart(
            [.text(name: hostile, value: "v"), .file(name: hostile, data: Data(), fileName: hostile)], boundary: "B")
        let text = String(decoding: try await sent(body), as: UTF8.self)
        let safe = "\"a%22; x=%22%0D%0AX-Evil: 1%00é\""
        #expect(text.contains("name=\(safe)\r\n\r\nv"))
        #expect(text.contains("name=\(safe); filename=\(safe)\r\nContent-Type"))
        #expect(body.length == Int64(text.utf8.count))
    }

    @Test("A file's type cannot bring a header of its own", arguments: ["a/b\r\nX-Evil: 2", "a\nb", "\u{0}"])
    func mimeType(type: String) {
        let error = #expect(throws: InvalidRequest.self) {
            try RequestBody.multipart([.file(name: "f", data: Data(), fileName: "f", mimeType: type)])
        }
        #expect(error?.reason == .invalidHeader)
    }

    @Test("Each form has a boundary of its own, valid in a header and in the body")
    func boundaries() async throws {
        var seen: Set<String> = []
        for _ in 0..<100 {
            let body = try RequestBody.multipart([.text(name: "a", value: "b")])
            let type = try #require(body.contentType)
            let boundary = try #require(type.wholeMatch(of: /multipart\/form-data; boundary=([A-Za-z0-9-]{20,70})/)?.1)
            #expect(seen.insert(String(boundary)).inserted)
            #expect(String(decoding: try await sent(body), as: UTF8.self).hasPrefix("--\(boundary)\r\n"))
        }
    }

    @Test("A large file goes out in bounded chunks, none of them empty")
    func bounded() async throws {
        let file = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let body = try RequestBody.multipart([.file(name: "f", data: file.dropFirst(10), fileName: "f")], boundary: "B")
        let chunks = try await chunks(body)
        #expect(chunks.allSatisfy { (1...128 * 1024).contains($0.count) })
        #expect(chunks.reduce(0) { $0 + $1.count } == Int(try #require(body.length)))
        #expect(chunks.reduce(Data(), +).range(of: file.dropFirst(10)) != nil)
    }

    @Test("A cancelled task reads no further")
    func cancelled() async throws {
        let body = try RequestBody.multipart([.text(name: "a", value: "b")])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await chunks(body)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
