// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// Random bytes recorded and replayed: a recording matches only the same request, and is returned unchanged.
@Suite(.timeLimit(.minutes(10)))
struct CassetteRandomTests {
    private static let url = "https://api.example.com/random"

    /// A request body with its media type.
    struct Sample: Equatable {
        var bytes: Data
        var type: String
        /// The bytes that are compared: the body, or the content of the only part.
        var content: [UInt8]
    }

    /// Returns random bytes, often invalid UTF-8, from so few choices that two results are sometimes equal.
    private static func content(_ random: inout SeededNumbers) -> [UInt8] {
        let pool: [[UInt8]] = [
            [0xFF], [0xFE], [0x80], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0x00], [0x0D, 0x0A], [0x2D, 0x2D], [0x61],
            Array("--xx".utf8), Array("\r\n--xx--".utf8), [0xEF, 0xBF, 0xBD],
        ]
        return (0..<Int.random(in: 0...3, using: &random)).flatMap { _ in pool.randomElement(using: &random) ?? [] }
    }

    private static func sample(_ random: inout SeededNumbers) -> Sample {
        let content = content(&random)
        guard Bool.random(using: &random) else {
            return Sample(bytes: Data(content), type: "application/octet-stream", content: content)
        }
        // A boundary that no content contains, as a client ensures.
        let boundary = "b\(Int.random(in: 0...9, using: &random))"
        let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n"
        let bytes = Data(head.utf8) + Data(content) + Data("\r\n--\(boundary)--\r\n".utf8)
        return Sample(bytes: bytes, type: "multipart/form-data; boundary=\(boundary)", content: content)
    }

    private static func isForm(_ sample: Sample) -> Bool { sample.type.hasPrefix("multipart") }

    @Test("A request matches if and only if its bytes are those recorded, ignoring the boundary", arguments: 0..<150)
    func matching(seed: Int) async throws {
        var random = SeededNumbers(UInt64(seed + 1))
        let recorded = Self.sample(&random)
        let others = (0..<6).map { _ in Self.sample(&random) }
        try await withCassetteFile { file in
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .text("x") }) { cassette in
                _ = try await cassette.ask(
                    .post, Self.url, body: .bytes(recorded.bytes), fields: [.contentType: recorded.type])
            }
            for asked in others + [recorded] {
                let cassette = try Cassette(file, mode: .replay)
                let answer = try? await cassette.ask(
                    .post, Self.url, body: .bytes(asked.bytes), fields: [.contentType: asked.type])
                let areForms = Self.isForm(asked) && Self.isForm(recorded)
                let isSame = asked.bytes == recorded.bytes || areForms && asked.content == recorded.content
                #expect((answer != nil) == isSame, "recorded \(recorded), asked \(asked)")
            }
        }
    }

    @Test("Random queries match if and only if they have the same items, as bytes", arguments: 0..<100)
    func queries(seed: Int) async throws {
        var random = SeededNumbers(UInt64(seed + 1))
        func item() -> String {
            let parts = ["a", "b", "%3D", "%C3%A9", "e%CC%81", "%FF", "%FE", "+", "%20", ""]
            let texts = (0..<2).map { _ in parts.randomElement(using: &random) ?? "" }
            return texts[0] + "=" + texts[1]
        }
        func query() -> [String] { (0..<Int.random(in: 1...2, using: &random)).map { _ in item() } }
        /// Returns the items with `+` normalized, in sorted order.
        func meaning(_ query: [String]) -> [String] {
            // No part of the pool decodes to the `=` that separates name and value.
            query.map { $0.replacing("+", with: "%20") }.sorted()
        }
        let (recorded, others) = (query(), (0..<6).map { _ in query() })
        try await withCassetteFile { file in
            try await Cassette.with(file, mode: .record, over: StubServer { _ in .text("x") }) { cassette in
                _ = try await cassette.ask(.get, "\(Self.url)?\(recorded.joined(separator: "&"))")
            }
            for asked in others + [recorded.reversed()] {
                let cassette = try Cassette(file, mode: .replay)
                let answer = try? await cassette.ask(.get, "\(Self.url)?\(asked.joined(separator: "&"))")
                #expect((answer != nil) == (meaning(asked) == meaning(recorded)), "\(recorded), \(asked)")
            }
        }
    }

    @Test(
        "A replayed response equals the recorded one: status, header fields in order, and every byte",
        arguments: 0..<100)
    func roundTrip(seed: Int) async throws {
        var random = SeededNumbers(UInt64(seed + 1))
        var answers: [StubResponse] = []
        for _ in 0..<5 {
            var body = Data(random.bytes(Int.random(in: 0...40, using: &random)))
            if Bool.random(using: &random) {
                // Any Unicode scalars, including control characters and noncharacters.
                let scalars = (0..<20).compactMap { _ in
                    Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                }
                body = Data(String(String.UnicodeScalarView(scalars)).utf8)
            }
            var answer = StubResponse.bytes(body, status: .init(code: Int.random(in: 200...299, using: &random)))
            for _ in 0..<3 {
                guard let name = HTTPField.Name("X-\(Int.random(in: 0...3, using: &random))") else { continue }
                let value = ["a", "é", "a, b", "e\u{301}", "0"].randomElement(using: &random) ?? ""
                answer.headerFields.append(HTTPField(name: name, value: value))
            }
            answers.append(answer)
        }
        let script = answers
        try await withCassetteFile { file in
            var told: [Answer] = []
            try await Cassette.with(file, mode: .record, over: StubServer(inOrder: script)) { cassette in
                for _ in script { told.append(try await cassette.ask(.get, Self.url)) }
            }
            try await Cassette.with(file, mode: .replay) { cassette in
                for before in told {
                    let again = try await cassette.ask(.get, Self.url)
                    #expect(again.status == before.status)
                    #expect(again.response.body.collectedBytes == before.response.body.collectedBytes)
                    let fields = [before, again].map { answer in
                        answer.response.head.headerFields.filter { $0.name != .contentLength }
                            .map { Array("\($0.name.rawName): \($0.value)".utf8) }
                    }
                    #expect(fields[0] == fields[1])
                }
            }
        }
    }
}
