// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JSONTests {
    private func parsed(_ text: String) throws -> JSON { try JSON(parsing: Data(text.utf8)) }

    @Test("Values are read by name and index; a missing value is null")
    func access() throws {
        let json = try parsed(#"{"user":{"name":"Ada","age":36,"tags":["a","b"],"ok":true,"string":"s"},"n":null}"#)
        #expect(json.user.name.string == "Ada")
        #expect(json["user"]["age"].int == 36)
        #expect(json.user.age.double == 36)
        #expect(json.user.tags[1].string == "b")
        #expect(json.user.ok.bool == true)
        #expect(json.user["string"].string == "s")
        #expect(json.user.tags.array?.count == 2 && json.object?.count == 2)
        #expect(json.n.isNull && json.missing.deeper[3].isNull && json.user.tags[-1].isNull && json.user.tags[2].isNull)
        #expect(json.user.name.int == nil && json.user.age.string == nil && json.user.age.bool == nil)
    }

    @Test(
        "Numbers are kept exactly and written as they were parsed",
        arguments: [
            "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "18446744073709551615",
            "0.1", "1.5", "1e+300",
        ])
    func numbers(text: String) throws {
        #expect(try parsed(text).description == text)
        #expect(try parsed("[\(text)]").description == "[\(text)]")
    }

    @Test("The largest integers are exact")
    func large() throws {
        guard case .number(let number) = try parsed("18446744073709551615") else {
            Issue.record("no number")
            return
        }
        #expect(number.uint64 == .max && number.int == nil)
        #expect(try parsed("9223372036854775807").int == .max)
    }

    @Test("Values of different kinds are never equal; equal numbers are, in any notation")
    func equality() throws {
        #expect(JSON.number(1) != .string("1"))
        #expect(JSON.bool(true) != .number(1))
        #expect(JSON.null != .bool(false))
        #expect(try parsed("true") == true && parsed("1") == 1)
        #expect(try parsed("1.0") == 1 && parsed("1e2") == 100)
        #expect(JSON.number(JSON.Number(2.0)) == 2)
        #expect(Set<JSON>([1, 1.0, "1", true]).count == 3)
    }

    @Test("Literals build a document that survives encoding and parsing")
    func roundTrip() throws {
        let json: JSON = ["b": [1, 2.5, "x", true, nil, [:], []], "a": ["é": "\u{1F600}\n/"]]
        #expect(try JSON(parsing: json.data()) == json)
        #expect(try JSON(parsing: json.data(prettyPrinted: true)) == json)
        #expect(json.description == #"{"a":{"é":"😀\n/"},"b":[1,2.5,"x",true,null,{},[]]}"#)
    }

    @Test("Invalid JSON is an error", arguments: ["", "{", "[1,", "nul", "{\"a\":}", "01", "[1]]", "\u{1}", "'a'"])
    func malformed(text: String) {
        #expect(throws: DecodingError.self) { try parsed(text) }
    }

    @Test(
        "Text that is not Unicode is an error with the offset",
        arguments: [
            (#"{"name":"Z@l"}"#, "byte 0xE1 at offset 10 is not valid UTF-8"),
            (#"{"name":"\ud83d"}"#, #"\ud83d at offset 9 is half of a surrogate pair"#),
            (#"["\ude00"]"#, #"\ude00 at offset 2 is half of a surrogate pair"#),
            (#"["\ud83d\ude00\\ud83d", {"\ud83d":1}]"#, #"\ud83d at offset 26 is half of a surrogate pair"#),
            (#"{"@":1}"#, "byte 0xE1 at offset 2 is not valid UTF-8"),
        ])
    func notUnicode(text: String, reason: String) throws {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "@") ? 0xE1 : $0 }
        let error = try #require(throws: DecodingError.self) { try JSON(parsing: Data(bytes)) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.debugDescription.contains(reason), "\(context.debugDescription)")
    }

    @Test("A document nested too deeply is an error and does not crash", arguments: [129, 200, 511, 100_000])
    func bottomless(depth: Int) {
        #expect(throws: DecodingError.self) { try parsed(String(repeating: "[", count: depth)) }
        #expect(throws: DecodingError.self) {
            try parsed(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
    }

    @Test("A document with 128 levels is parsed and encoded, also on a small stack")
    func deep() async throws {
        let text = String(repeating: #"{"a":["#, count: 64) + String(repeating: "]}", count: 64)
        let written = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: try? JSON(parsing: Data(text.utf8)).description) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(written == text)
    }

    @Test("A value nested too deeply is not encoded")
    func deepValue() {
        var json: JSON = []
        for _ in 0..<128 { json = [json] }
        let error = #expect(throws: InvalidRequestError.self) { try json.data() }
        #expect(error?.reason == .invalidJSON)
    }

    @Test("SMA19: a number that JSON cannot represent is invalidJSON", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) throws {
        let json: JSON = ["a": [.number(JSON.Number(number))]]
        let error = #expect(throws: InvalidRequestError.self) { try json.data() }
        #expect(error?.reason == .invalidJSON)
        let sent = #expect(throws: InvalidRequestError.self) { try RequestBody.json(json).encoded(with: JSONEncoder()) }
        #expect(sent?.reason == .invalidJSON)
        #expect(sent?.message.contains("a.") == true)
        #expect(throws: InvalidRequestError.self) { try JSON(anyValue: ["a": number]) }
    }

    @Test("SMA19: an object with a value that JSON cannot represent is invalidJSON and does not crash")
    func invalidObject() throws {
        struct Foreign {}
        var nested: Any = 1
        for _ in 0..<2000 { nested = [nested] }
        let values: [Any] = [
            ["a": Foreign()], ["a": Date()], [1, [Foreign()]] as [Any], [1: 2], Foreign(), ["a": Double.nan], nested,
        ]
        for value in values {
            let error = #expect(throws: InvalidRequestError.self) { try JSON(anyValue: value) }
            #expect(error?.reason == .invalidJSON)
        }
    }

    @Test("Values of any type become the matching JSON values")
    func anyValues() throws {
        let absent: Int? = nil
        let value: [String: Any] = [
            "i": 1, "u": UInt64.max, "d": 0.5, "f": Float(0.5), "t": true, "s": "x", "l": [1, "a"] as [Any],
            "j": JSON.null,
            "o": ["k": 1 as Int8], "n": absent as Any,
        ]
        let expected: JSON = [
            "i": 1, "u": .number(JSON.Number(UInt64.max)), "d": 0.5, "f": 0.5, "t": true, "s": "x", "l": [1, "a"],
            "j": nil,
            "o": ["k": 1], "n": nil,
        ]
        #expect(try JSON(anyValue: value) == expected)
    }

    @Test("A model can have a JSON property")
    func inModel() throws {
        struct Model: Codable, Equatable {
            var id: Int
            var extra: JSON
        }
        let model = try JSONDecoder().decode(Model.self, from: Data(#"{"id":1,"extra":{"a":[true,1]}}"#.utf8))
        #expect(model == Model(id: 1, extra: ["a": [true, 1]]))
        #expect(try JSONDecoder().decode(Model.self, from: JSONEncoder().encode(model)) == model)
    }
}
