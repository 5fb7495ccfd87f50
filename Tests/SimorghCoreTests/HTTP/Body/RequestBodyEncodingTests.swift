// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestBodyEncodingTests {
    private struct Model: Codable, Sendable {
        var name = "Ada & Bob"
        var flags = [true, false]
        var at = Date(timeIntervalSince1970: 0)
    }

    private struct Broken: Encodable, Sendable {
        struct Inner: Encodable, Sendable { var value = Double.nan }
        var list = [Inner()]
    }

    private func text(_ body: RequestBody) -> String? { body.bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test("SIM1: a model becomes JSON of known length, encoded with the given encoder")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let body = try RequestBody.json(Model()).encoded(with: encoder)
        #expect(text(body) == #"{"at":"1970-01-01T00:00:00Z","flags":[true,false],"name":"Ada & Bob"}"#)
        #expect(body.contentType == "application/json")
        #expect(body.length == body.bytes.map { Int64($0.count) })
        #expect(body.replayability == .seekable)
    }

    @Test("NET12: a model becomes a form in which Bool is true or false")
    func form() throws {
        let body = try RequestBody.form(Model()).encoded(with: JSONEncoder())
        #expect(
            text(body)
                == "name=Ada%20%26%20Bob&flags%5B%5D=true&flags%5B%5D=false&at=1970-01-01T00%3A00%3A00Z")
        #expect(body.contentType == "application/x-www-form-urlencoded")
    }

    @Test(
        "The media type of a model is sent, and a form media type encodes a form",
        arguments: [
            ("application/json", #"{"a":"b"}"#), ("application/vnd.api+json", #"{"a":"b"}"#),
            ("application/x-www-form-urlencoded", "a=b"), ("Application/X-WWW-Form-URLEncoded; charset=utf-8", "a=b"),
        ])
    func contentTypes(type: String, expected: String) throws {
        let body = try RequestBody(encodable: ["a": "b"], contentType: type).encoded(with: JSONEncoder())
        #expect(body.contentType == type)
        #expect(text(body) == expected)
    }

    @Test("Bytes and dictionary forms are encoded at once; the form is sorted by name")
    func ready() {
        let raw = RequestBody(data: Data([1, 2]), contentType: "image/png")
        #expect(raw.bytes == Data([1, 2]) && raw.contentType == "image/png" && raw.length == 2)
        let form = RequestBody(formURLEncoded: ["b": "1+1", "a&x": "=", "c": ""])
        #expect(text(form) == "a%26x=%3D&b=1%2B1&c=")
        #expect(form.contentType == "application/x-www-form-urlencoded")
    }

    @Test("A number that JSON cannot represent fails with the path to it")
    func notFinite() throws {
        let error = try #require(throws: InvalidRequestError.self) {
            try RequestBody.json(Broken()).encoded(with: JSONEncoder())
        }
        #expect(error.reason == .encodingFailed)
        #expect(error.message.contains("list") && error.message.contains("value"))
    }

    @Test("A body without a model is unchanged by encoding")
    func untouched() throws {
        let body = try RequestBody.text("x").encoded(with: JSONEncoder())
        #expect(text(body) == "x" && body.contentType == "text/plain; charset=utf-8")
        #expect(try RequestBody.empty.encoded(with: JSONEncoder()).isEmpty)
    }
}
