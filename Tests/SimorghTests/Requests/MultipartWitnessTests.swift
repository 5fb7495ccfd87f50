// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import TestSupport
import Testing

/// Multipart forms, read by independent parsers.
@Suite(.timeLimit(.minutes(10)))
struct MultipartWitnessTests {
    struct Part: Decodable, Hashable {
        var name: String
        var filename: String?
        var type: String?
        var size: Int
        var sha256: String
        var text: String?
    }

    static let readers = ["werkzeug", "python-multipart"]

    private func read(_ fields: [MultipartFormField], by reader: String) async throws -> [Part] {
        let client = APIClient(baseURL: try Witness.uploads.url)
        return try await client.upload(.multipart(fields), to: "multipart/\(reader)", method: .post).decode([Part].self)
    }

    @Test("NET12: fields and files of every source arrive unchanged", arguments: readers)
    func sources(reader: String) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("part-\(UUID().uuidString)").path
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let parts = try await read(
            [
                .text(name: "text", value: "a=b&c"), .file(name: "memory", data: Data("x,y\n".utf8), fileName: "a.csv"),
                .filePath(name: "file", path: path, fileName: "b.bin"),
                .stream(name: "stream", fileName: "c.txt", length: 5) { Pieces(text: "birds") },
                .part(name: "json", body: .json(["a": 1]), fileName: "d.json"),
            ], by: reader)
        let found = Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0) })
        #expect(found.count == 5)
        #expect(found["text"]?.text == "a=b&c" && found["text"]?.filename == nil)
        #expect(found["memory"]?.text == "x,y\n" && found["memory"]?.filename == "a.csv")
        #expect(found["file"]?.size == content.count)
        #expect(found["stream"]?.text == "birds")
        #expect(found["json"]?.text == "{\"a\":1}")
        if reader == "werkzeug" {
            #expect(found["memory"]?.type == "text/csv" && found["json"]?.type == "application/json")
        }
    }

    @Test("A stream of unknown length is sent chunked and parsed", arguments: readers)
    func chunked(reader: String) async throws {
        let text = String(repeating: "birds", count: 20_000)
        let parts = try await read([.stream(name: "s", fileName: "s.txt") { Pieces(text: text) }], by: reader)
        #expect(parts.map(\.size) == [100_000])
    }

    static let hostile = [
        "a\"; filename=\"evil.sh", "a\r\nX-Evil: 1\r\n\r\nbody", "line\nbreak", "é ü 😀 سیمرغ", "semi;colon=x", "%22",
        "a'b",
        "x\r\n--boundary", "tab\there",
    ]

    @Test("EK12: no name escapes its quoted parameter, and each field or file is one part", arguments: hostile, readers)
    func names(hostile: String, reader: String) async throws {
        let parts = try await read(
            [
                .file(name: hostile, data: Data("1".utf8), fileName: hostile, mimeType: "a/b"),
                .text(name: hostile, value: "2"),
            ],
            by: reader)
        #expect(parts.count == 2)
        #expect(Set(parts.compactMap(\.text)) == ["1", "2"])
        func escaped(_ text: String) -> String {
            text.replacingOccurrences(of: "\"", with: "%22").replacingOccurrences(of: "\r", with: "%0D")
                .replacingOccurrences(of: "\n", with: "%0A")
        }
        let name = escaped(
            hostile.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\n", with: "\r\n"))
        let fileName = escaped(hostile)
        // Werkzeug decodes %22, as parsers for browser forms do.
        func isSame(_ read: String?, _ sent: String) -> Bool {
            read == sent || read == sent.replacingOccurrences(of: "%22", with: "\"")
        }
        for part in parts {
            #expect(isSame(part.name, name), "\(part.name)")
            if let read = part.filename { #expect(isSame(read, fileName), "\(read)") }
        }
        #expect(parts.count { $0.filename != nil } == 1)
    }

    @Test("A backslash is sent unescaped, and no parser sees a different part", arguments: readers)
    func backslash(reader: String) async throws {
        for name in ["a\\b", "c:\\x\\y.txt", "\\\"; x=\\"] {
            let parts = try await read(
                [.file(name: "f", data: Data("1".utf8), fileName: name, mimeType: "a/b")], by: reader)
            #expect(parts.map(\.name) == ["f"] && parts.map(\.text) == ["1"])
        }
    }
}
