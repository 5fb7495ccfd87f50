// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("JSONPatch", .timeLimit(.minutes(5)))
struct JSONPatchTests {
    /// RFC 6902, appendix A: the section, a document, a patch, and the result; `nil` for an error.
    ///
    /// A.13, a duplicate member `op`, is left out: the JSON parsers of Foundation keep one of them without notice.
    private static let cases: [(String, String, String, String?)] = [
        ("A.1", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
        (
            "A.2", #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
            #"{"foo":["bar","qux","baz"]}"#
        ),
        ("A.3", #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
        ("A.4", #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
        (
            "A.5", #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            #"{"baz":"boo","foo":"bar"}"#
        ),
        (
            "A.6", #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        (
            "A.7", #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
            #"{"foo":["all","cows","eat","grass"]}"#
        ),
        (
            "A.8", #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        ("A.9", #"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#, nil),
        (
            "A.10", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
            #"{"foo":"bar","child":{"grandchild":{}}}"#
        ),
        (
            "A.11", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
            #"{"foo":"bar","baz":"qux"}"#
        ),
        ("A.12", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, nil),
        (
            "A.14", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#
        ),
        ("A.15", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#, nil),
        (
            "A.16", #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
            #"{"foo":["bar",["abc","def"]]}"#
        ),
        ("null", #"{"a":1}"#, #"[{"op":"replace","path":"/a","value":null}]"#, #"{"a":null}"#),
        ("root", #"{"a":1}"#, #"[{"op":"add","path":"","value":[1]}]"#, "[1]"),
        ("1 and 1.0", #"{"a":1}"#, #"[{"op":"test","path":"/a","value":1.0}]"#, #"{"a":1}"#),
        ("the end", "[1]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
        ("beyond the end", "[1]", #"[{"op":"add","path":"/2","value":2}]"#, nil),
        ("copy", #"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"{"a":[1],"b":[1]}"#),
        ("move to itself", #"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
        ("move into itself", #"{"a":{}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#, nil),
        ("move over another", #"{"a":1,"b":2}"#, #"[{"op":"move","from":"/a","path":"/b"}]"#, #"{"b":1}"#),
        ("remove what is missing", "{}", #"[{"op":"remove","path":"/a"}]"#, nil),
        ("replace what is missing", "{}", #"[{"op":"replace","path":"/a","value":1}]"#, nil),
        ("replace -", "[1]", #"[{"op":"replace","path":"/-","value":1}]"#, nil),
        ("copy what is missing", "{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#, nil),
        ("a member of a string", #"{"a":"b"}"#, #"[{"op":"add","path":"/a/b","value":1}]"#, nil),
    ]

    @Test("The examples of RFC 6902, appendix A, and others", arguments: cases)
    func examples(name: String, document: String, patch: String, result: String?) throws {
        let document = try JSON(parsing: Data(document.utf8))
        let patch = try JSONDecoder().decode(JSONPatch.self, from: Data(patch.utf8))
        if let result {
            #expect(try patch.applied(to: document) == JSON(parsing: Data(result.utf8)))
        } else {
            #expect(throws: JSONPatchError.self) { try patch.applied(to: document) }
        }
        let copy = try JSONDecoder().decode(JSONPatch.self, from: JSONEncoder().encode(patch))
        #expect(copy == patch)
    }

    @Test(
        "A malformed patch is not decoded",
        arguments: [
            #"[{"op":"add","path":"/a"}]"#, #"[{"op":"move","path":"/a"}]"#, #"[{"op":"spam","path":"/a"}]"#,
            #"[{"op":"add","path":"a","value":1}]"#, #"[{"path":"/a","value":1}]"#, #"{"op":"remove","path":"/a"}"#,
            #"[{"op":"remove"}]"#,
        ])
    func malformed(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONPatch.self, from: Data(text.utf8)) }
    }

    @Test("An error names the operation, the pointer and the reason, and nothing is applied")
    func error() throws {
        let patch: JSONPatch = [.add("/a", 1), .copy(from: "/b", to: "/c")]
        let error = try #require(throws: JSONPatchError.self) { try patch.applied(to: [:]) }
        #expect(error.index == 1)
        #expect(error.operation == .copy(from: "/b", to: "/c"))
        #expect(error.pointer == "/b")
        #expect(error.reason == .missingValue)
        #expect("\(error)".contains("operation 1 of the JSON Patch (copy) failed at \"/b\""))
    }

    @Test("Copies that double the document are refused before they use memory")
    func doubling() throws {
        var patch: JSONPatch = [.add("/a", ["x", "y"])]
        for _ in 0..<200 { patch.operations.append(.copy(from: "", to: "/a/-")) }
        let error = try #require(throws: JSONPatchError.self) { try patch.applied(to: [:]) }
        #expect([.tooLarge, .tooDeep].contains(error.reason))

        var wide: JSONPatch = [.add("/a", .array(Array(repeating: "0123456789", count: 1000)))]
        for _ in 0..<10_000 / 2 { wide.operations += [.copy(from: "/a", to: "/b"), .remove("/b")] }
        wide.operations.removeLast(2)
        #expect(try #require(throws: JSONPatchError.self) { try wide.applied(to: [:]) }.reason == .tooLarge)
    }

    @Test("The number of operations, the depth and the size are bounded")
    func limits() throws {
        var limits = JSONPatch.Limits()
        limits.operations = 1
        let two: JSONPatch = [.add("/a", 1), .add("/b", 1)]
        #expect(throws: JSONPatchError.self) { try two.applied(to: [:], limits: limits) }

        var deep = JSONPatch()
        for _ in 0..<200 {
            deep.operations += [.add("/n", [:]), .move(from: "/t", to: "/n/t"), .move(from: "/n", to: "/t")]
        }
        #expect(try #require(throws: JSONPatchError.self) { try deep.applied(to: ["t": [:]]) }.reason == .tooDeep)

        limits = JSONPatch.Limits()
        limits.size = 1000
        let large: JSONPatch = [.add("/a", .string(String(repeating: "x", count: 1000)))]
        #expect(
            try #require(throws: JSONPatchError.self) { try large.applied(to: [:], limits: limits) }.reason == .tooLarge
        )
    }

    @Test(
        "Elements that an insertion or a removal moves count as work; those at the end of an array move none",
        arguments: [
            ("add", true), ("remove", true), ("move", true), ("add at the end", false), ("remove the end", false),
        ])
    func movedElements(kind: String, isRefused: Bool) throws {
        let count = 20_000
        let document = JSON.array([JSON](repeating: 0, count: count))
        var limits = JSONPatch.Limits()
        limits.size = 1_000_000
        let patch = JSONPatch(
            (0..<1000).map { index -> JSONPatch.Operation in
                switch kind {
                case "add": .add("/0", 0)
                case "remove": .remove("/0")
                case "move": .move(from: "/0", to: "/-")
                case "add at the end": .add("/-", 0)
                default: .remove(JSONPointer.root.appending("\(count - 1 - index)"))
                }
            })
        guard isRefused else {
            _ = try patch.applied(to: document, limits: limits)
            return
        }
        let error = try #require(throws: JSONPatchError.self) { try patch.applied(to: document, limits: limits) }
        #expect(error.reason == .tooLarge)
        // Each operation moves 20,000 elements of 4 bytes, and all may together move 16 times the size.
        #expect((180...220).contains(error.index ?? 0), "\(String(describing: error.index))")
    }

    @Test("With the default limits, all 10,000 elements of an array can be removed from its beginning")
    func emptied() throws {
        let patch = JSONPatch([JSONPatch.Operation](repeating: .remove("/0"), count: 10_000))
        #expect(try patch.applied(to: .array([JSON](repeating: 0, count: 10_000))) == [])
    }

    @Test("The difference of two random documents changes the first into the second", arguments: 1...40)
    func difference(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        for _ in 0..<50 {
            let old = RandomJSON.value(&numbers)
            let new = Bool.random(using: &numbers) ? RandomJSON.changed(old, &numbers) : RandomJSON.value(&numbers)
            let patch = try JSONPatch(from: old, to: new)
            #expect(try patch.applied(to: old) == new, "seed \(seed): \(old) to \(new) by \(patch)")
            #expect(patch.isEmpty == (old == new), "seed \(seed)")
        }
    }

    @Test("The body has the media type application/json-patch+json")
    func mediaType() async throws {
        let server = StubServer { _ in .status(.noContent) }
        let client = APIClient.scripted(server)
        try await client.patch("users/7", body: .jsonPatch([.add("/a~1b", 1), .remove("/c")]))
        let request = try #require(server.requests.first)
        #expect(request.head.headerFields[.contentType] == "application/json-patch+json")
        let sent = try JSON(parsing: request.body)
        #expect(sent == [["op": "add", "path": "/a~1b", "value": 1], ["op": "remove", "path": "/c"]])
    }
}

/// Random documents, small enough that many parts are equal by chance.
enum RandomJSON {
    static func value(_ numbers: inout SeededNumbers, depth: Int = 0, allowsNull: Bool = true) -> JSON {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &numbers) {
        case 0: return allowsNull ? .null : 0
        case 1: return .bool(Bool.random(using: &numbers))
        case 2: return .number(JSON.Number(Int64.random(in: 0..<3, using: &numbers)))
        case 3: return .number(JSON.Number(0.5))
        case 4: return .string(name(&numbers))
        case 5:
            let count = Int.random(in: 0..<5, using: &numbers)
            return .array((0..<count).map { _ in value(&numbers, depth: depth + 1, allowsNull: allowsNull) })
        default:
            var members: [String: JSON] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &numbers) {
                members[name(&numbers)] = value(&numbers, depth: depth + 1, allowsNull: allowsNull)
            }
            return .object(members)
        }
    }

    static func name(_ numbers: inout SeededNumbers) -> String {
        ["", "a", "b", "a/b", "~", "~1", "0", "-", "é"].randomElement(using: &numbers) ?? "a"
    }

    /// Returns a document that differs in a few places.
    static func changed(_ json: JSON, _ numbers: inout SeededNumbers, allowsNull: Bool = true) -> JSON {
        guard Int.random(in: 0..<4, using: &numbers) > 0 else {
            return value(&numbers, depth: 2, allowsNull: allowsNull)
        }
        switch json {
        case .array(var elements):
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0:
                let index = Int.random(in: 0...elements.count, using: &numbers)
                elements.insert(value(&numbers, depth: 3, allowsNull: allowsNull), at: index)
            case 1: if !elements.isEmpty { elements.remove(at: Int.random(in: 0..<elements.count, using: &numbers)) }
            default:
                if let index = elements.indices.randomElement(using: &numbers) {
                    elements[index] = changed(elements[index], &numbers, allowsNull: allowsNull)
                }
            }
            return .array(elements)
        case .object(var members):
            let key = members.keys.sorted().randomElement(using: &numbers) ?? name(&numbers)
            members[key] =
                Bool.random(using: &numbers)
                ? nil : members[key].map { changed($0, &numbers, allowsNull: allowsNull) } ?? 1
            return .object(members)
        case .null, .bool, .number, .string: return json
        }
    }
}
