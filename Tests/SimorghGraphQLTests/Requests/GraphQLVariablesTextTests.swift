// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghGraphQL
import SimorghSupport
import TestSupport
import Testing

@Suite("GraphQL variables as text", .timeLimit(.minutes(5)))
struct GraphQLVariablesTextTests {
    private static func set(_ path: String, in json: String) -> String? {
        var text = GraphQLVariablesText(json: Data(json.utf8))
        guard text.setNull(at: path.split(separator: ".")) else { return nil }
        return String(decoding: text.json, as: UTF8.self)
    }

    @Test(
        "A null replaces a value or is added, and everything else stays as it was",
        arguments: [
            ("a", #"{"a":1}"#, #"{"a":null}"#), ("a", "{}", #"{"a":null}"#),
            ("b", #"{"a":1.0}"#, #"{"a":1.0,"b":null}"#),
            ("a", #"{"x":{"a":1},"a":[1,{"b":2}],"c":3}"#, #"{"x":{"a":1},"a":null,"c":3}"#),
            ("a.b", #"{"a":{"b":{"c":[]}}}"#, #"{"a":{"b":null}}"#), ("a.b", #"{"a":null}"#, #"{"a":{"b":null}}"#),
            ("a.0", #"{"a":[]}"#, #"{"a":[null]}"#), ("a.1", #"{"a":[1]}"#, #"{"a":[1,null]}"#),
            ("a.1", #"{"a":[[1,2],"x",3]}"#, #"{"a":[[1,2],null,3]}"#), ("a.0.b", "{}", #"{"a":[{"b":null}]}"#),
            ("a.0.0", #"{ "a" : [ [ 1e400 , 2 ] ] }"#, #"{ "a" : [ [ null , 2 ] ] }"#),
            ("a.2.b", #"{"a":[{},[],{"c":1}]}"#, #"{"a":[{},[],{"c":1,"b":null}]}"#),
            ("0", "{}", #"{"0":null}"#), ("ä\"", #"{"ä\"":1}"#, #"{"ä\"":null}"#),
            ("a/b", #"{"a\/b":1}"#, #"{"a\/b":null}"#),
            ("a", #"{"b":"{\"a\":1}","a":"}"}"#, #"{"b":"{\"a\":1}","a":null}"#),
        ])
    func places(path: String, json: String, result: String) { #expect(Self.set(path, in: json) == result) }

    @Test(
        "A path through a scalar or beyond the end of an array has no place",
        arguments: [
            ("a.b", #"{"a":1}"#), ("a.b", #"{"a":"x"}"#), ("a.1", #"{"a":[]}"#), ("a.2", #"{"a":[1]}"#),
            ("a.x", #"{"a":[1]}"#), ("a.-1", #"{"a":[1]}"#), ("a.01", #"{"a":[1,2]}"#), ("a.+0", #"{"a":[1]}"#),
            ("a.1", "{}"), ("a.b.3", "{}"), ("a.b", #"{"a":true}"#), ("a", "{"), ("a", ""), ("a", #"{"b":1"#),
        ])
    func noPlaces(path: String, json: String) { #expect(Self.set(path, in: json) == nil) }

    @Test("Random documents: the same as a change of the parsed value", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        for _ in 0..<500 {
            let value = JSON.object(["a": Self.value(&numbers, depth: 0), "b": Self.value(&numbers, depth: 0)])
            let path = (0..<Int.random(in: 1...4, using: &numbers)).map { index in
                (index == 0 ? ["a", "b", "c"] : ["a", "0", "1", "2"]).randomElement(using: &numbers) ?? "a"
            }
            var expected: JSON? = value
            Self.setNull(path[...], in: &expected)
            let text = try value.data(prettyPrinted: Bool.random(using: &numbers))
            let found = Self.set(path.joined(separator: "."), in: String(decoding: text, as: UTF8.self))
            let parsed = try found.map { try JSON(parsing: Data($0.utf8)) }
            #expect(parsed == expected, "seed \(seed), \(value), \(path)")
        }
    }

    private static func value(_ numbers: inout SeededNumbers, depth: Int) -> JSON {
        switch Int.random(in: 0...(depth < 3 ? 6 : 3), using: &numbers) {
        case 0: .null
        case 1: 7
        case 2: "a"
        case 3: true
        case 4: .array((0..<Int.random(in: 0...2, using: &numbers)).map { _ in value(&numbers, depth: depth + 1) })
        default: .object(["a": value(&numbers, depth: depth + 1), "0": value(&numbers, depth: depth + 1)])
        }
    }

    /// The same by recursion; `nil` without a place.
    private static func setNull(_ path: ArraySlice<String>, in value: inout JSON?) {
        guard let current = value else { return }
        guard let first = path.first else {
            value = .some(.null)
            return
        }
        var json = current
        if json.isNull { json = Int(first) == nil ? [:] : [] }
        switch json {
        case .object(var members):
            var member: JSON? = members[first] ?? .null
            setNull(path.dropFirst(), in: &member)
            members[first] = member
            value = member.map { _ in .object(members) }
        case .array(var elements):
            guard let index = Int(first), index <= elements.count else {
                value = nil
                return
            }
            var element: JSON? = index < elements.count ? elements[index] : .null
            setNull(path.dropFirst(), in: &element)
            value = element.map { element in
                if index < elements.count { elements[index] = element } else { elements.append(element) }
                return .array(elements)
            }
        default: value = nil
        }
    }
}
