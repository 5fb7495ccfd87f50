// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HeaderRulesTests {
    @Test(
        "EK2: a value with a line break, NUL or other control character is refused with the header's name",
        arguments: ["s3cret\r\nX-Evil: 1", "s3cret\r", "s3cret\n", "\u{0}s3cret", "s3cret\u{7F}", "s3cret\u{1B}"])
    func values(value: String) throws {
        let error = try #require(throws: InvalidRequestError.self) { try HeaderRules.fields(["X-Token": value]) }
        #expect(error.reason == .invalidHeader)
        #expect(error.message.contains("X-Token") && !error.message.contains("s3cret"))
    }

    @Test(
        "EK2: a name that is not a token is refused, and shown without control characters",
        arguments: ["", "X Y", "X:", "X\r\nEvil: 1", "X\u{0}", "é", ":path", "X\n", " X", "X "])
    func names(name: String) throws {
        let error = try #require(throws: InvalidRequestError.self) { try HeaderRules.fields([name: "s3cret"]) }
        #expect(error.reason == .invalidHeader)
        #expect(error.message.utf8.allSatisfy { $0 >= 0x20 } && !error.message.contains("s3cret"))
    }

    @Test(
        "EK2: a bearer token with a line break is refused and not shown",
        arguments: ["s3cret\r\nX: y", "s3cret\u{0}", "", " "])
    func tokens(token: String) throws {
        let error = try #require(throws: InvalidRequestError.self) { try HeaderRules.bearer(token) }
        #expect(error.reason == .invalidHeader)
        #expect(error.message.contains("Authorization") && !error.message.contains("s3cret"))
    }

    @Test("EK2: a value collected by HeaderHandler is checked when the request is created")
    func builder() throws {
        let headers = HeaderHandler.shared.addAuthorizationHeader(type: .bearer(token: "s3cret\r\nX-Evil: 1")).build()
        let error = try #require(throws: InvalidRequestError.self) { try HeaderRules.fields(headers) }
        #expect(error.message.contains("authorization") && !error.message.contains("s3cret"))
    }

    @Test("A valid token becomes a Bearer credential")
    func bearer() throws {
        #expect(try HeaderRules.bearer("abc.DEF-_~+/=") == "Bearer abc.DEF-_~+/=")
    }

    @Test("Valid values are kept", arguments: ["", "a b", "a\tb", "é", "~!@#$%^&*()"])
    func kept(value: String) throws {
        let name = try #require(HTTPField.Name("X-A"))
        #expect(try HeaderRules.fields(["X-A": value])[name] == value)
    }

    @Test("Spaces around a value are removed")
    func trimmed() throws {
        #expect(try HeaderRules.fields(["Accept": " text/plain\t"])[.accept] == "text/plain")
    }

    @Test("set() replaces every field of that name, in any case")
    func replaced() throws {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .accept, value: "a"))
        fields.append(HTTPField(name: .accept, value: "b"))
        fields[.userAgent] = "x"
        try HeaderRules.set(["aCCept": "c"], in: &fields)
        #expect(fields[values: .accept] == ["c"])
        #expect(fields[.userAgent] == "x")
    }

    @Test("Fields have a stable order, and of two names that differ only in case one remains")
    func stable() throws {
        let names = (0..<40).map { "X-\($0)" }
        let fields = try HeaderRules.fields(Dictionary(uniqueKeysWithValues: names.map { ($0, "v") }))
        #expect(fields.map(\.name.rawName) == names.sorted())
        #expect(try HeaderRules.fields(["Accept": "a", "accept": "b"])[values: .accept] == ["b"])
    }

    @Test("Fields created by an interceptor are checked too")
    func foreign() throws {
        var fields: HTTPFields = [.accept: "fine"]
        try HeaderRules.check(fields)
        fields.append(HTTPField(name: .userAgent, lenientValue: Array("s3cret\u{1B}".utf8)))
        let error = try #require(throws: InvalidRequestError.self) { try HeaderRules.check(fields) }
        #expect(error.message.contains("User-Agent") && !error.message.contains("s3cret"))
    }

    @Test("The eight-byte check gives the same result as the check of each byte")
    func words() {
        for length in 0...20 {
            for place in 0..<max(1, length) {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x61, count: length)
                    if place < length { bytes[place] = byte }
                    let isValue = bytes.allSatisfy(HeaderRules.isValueByte)
                    let isASCII = bytes.allSatisfy { $0 < 0x80 }
                    #expect(bytes.withUnsafeBytes(HeaderRules.isValue) == isValue)
                    #expect(bytes.withUnsafeBytes(HeaderRules.isASCII) == isASCII)
                }
            }
        }
    }
}
