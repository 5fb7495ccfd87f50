// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("MergePatch", .timeLimit(.minutes(5)))
struct MergePatchTests {
    @Test(
        "The examples of RFC 7396, appendix A",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func examples(document: String, patch: String, result: String) throws {
        let patch = MergePatch(try JSON(parsing: Data(patch.utf8)))
        #expect(try patch.applied(to: JSON(parsing: Data(document.utf8))) == JSON(parsing: Data(result.utf8)))
    }

    @Test("The difference of two random documents changes the first into the second", arguments: 1...40)
    func difference(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        for _ in 0..<50 {
            let old = RandomJSON.value(&numbers)
            let new =
                Bool.random(using: &numbers)
                ? RandomJSON.changed(old, &numbers, allowsNull: false) : RandomJSON.value(&numbers, allowsNull: false)
            do {
                let patch = try MergePatch(from: old, to: new)
                #expect(try patch.applied(to: old) == new, "seed \(seed): \(old) to \(new) by \(patch.json)")
            } catch MergePatchError.nullMember(let pointer) {
                #expect(new[at: pointer] == .some(.null), "seed \(seed): \(old) to \(new)")
            }
        }
    }

    @Test("A member that becomes null cannot be expressed; one that stays null, and null in an array, can")
    func nulls() throws {
        #expect(throws: MergePatchError.nullMember("/a/b")) { try MergePatch(from: ["a": 1], to: ["a": ["b": nil]]) }
        #expect(try MergePatch(from: ["a": nil], to: ["a": nil, "b": 1] as JSON).json == ["b": 1])
        #expect(try MergePatch(from: ["a": 1], to: ["a": [nil]] as JSON).json == ["a": [nil]])
    }

    private struct User: Codable {
        var name: String
        var email: String?
        var tags: [String] = []
    }

    @Test("The difference of two values has what changed, and null for what became nil")
    func values() throws {
        let old = User(name: "Zal", email: "zal@example.com")
        let new = User(name: "Zal", email: nil, tags: ["a"])
        #expect(try MergePatch(from: old, to: new).json == ["email": nil, "tags": ["a"]])
        #expect(try MergePatch(from: old, to: old).isEmpty)
        #expect(try JSONPatch(from: old, to: new).operations == [.remove("/email"), .add("/tags/0", "a")])
    }

    @Test("A document that is nested too deep is refused")
    func depth() {
        var deep: JSON = 1
        for _ in 0..<1000 { deep = ["a": deep] }
        #expect(throws: MergePatchError.tooDeep) { try MergePatch(deep).applied(to: [:]) }
        #expect(throws: MergePatchError.tooDeep) { try MergePatch(from: [:], to: deep) }
        #expect(throws: JSONPatchError.self) { try JSONPatch(from: deep, to: [:]) }
        #expect(throws: JSONPatchError.self) { try JSONPatch([.add("/a", deep)]).applied(to: [:]) }
    }

    private struct Changes: Codable, Equatable {
        var name = Patched<String>.absent
        var email = Patched<String>.absent
        var age = Patched<Int>.absent
        var manager = Patched<[String: Int]>.absent
    }

    @Test("An absent member is not encoded, null and a value are")
    func patched() throws {
        let changes = Changes(name: .value("Zal"), email: .null, manager: .value(["id": 1]))
        let json = try JSON(parsing: JSONEncoder().encode(changes))
        #expect(json == ["name": "Zal", "email": nil, "manager": ["id": 1]])
        #expect(try JSONDecoder().decode(Changes.self, from: json.data()) == changes)
        #expect(try JSON(parsing: JSONEncoder().encode(Changes())) == [:])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Changes.self, from: Data(#"{"age":"old"}"#.utf8))
        }
    }

    @Test("An absent value in an array cannot be encoded")
    func absentElement() throws {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode([Patched<Int>.absent]) }
        #expect(try JSON(parsing: JSONEncoder().encode([Patched<Int>.null, .value(1)])) == [nil, 1])
    }

    @Test("A change applies to an optional value")
    func applies() {
        #expect(Patched<Int>.absent.applied(to: 1) == 1)
        #expect(Patched<Int>.null.applied(to: 1) == nil)
        #expect(Patched(2).applied(to: 1) == 2)
        #expect(Patched<Int>(nil) == .null)
    }

    @Test("The body has the media type application/merge-patch+json")
    func mediaType() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let client = APIClient.scripted(server)
        try await client.patch("users/7", body: .mergePatch(Changes(email: .null)))
        try await client.patch("users/7", body: .mergePatch(MergePatch(["a": 1])))
        #expect(
            server.requests.map { $0.head.headerFields[.contentType] }
                == Array(repeating: "application/merge-patch+json", count: 2))
        #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"email":null}"#, #"{"a":1}"#])
    }
}
