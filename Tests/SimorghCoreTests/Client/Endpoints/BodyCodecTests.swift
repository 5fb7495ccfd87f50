// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

extension BodyCodec {
    /// A codec whose bytes are JSON behind its name and a colon.
    static func named(_ name: String, _ mediaTypes: String..., quality: Double = 1) -> BodyCodec {
        let prefix = Data("\(name):".utf8)
        return BodyCodec(mediaTypes: mediaTypes, quality: quality) { value in
            prefix + (try JSONEncoder().encode(value))
        } decode: { type, data in
            guard data.starts(with: prefix) else {
                let context = DecodingError.Context(codingPath: [], debugDescription: "not of \(name)")
                throw DecodingError.dataCorrupted(context)
            }
            return try JSONDecoder().decode(type, from: Data(data.dropFirst(prefix.count)))
        }
    }
}

@Suite("BodyCodec: selection", .timeLimit(.minutes(2)))
struct BodyCodecTests {
    struct Bird: Codable, Equatable, Sendable {
        var name: String
    }

    private static let xml = BodyCodec.named("xml", "application/xml", "text/xml")
    private static let cbor = BodyCodec.named("cbor", "application/cbor")

    private func accept(_ codecs: [BodyCodec]) async throws -> String? {
        let server = StubServer()
        server.on("/b", response: .json(#"{"name":"zal"}"#))
        _ = try? await APIClient.scripted(server) { $0.codecs = codecs }.call(.get, "b").decode(Bird.self)
        return try #require(server.requests.first).header(.accept)
    }

    @Test(
        "Accept has the media types of all codecs with their weights",
        arguments: [
            ([.json], "application/json"), ([], "application/json"), ([.json, .json], "application/json"),
            ([xml], "application/xml, text/xml"), ([.json, cbor], "application/json, application/cbor"),
            ([xml.weighted(0.5), .json], "application/xml;q=0.5, text/xml;q=0.5, application/json"),
            ([.json.weighted(0.9)], "application/json;q=0.9"), ([cbor.weighted(0)], "application/cbor;q=0.001"),
            ([cbor.weighted(-7)], "application/cbor;q=0.001"), ([cbor.weighted(7)], "application/cbor"),
            ([cbor.weighted(.nan)], "application/cbor"), ([cbor.weighted(1.0 / 3)], "application/cbor;q=0.333"),
            ([cbor.weighted(0.9996)], "application/cbor"), ([cbor.weighted(-.infinity)], "application/cbor;q=0.001"),
            ([cbor, .named("x", "Application/CBOR", "a/b")], "application/cbor, a/b"),
            ([.named("x", "a/b;version=2", quality: 0.25)], "a/b;version=2;q=0.25"),
        ] as [([BodyCodec], String)])
    func acceptField(codecs: [BodyCodec], expected: String) async throws {
        #expect(try await accept(codecs) == expected)
    }

    @Test(
        "The codec for the Content-Type decodes a response, else the first one",
        arguments: [
            ("application/xml", "xml"), ("text/xml", "xml"), ("TEXT/XML; charset=UTF-8", "xml"),
            ("application/atom+xml", "xml"), ("image/svg+XML;a=b", "xml"), ("application/cbor", "cbor"),
            ("application/senml+cbor", "cbor"), ("application/json", ""), ("Application/Problem+JSON", ""),
            ("text/plain", "xml"), (nil, "xml"), ("", "xml"), ("application/xml, application/cbor", "xml"),
            ("application/+", "xml"), ("+", "xml"), ("application/xml+cbor+json", ""),
        ] as [(String?, String)])
    func response(type: String?, name: String) async throws {
        let server = StubServer()
        server.on("/b") { _ in
            var response = StubResponse.bytes(Data("\(name.isEmpty ? "" : name + ":"){\"name\":\"zal\"}".utf8))
            response.headerFields[.contentType] = type
            return response
        }
        let client = APIClient.scripted(server) { $0.codecs = [Self.xml, Self.cbor] }
        #expect(try await client.call(.get, "b").decode(Bird.self) == Bird(name: "zal"))
        let collected = try await client.call(.get, "b").response().response
        #expect(try collected.decode(Bird.self) == Bird(name: "zal"))
    }

    @Test("Of several Content-Type fields the last one selects the codec")
    func severalFields() async throws {
        let server = StubServer()
        server.on("/b") { _ in
            var response = StubResponse.text(#"cbor:{"name":"zal"}"#)
            response.headerFields[values: .contentType] = ["application/xml", "application/cbor"]
            return response
        }
        let client = APIClient.scripted(server) { $0.codecs = [Self.xml, Self.cbor] }
        #expect(try await client.call(.get, "b").decode(Bird.self) == Bird(name: "zal"))
    }

    @Test(
        "A body is encoded by the codec for its media type, else as JSON; without one by the first codec",
        arguments: [
            (nil, nil, "application/xml", "xml:"), ("application/cbor", nil, "application/cbor", "cbor:"),
            ("Application/Soap+XML; charset=utf-8", nil, "Application/Soap+XML; charset=utf-8", "xml:"),
            ("application/vnd.api+json", nil, "application/vnd.api+json", ""), ("a/b", nil, "a/b", ""),
            ("application/json", nil, "application/json", ""), (nil, "application/cbor", "application/cbor", "cbor:"),
            (nil, "application/vnd.api+json", "application/vnd.api+json", ""), (nil, "a/b", "a/b", ""),
            ("application/cbor", "text/xml", "text/xml", "cbor:"),
        ] as [(String?, String?, String, String)])
    func request(type: String?, field: String?, sent: String, prefix: String) async throws {
        let server = StubServer()
        server.on("/b", response: StubResponse())
        let client = APIClient.scripted(server) { $0.codecs = [Self.xml, Self.cbor] }
        let bird = Bird(name: "zal")
        let body = type.map { RequestBody(encodable: bird, contentType: $0) } ?? RequestBody(encodable: bird)
        try await client.post("b", headers: field.map { ["content-type": $0] } ?? [:], body: body)
        let request = try #require(server.requests.first)
        #expect(request.text == prefix + #"{"name":"zal"}"#)
        #expect(request.head.headerFields[values: .contentType] == [sent])
    }

    @Test(
        "Without codecs every body is JSON with the same fields and bytes as before",
        arguments: [[], [.json]] as [[BodyCodec]])
    func unchanged(codecs: [BodyCodec]) async throws {
        let server = StubServer()
        server.on("/b", response: .text(#"{"name":"zal"}"#))
        let client = APIClient.scripted(server) { $0.codecs = codecs }
        var untyped = RequestBody(encodable: Bird(name: "a"))
        #expect(untyped.contentType == "application/json")
        untyped.contentType = nil
        let bodies = [
            RequestBody(encodable: Bird(name: "a")), RequestBody(encodable: Bird(name: "a"), contentType: "a/b"),
            .json(Bird(name: "a")), untyped,
        ]
        for (body, type) in zip(bodies, ["application/json", "a/b", "application/json", nil]) {
            _ = try await client.post("b", body: body) as Bird
            let request = try #require(server.requests.last)
            #expect(request.text == #"{"name":"a"}"# && request.header(.contentType) == type)
            #expect(request.header(.accept) == "application/json")
        }
        #expect(try await client.call(.get, "b").response().response.codecs == nil)
    }

    @Test("A call can have codecs of its own")
    func perCall() async throws {
        let server = StubServer()
        server.on("/b", response: .text(#"cbor:{"name":"zal"}"#))
        let call = APIClient.scripted(server).call(.get, "b").with { $0.codecs = [Self.cbor] }
        #expect(try await call.decode(Bird.self) == Bird(name: "zal"))
        #expect(server.requests.last?.header(.accept) == "application/cbor")
        let accepted = APIClient.scripted(server).call(.get, "b", headers: ["Accept": "*/*"])
        #expect(try await accepted.with { $0.codecs = [Self.cbor] }.decode(Bird.self) == Bird(name: "zal"))
        #expect(server.requests.last?.header(.accept) == "*/*")
    }

    @Test(
        "A codec with an invalid media type fails each call by name, and nothing is sent",
        arguments: [
            [], [""], ["application"], ["/"], ["a/"], ["/b"], ["a/b/c"], ["a/b\r\nX: y"], ["a/b;c=\"\n\""], ["a/*"],
            ["*/*"], ["a/b, c/d"], ["a b/c"], ["a/b;q=0.1"], ["a/b; Q = 1"], ["a/b", "ü/b"], ["a/b", "a/b\u{0}"],
        ])
    func invalid(types: [String]) async throws {
        let server = StubServer()
        var codec = Self.cbor
        codec.mediaTypes = types
        let client = APIClient.scripted(server) { [codec] in $0.codecs = [.json, codec] }
        for call in [client.call(.get, "b"), client.call(.post, "b", body: .json(Bird(name: "a")))] {
            let error = await #expect(throws: NetworkError.self) { try await call.data() }
            guard case .invalidRequest = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect("\(String(describing: error))".contains("a codec needs a media type such as application/xml"))
        }
        #expect(server.requests.isEmpty)
    }

    @Test("A codec without closures of JSON can have other media types, and uses the JSON coders of the call")
    func renamedJSON() async throws {
        let server = StubServer()
        server.on("/b", response: .text(#"{"birdName":"zal"}"#, contentType: "application/vnd.birds"))
        var codec = BodyCodec.json
        codec.mediaTypes = ["application/vnd.birds"]
        let client = APIClient.scripted(server) { [codec] configuration in
            configuration.codecs = [codec, Self.cbor]
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            configuration.coding.encoder = encoder
        }
        let value = try await client.post("b", body: RequestBody(encodable: ["birdName": "a"])) as [String: String]
        #expect(value == ["birdName": "zal"])
        #expect(server.requests.last?.header(.contentType) == "application/vnd.birds")
        #expect(server.requests.last?.header(.accept) == "application/vnd.birds, application/cbor")
    }
}
