// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct QueryEncoderTests {
    private func encoded(_ value: any Encodable, _ options: QueryEncoding = QueryEncoding()) throws -> [String] {
        try QueryEncoder(options: options).encode(value).map { "\($0.name)=\($0.value ?? "nil")" }
    }

    private struct Scalars: Encodable {
        var yes = true
        var no = false
        var one = 1
        var zero = 0
        var big = UInt64.max
        var small = Int64.min
        var byte: UInt8 = 7
        var double = 0.1
        var whole = 2.0
        var huge = 1e22
        var float: Float = 0.3
        var decimal = Decimal(string: "123456789.123456789")
        var text = "é &=+"
        var date = Date(timeIntervalSince1970: 0)
        var data = Data([0xFB, 0xFF])
        var url = URL(string: "https://h/a?b=c")
        var id = UUID(uuidString: "11111111-2222-3333-4444-555555555555")
        var none: Int?
    }

    @Test("SIM3: scalars are encoded by their type, in the order of the model; NET12: Bool is true or false")
    func scalars() throws {
        let items = try encoded(Scalars())
        #expect(
            items == [
                "yes=true", "no=false", "one=1", "zero=0", "big=18446744073709551615", "small=-9223372036854775808",
                "byte=7", "double=0.1", "whole=2", "huge=1e+22", "float=0.3", "decimal=123456789.123456789",
                "text=é &=+",
                "date=1970-01-01T00:00:00Z", "data=+/8=", "url=https://h/a?b=c",
                "id=11111111-2222-3333-4444-555555555555",
            ])
    }

    @Test("SIM2: nil values are omitted, and empty parameters encode nothing")
    func absent() throws {
        struct Model: Encodable {
            var a: Int?
            var b: String?
            var list: [Int?] = [1, nil, 2]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(a, forKey: .a)
                try container.encodeIfPresent(b, forKey: .b)
                try container.encode(list, forKey: .list)
            }
            enum Key: String, CodingKey { case a, b, list }
        }
        #expect(try encoded(Model()) == ["list[]=1", "list[]=2"])
        #expect(try encoded(EmptyParameters()).isEmpty)
        #expect(try encoded(EmptyParameters?.none).isEmpty)
    }

    @Test("Models and lists are nested with brackets")
    func nested() throws {
        struct Inner: Encodable {
            var x = 1
            var tags = ["a", "b"]
        }
        struct Model: Encodable {
            var inner = Inner()
            var list = [Inner(x: 1, tags: []), Inner(x: 2, tags: ["c"])]
            var matrix = [[1, 2], [3]]
            var map = ["b": 2, "a": 1]
            var empty: [Int] = []
        }
        #expect(
            try encoded(Model()) == [
                "inner[x]=1", "inner[tags][]=a", "inner[tags][]=b", "list[0][x]=1", "list[1][x]=2", "list[1][tags][]=c",
                "matrix[0][]=1", "matrix[0][]=2", "matrix[1][]=3", "map[a]=1", "map[b]=2",
            ])
    }

    @Test("A dictionary is sorted by its keys, at any level")
    func dictionaries() throws {
        let keys = (0..<50).map { "k\($0)" }
        let map = Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) })
        #expect(try encoded(map) == keys.sorted().map { "\($0)=\($0)" })
        #expect(try encoded(["m": map]) == keys.sorted().map { "m[\($0)]=\($0)" })
        #expect(try encoded([3: "c", 1: "a"]) == ["1=a", "3=c"])
    }

    @Test("Names and values are escaped, so neither can become another field")
    func escaped() throws {
        let items = try QueryEncoder().encode(["a&admin": "1&b", "x": "a+b c=d"])
        #expect(items.encoded == "a%26admin=1%26b&x=a%2Bb%20c%3Dd")
        #expect(formParsed(items.encoded) == items)
    }

    @Test(
        "Dates are encoded with the selected strategy",
        arguments: [
            (QueryEncoding.Dates.iso8601, "2001-09-09T01:46:40Z"), (.secondsSince1970, "1000000000.5"),
            (.millisecondsSince1970, "1000000000500"),
        ])
    func dates(dates: QueryEncoding.Dates, expected: String) throws {
        var options = QueryEncoding()
        options.dates = dates
        #expect(try encoded(["at": Date(timeIntervalSince1970: 1_000_000_000.5)], options) == ["at=\(expected)"])
    }

    @Test("A class encodes its superclass under the key `super`")
    func superclass() throws {
        class Base: Encodable {
            var a = 1
            init() {}
        }
        final class Derived: Base {
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(2, forKey: .b)
                try super.encode(to: container.superEncoder())
            }
            enum Key: CodingKey { case b }
        }
        #expect(try encoded(Derived()) == ["b=2", "super[a]=1"])
    }

    private struct Broken: Encodable {
        var inner = ["value": Double.nan]
    }

    private final class Chain: Encodable {
        var next: Chain?
        init(depth: Int) { next = depth > 1 ? Chain(depth: depth - 1) : nil }
        enum Key: CodingKey { case next, leaf }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .leaf)
            try container.encodeIfPresent(next, forKey: .next)
        }
    }

    private struct Mirror: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    @Test("Values without a name, non-finite numbers and endless recursion are refused")
    func refused() throws {
        let values: [any Encodable] = [
            1, "text", true, 1.5, [1, 2], [Int](), Date(), Data(), ["": 1], [["a": 1]], ["a": Float.infinity], Broken(),
            ["d": Date(timeIntervalSince1970: .nan)], Mirror(), Chain(depth: 40), ["d": Decimal.nan],
        ]
        for value in values {
            let error = #expect(throws: InvalidRequestError.self, "\(type(of: value))") {
                try QueryEncoder().encode(value)
            }
            #expect(error?.reason == .encodingFailed)
        }
        let error = try #require(throws: InvalidRequestError.self) { try QueryEncoder().encode(Broken()) }
        #expect(error.message.contains("inner.value"))
    }

    @Test("Thirty nested models are encoded")
    func deep() throws {
        #expect(try encoded(Chain(depth: 30)).count == 30)
    }

    @Test("An error thrown by the model becomes encodingFailed")
    func modelError() {
        struct Failing: Encodable {
            struct Fault: Error {}
            func encode(to encoder: any Encoder) throws { throw Fault() }
        }
        let error = #expect(throws: InvalidRequestError.self) { try QueryEncoder().encode(Failing()) }
        #expect(error?.reason == .encodingFailed)
    }
}
