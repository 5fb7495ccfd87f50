// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghGraphQL
import TestSupport
import Testing

@Suite("@defer and @stream: merging", .timeLimit(.minutes(5)))
struct GraphQLResultMergerTests {
    private static func merged(
        _ payloads: [JSON], maximumPatches: Int = 1000
    ) throws(GraphQLProtocolError) -> GraphQLResultMerger {
        var merger = GraphQLResultMerger(maximumPatches: maximumPatches)
        for payload in payloads { try merger.apply(payload) }
        return merger
    }

    private static func reason(_ payloads: [JSON], maximumPatches: Int = 1000) -> GraphQLProtocolError.Reason? {
        do {
            _ = try merged(payloads, maximumPatches: maximumPatches)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Announced parts: data, sub-paths, items, errors and completion")
    func pendingForm() throws {
        let result = try Self.merged([
            [
                "data": ["bird": ["name": "hoopoe", "nest": [:]], "list": [1]], "hasNext": true,
                "pending": [["id": "0", "path": ["bird"], "label": "x"], ["id": "1", "path": ["list"]]],
            ],
            ["incremental": [["id": "1", "items": [2, 3]]], "hasNext": true],
            [
                "incremental": [
                    ["id": "0", "data": ["song": "tereu"]],
                    ["id": "0", "subPath": ["nest"], "data": ["eggs": 4], "errors": [["message": "broken egg"]]],
                ],
                "completed": [["id": "0"]], "pending": [["id": "2", "path": []]], "hasNext": true,
            ],
            ["incremental": [["id": "2", "data": ["last": true]]], "extensions": ["cost": 1], "hasNext": true],
            ["completed": [["id": "1", "errors": [["message": "list ended"]]], ["id": "2"]], "hasNext": false],
        ])
        #expect(
            result.data == [
                "bird": ["name": "hoopoe", "nest": ["eggs": 4], "song": "tereu"], "list": [1, 2, 3], "last": true,
            ])
        #expect(result.errors.map(\.message) == ["broken egg", "list ended"])
        #expect(result.extensions == ["cost": 1])
        #expect(!result.hasNext)
    }

    @Test("Patches with paths: in a list, at the top level, and items at an index")
    func pathForm() throws {
        let result = try Self.merged([
            ["data": ["birds": [["id": 1], ["id": 2]], "list": ["a"]], "hasNext": true],
            ["path": ["birds", 1], "data": ["name": "owl"], "label": nil, "hasNext": true],
            [
                "incremental": [
                    ["path": ["list", 1], "items": ["b", "c"]], ["path": [], "data": ["birds": [["a": 1], ["b": 2]]]],
                    ["path": ["birds", 2], "data": ["id": 3]], ["path": ["list", 9], "items": nil],
                ], "hasNext": true,
            ],
            ["path": ["birds", 0], "data": nil, "errors": [["message": "gone"]], "hasNext": true],
            ["hasNext": false],
        ])
        #expect(
            result.data == [
                "birds": [["id": 1, "a": 1], ["id": 2, "name": "owl", "b": 2], ["id": 3]], "list": ["a", "b", "c"],
            ])
        #expect(result.errors.map(\.message) == ["gone"])
        #expect(!result.hasNext)
    }

    @Test("Items that are null, each at its index", arguments: [false, true])
    func nullItems(endsWithNull: Bool) throws {
        let last: JSON = endsWithNull ? nil : "c"
        let result = try Self.merged([
            ["data": ["birds": ["a"]], "hasNext": true], ["path": ["birds", 1], "data": nil, "hasNext": true],
            ["path": ["birds", 2], "data": last, "hasNext": true],
            // A null value at a place that exists replaces nothing.
            ["incremental": [["path": ["birds", 0], "data": nil], ["path": [], "data": nil]], "hasNext": false],
        ])
        #expect(result.data == ["birds": ["a", nil, last]])
        #expect(Self.reason([Self.start, ["path": ["list", 2], "data": nil]]) == .invalidPatch)
    }

    @Test("A later payload without hasNext is not the last one")
    func heartbeats() throws {
        let start: JSON = ["data": ["a": 1], "pending": [["id": "0", "path": []]], "hasNext": true]
        let patch: JSON = ["incremental": [["id": "0", "data": ["b": 2]]]]
        #expect(try Self.merged([start, [:]]).hasNext)
        #expect(try Self.merged([start, [:], patch]).hasNext)
        let result = try Self.merged([start, [:], patch, [:], ["completed": [["id": "0"]], "hasNext": false]])
        #expect(result.data == ["a": 1, "b": 2] && !result.hasNext)
    }

    @Test("An end before the announced parts are complete is a truncation")
    func unfinished() {
        #expect(Self.reason([Self.start, ["hasNext": false]]) == .truncated)
        #expect(Self.reason([["data": [:], "pending": [["id": "0", "path": []]]]]) == .truncated)
        #expect(Self.reason([Self.start, ["completed": [["id": "0"]], "hasNext": false]]) == nil)
    }

    @Test("A response without the directives is one payload")
    func plain() throws {
        let result = try Self.merged([["data": ["a": 1], "errors": [["message": "no"]]]])
        #expect(result.data == ["a": 1] && !result.hasNext && result.errors.count == 1)
    }

    static let start: JSON = [
        "data": ["a": ["b": 1], "list": [1]], "hasNext": true, "pending": [["id": "0", "path": ["a"]]],
    ]

