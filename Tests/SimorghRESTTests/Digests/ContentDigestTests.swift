// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import Testing

@Suite("ContentDigest", .timeLimit(.minutes(5)))
struct ContentDigestTests {
    /// The content of the examples of RFC 9530, appendix B: with a line feed at the end.
    private static let content = Data("{\"hello\": \"world\"}\n".utf8)

    @Test(
        "The examples of RFC 9530",
        arguments: [
            (ContentDigest.Algorithm.sha256, "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"),
            (
                .sha512,
                "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCsyRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:"
            ),
        ])
    func examples(algorithm: ContentDigest.Algorithm, text: String) throws {
        let digest = ContentDigest(of: Self.content, by: algorithm)
        #expect(digest.description == text)
        for field in ContentDigest.Field.allCases {
            #expect(try ContentDigest.digests(field, in: fields(field, [text])) == [digest])
        }
    }

    private func fields(_ field: ContentDigest.Field, _ lines: [String]) throws -> HTTPFields {
        let name = try #require(HTTPField.Name(field.rawValue))
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: name, value: line)) }
        return fields
    }

    @Test("Unknown and insecure algorithms are ignored, whatever their values; padding is optional")
    func others() throws {
        let lines = [
            "md5=:ZXhhbXBsZQ==:, sha=1, unixsum=a;b, x, new=(1 2)",
            "sha-256=:AAAA:, sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg:;p=1",
        ]
        let found = try ContentDigest.digests(.content, in: fields(.content, lines))
        #expect(found == [ContentDigest(of: Self.content)])
        #expect(try ContentDigest.digests(.representation, in: fields(.content, lines)).isEmpty)
        #expect(try ContentDigest.digests(.content, in: [:]).isEmpty)
    }

    @Test(
        "A malformed field is an error",
        arguments: [
            "sha-256", "sha-256=1", "sha-256=\"x\"", "sha-256=:x", "sha-256=::", "sha-256=:AAAA:", "sha-256=(:AAAA:)",
            "SHA-256=:AAAA:",
            "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:,", "md5=:x", "=",
            "x=\"" + String(repeating: "y", count: 8192) + "\"",
        ])
    func malformed(text: String) throws {
        let fields = try fields(.content, [text])
        let error = try #require(throws: ContentDigestError.self) { try ContentDigest.digests(.content, in: fields) }
        #expect(error.reason == .malformedField)
        #expect(error.field == .content)
    }

    @Test("A field of more than 8 KiB is malformed", arguments: [8192, 8193])
    func longField(count: Int) throws {
        let fields = try fields(.content, ["a=\"\(String(repeating: "x", count: count - 4))\""])
        let digests = try? ContentDigest.digests(.content, in: fields)
        #expect(digests == (count > 8192 ? nil : []))
    }

    @Test("A hash of another length is no digest")
    func length() {
        #expect(ContentDigest(.sha256, bytes: Array(repeating: 0, count: 31)) == nil)
        #expect(ContentDigest(.sha512, bytes: Array(repeating: 0, count: 64)) != nil)
    }
}
