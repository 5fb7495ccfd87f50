// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCompatibility
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MultipartTests {
    private func chunks(_ body: RequestBody) async throws -> [Data] {
        guard case .chunks(let make) = body.content else { return [] }
        var iterator = make()
        var chunks: [Data] = []
        while let chunk = try await iterator.next(isolation: #isolation) { chunks.append(chunk) }
        return chunks
    }

    private func sent(_ body: RequestBody) async throws -> Data { try await chunks(body).reduce(Data(), +) }

    @Test("SMA15, NET12: a form is written as in RFC 7578, and its length is the number of its bytes")
    func form() async throws {
        let body = try RequestBody.form(
            [
                .text(name: "checksum", value: "abc 123\nø"),
                .file(name: "file", data: Data([0, 1, 255]), fileName: "a.zip", mimeType: "application/zip"),
                .file(name: "raw", data: Data(), fileName: "b"),
            ], boundary: "B")
        var expected = Data("--B\r\nContent-Disposition: form-data; name=\"checksum\"\r\n\r\nabc 123\r\nø".utf8)
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

    @Test("A form without fields consists of the closing delimiter")
    func empty() async throws {
        let body = try RequestBody.form([], boundary: "B")
        #expect(try await sent(body) == Data("--B--\r\n".utf8))
        #expect(body.length == 7)
    }

    @Test(
        "EK12: names are escaped as in the WHATWG standard, so they cannot end their quotes or line",
        arguments: [
            ("a\"; x=\"b", "a%22; x=%22b", "a%22; x=%22b"),
            ("a\r\nX-Evil: 1", "a%0D%0AX-Evil: 1", "a%0D%0AX-Evil: 1"),
            ("a\rb\nc", "a%0D%0Ab%0D%0Ac", "a%0Db%0Ac"),
            ("back\\slash\\", "back\\slash\\", "back\\slash\\"),
            ("100%22 é😀\t", "100%22 é😀\t", "100%22 é😀\t"),
        ])
    func escaped(hostile: String, name: String, fileName: String) async throws {
        let body = try RequestBody.form(
            [
                .text(name: hostile, value: "v"),
                .file(name: hostile, data: Data(), fileName: hostile, mimeType: "a/b"),
                .part(name: hostile, body: .bytes(Data(), contentType: nil), fileName: hostile),
            ], boundary: "B")
        let text = String(decoding: try await sent(body), as: UTF8.self)
        #expect(text.contains("\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\nv"))
        #expect(text.contains("; name=\"\(name)\"; filename=\"\(fileName)\"\r\nContent-Type: a/b\r\n"))
        #expect(text.components(separatedBy: "\r\n").count == 16)
        #expect(body.length == Int64(text.utf8.count))
    }

    @Test(
        "Control characters in a field or file name (a\\0b) are refused before anything is sent",
        arguments: ["a\u{0}b", "a\u{1B}[2Jb", "a\u{7F}", "\u{1F}"])
    func controlCharacters(name: String) {
        for field in [
            MultipartFormField.text(name: name, value: "v"), .file(name: "f", data: Data(), fileName: name),
            .part(name: name, body: .text("x")), .part(name: "f", body: .text("x"), fileName: name),
        ] {
            let error = #expect(throws: InvalidRequestError.self) { try RequestBody.multipart([field]) }
            #expect(error?.reason == .invalidHeader)
            #expect(error?.message.contains("control character") == true)
        }
    }

    @Test("Line breaks of a text field become CR LF; a file's bytes stay", arguments: ["a\nb", "a\rb", "a\r\nb"])
    func lineBreaks(text: String) async throws {
        let body = try RequestBody.form(
            [.text(name: "t", value: text), .file(name: "f", data: Data(text.utf8), fileName: "f.txt")], boundary: "B")
        let sent = String(decoding: try await sent(body), as: UTF8.self)
        #expect(sent.contains("\r\n\r\na\r\nb\r\n--B"))
        #expect(sent.contains("Content-Type: text/plain\r\n\r\n\(text)\r\n--B--"))
    }

    @Test("A file's media type cannot inject a header field", arguments: ["a/b\r\nX-Evil: 2", "a\nb", "\u{0}"])
    func mimeType(type: String) {
        let error = #expect(throws: InvalidRequestError.self) {
            try RequestBody.multipart([.file(name: "f", data: Data(), fileName: "f", mimeType: type)])
        }
        #expect(error?.reason == .invalidHeader)
    }

    @Test("Each form has a unique boundary that is valid in a header and in the body")
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

    @Test("A large file is sent in bounded chunks, none of them empty")
    func bounded() async throws {
        let file = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let body = try RequestBody.form([.file(name: "f", data: file.dropFirst(10), fileName: "f")], boundary: "B")
        let chunks = try await chunks(body)
        #expect(chunks.allSatisfy { (1...128 * 1024).contains($0.count) })
        #expect(chunks.reduce(0) { $0 + $1.count } == Int(try #require(body.length)))
        #expect(chunks.reduce(Data(), +).range(of: file.dropFirst(10)) != nil)
    }

    @Test("A file is read while it is sent; its type is detected from its bytes, its name from its path")
    func files() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("form-\(UUID().uuidString).bin").path
        var content = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        content.append(Data(repeating: 7, count: 300_000))
        try content.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let body = try RequestBody.form(
            [
                .filePath(name: "a", path: path), .fileURL(name: "b", url: URL(fileURLWithPath: path), fileName: "x.y"),
                .filePath(name: "c", path: path, mimeType: "a/b"),
            ], boundary: "B")
        #expect(body.replayability == .replayable)
        for _ in 0..<2 {
            let bytes = try await sent(body)
            #expect(body.length == Int64(bytes.count))
            let name = URL(fileURLWithPath: path).lastPathComponent
            for head in [
                "name=\"a\"; filename=\"\(name)\"\r\nContent-Type: image/png\r\n\r\n",
                "name=\"b\"; filename=\"x.y\"\r\nContent-Type: image/png\r\n\r\n", "Content-Type: a/b\r\n\r\n",
            ] {
                var part = Data(head.utf8)
                part.append(content)
                #expect(bytes.range(of: part) != nil)
            }
        }
    }

    @Test("A missing file is detected before anything is sent")
    func missing() {
        let fields: [MultipartFormField] = [
            .filePath(name: "a", path: "/nowhere/a"),
            .fileURL(name: "a", url: URL(string: "https://a.test/b") ?? URL(fileURLWithPath: "/")),
        ]
        for field in fields {
            let error = #expect(throws: InvalidRequestError.self) { try RequestBody.multipart([field]) }
            #expect(error?.reason == .unreadableFile)
        }
    }

    private func stream(_ pieces: [String]) -> DataChunks { DataChunks(pieces: pieces.map { Data($0.utf8) }) }

    @Test("A stream of known length gives the form a length; one of unknown length does not")
    func streams() async throws {
        let known = MultipartFormField.stream(name: "s", fileName: "a.csv", length: 4) { stream(["a,", "b\n"]) }
        let unknown = MultipartFormField.stream(name: "s", fileName: nil) { stream(["x"]) }
        let body = try RequestBody.form([known, .text(name: "t", value: "v")], boundary: "B")
        let bytes = try await sent(body)
        #expect(body.length == Int64(bytes.count))
        #expect(
            String(decoding: bytes, as: UTF8.self).contains(
                "filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\na,b\n\r\n--B"))
        #expect(try await sent(body) == bytes)
        let open = try RequestBody.form([unknown, known], boundary: "B")
        #expect(open.length == nil)
        #expect(String(decoding: try await sent(open), as: UTF8.self).contains("name=\"s\"\r\n\r\nx\r\n--B"))
    }

    @Test("A form with a single-use part can be sent once; JSON can be a part")
    func replayability() async throws {
        let once = MultipartFormField.part(name: "o", body: .once(stream(["x"]), length: 1), fileName: nil)
        #expect(try RequestBody.multipart([.text(name: "a", value: "b"), once]).replayability == .once)
        let json = try RequestBody.form([.part(name: "j", body: .json(["a": 1]))], boundary: "B")
        #expect(json.bytes == nil && !json.isEncoded)
        let encoded = try json.encoded(with: JSONEncoder())
        let bytes = try await sent(encoded)
        #expect(encoded.length == Int64(bytes.count) && encoded.contentType == json.contentType)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("name=\"j\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n--B--"))
    }

    @Test("A part whose length differs from the declared one is an error, not a malformed form", arguments: [3, 5])
    func wrongLength(length: Int64) async throws {
        let body = try RequestBody.multipart(
            [.stream(name: "s", fileName: nil, length: length) { stream(["ab", "cd"]) }, .text(name: "t", value: "v")])
        await #expect(throws: ConcatenatedChunks.WrongLengthError.self) { try await sent(body) }
    }

    @Test("A form built with MultipartFormData is the same form")
    func steps() async throws {
        var form = MultipartFormData()
        form.addPart(name: "a", data: Data("b".utf8), mimeType: "text/plain")
        form.addPart(name: "f", data: Data([1]), mimeType: "image/png", filename: "f.png")
        let body = try RequestBody.multipart(form)
        let text = String(decoding: try await sent(body), as: UTF8.self)
        #expect(text.hasPrefix("--\(form.boundary)\r\n"))
        #expect(text.contains("name=\"a\"\r\nContent-Type: text/plain\r\n\r\nb\r\n"))
        #expect(text.contains("name=\"f\"; filename=\"f.png\"\r\nContent-Type: image/png\r\n\r\n"))
        #expect(MultipartFormData().boundary != form.boundary)
    }

    @Test("A cancelled task stops reading the form")
    func cancelled() async throws {
        let body = try RequestBody.multipart([.text(name: "a", value: "b")])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await chunks(body)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