    @Test(
        "A patch without a place is an error",
        arguments: [
            ["path": ["x"], "data": ["c": 1]], ["path": ["a", "b", "c"], "data": 1], ["path": ["a", 0], "data": 1],
            ["path": ["list", 3], "items": [1]], ["path": ["list", "x"], "data": 1],
            ["path": ["list", -1], "data": 1],
            ["path": ["list", 1.5], "data": 1], ["path": [nil], "data": 1], ["path": "a", "data": 1],
            ["path": ["list", 9_007_199_254_740_991], "items": [1, 2]], ["incremental": [["id": "9", "data": [:]]]],
            ["path": ["list", 9_223_372_036_854_775_807], "items": [1, 2]],
            ["incremental": [["id": "0", "items": [1]]]], ["incremental": [["id": "0", "subPath": ["z"], "data": 1]]],
            ["completed": [["id": "7"]]], ["completed": [[:]]], ["pending": [["path": []]]], ["pending": 3],
            ["incremental": ["x": 1]], ["errors": [["no": "message"]]], ["errors": "no"], [1], "text", nil,
            ["incremental": [["path": ["x"], "data": 1]]], ["completed": [["id": "0"], ["id": "0"]]],
            ["data": ["c": 1]], ["data": nil], ["pending": [["id": "0", "path": []]]],
        ] as [JSON])
    func invalid(payload: JSON) { #expect(Self.reason([Self.start, payload]) == .invalidPatch) }

    @Test(
        "The first payload has data or errors",
        arguments: [
            [:], ["hasNext": true], ["path": [], "data1": 1], ["data": nil], ["errors": []],
            ["data": nil, "errors": [], "hasNext": true],
        ] as [JSON])
    func first(payload: JSON) { #expect(Self.reason([payload]) == .notAResponse) }

    @Test("The number of patches and the depth of paths are bounded")
    func bounds() {
        let patch: JSON = ["path": ["a"], "data": ["c": 1], "hasNext": true]
        // The first payload and its announced part, and two for each patch.
        #expect(Self.reason([Self.start, patch, patch], maximumPatches: 6) == nil)
        #expect(Self.reason([Self.start, patch, patch], maximumPatches: 5) == .limitExceeded)
        let empty: JSON = ["hasNext": true, "extensions": ["a": 1]]
        #expect(Self.reason([Self.start, empty, empty], maximumPatches: 3) == .limitExceeded)
        let errors: JSON = ["errors": [["message": "a"], ["message": "b"], ["message": "c"]], "hasNext": true]
        #expect(Self.reason([Self.start, errors], maximumPatches: 6) == nil)
        #expect(Self.reason([Self.start, errors], maximumPatches: 5) == .limitExceeded)
        let path = JSON.array(Array(repeating: "a", count: GraphQLResultMerger.maximumDepth + 1))
        #expect(Self.reason([Self.start, ["path": path, "data": 1]]) == .invalidPatch)
    }

    @Test("The merged data can always be written, also as a member of an object")
    func depth() throws {
        func nested(_ depth: Int) -> JSON { (0..<depth).reduce(1 as JSON) { value, _ in ["a": value] } }
        let limit = GraphQLResultMerger.maximumDataDepth
        let start: JSON = ["data": nested(100), "hasNext": true]
        let path = JSON.array(Array(repeating: "a", count: 99))
        let last = try Self.merged([start, ["path": path, "data": nested(limit - 99), "hasNext": false]])
        #expect(throws: Never.self) { try JSON.object(["data": last.data]).data() }
        #expect(Self.reason([start, ["path": path, "data": nested(limit - 98)]]) == .limitExceeded)
        let list: JSON = ["data": ["list": []], "hasNext": true]
        #expect(Self.reason([list, ["path": ["list", 0], "items": [nested(limit - 3)]]]) == nil)
        #expect(Self.reason([list, ["path": ["list", 0], "items": [nested(limit)]]]) == .limitExceeded)
    }

    @Test("Patches in any order of chunks give the same as merging by hand", arguments: 1...5)
    func random(seed: UInt64) throws {
        var numbers = SeededNumbers(seed)
        var expected: [Int] = [0]
        var members: [String: JSON] = [:]
        var payloads: [JSON] = [
            [
                "data": ["list": [0], "object": [:]], "hasNext": true,
                "pending": [["id": "l", "path": ["list"]], ["id": "o", "path": ["object"]]],
            ]
        ]
        for number in 1...200 {
            if Bool.random(using: &numbers) {
                let items = (0..<Int.random(in: 0...3, using: &numbers)).map { number * 10 + $0 }
                let added = JSON.array(items.map { .number(.init(Int64($0))) })
                payloads.append(
                    Bool.random(using: &numbers)
                        ? ["incremental": [["id": "l", "items": added]], "hasNext": true]
                        : [
                            "path": ["list", .number(.init(Int64(expected.count)))], "items": added, "hasNext": true,
                        ])
                expected += items
            } else {
                let name = "m\(Int.random(in: 0...20, using: &numbers))"
                members[name] = .number(.init(Int64(number)))
                payloads.append([
                    "incremental": [["id": "o", "data": .object([name: .number(.init(Int64(number)))])]],
                    "hasNext": true,
                ])
            }
        }
        let result = try Self.merged(payloads)
        #expect(result.data["list"].array?.map(\.int) == expected, "seed \(seed)")
        #expect(result.data["object"] == .object(members), "seed \(seed)")
    }
}
