// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite("BodyCodec: values, errors and endpoints", .timeLimit(.minutes(2)))
struct BodyCodecErrorTests {
    private struct Bird: Codable, Equatable, Sendable {
        var name: String
    }

    private struct AddBird: NetworkRequest {
        typealias Response = [String: String]
        var fields: [String: String]?
        var path: String { "b" }
        var method: RequestMethod? { .post }
        var headers: [String: String]? { fields }
        var params: [String: String]? { ["name": "a"] }
    }

    private static let cbor = BodyCodec.named("cbor", "application/cbor")

    private func client(
        _ answer: String, _ type: String? = "application/cbor", status: HTTPResponse.Status = .ok,
        codecs: [BodyCodec] = [cbor, .json]
    ) -> (APIClient, StubServer) {
        let server = StubServer()
        server.on("/b") { _ in
            var response = StubResponse.text(answer, status: status)
            response.headerFields[.contentType] = type
            return response
        }
        return (APIClient.scripted(server) { $0.codecs = codecs }, server)
    }

    private func decodingError<Value: Sendable>(
        _ work: () async throws -> Value
    ) async throws -> ResponseDecodingError {
        let error = await #expect(throws: NetworkError.self) { try await work() }
        guard case .decodingError(let cause) = error else { throw try #require(error) }
        return cause
    }

    @Test("A codec that returns another type is a decoding error", arguments: [0, 1, 2])
    func anotherType(kind: Int) async throws {
        let values: [any Decodable & Sendable] = [7, Bird?.none, [Bird(name: "a")]]
        let codec = BodyCodec(mediaTypes: ["a/b"]) { _ in
            Data()
        } decode: { _, _ in
            values[kind]
        }
        let (client, _) = client("x", "a/b", codecs: [codec])
        let error = try await decodingError { try await client.call(.get, "b").decode(Bird.self) }
        #expect(error.message.contains("The codec for a/b returned") && error.message.contains("instead of Bird"))
        #expect(error.response.body == Data("x".utf8))
    }

    @Test("Optional values, empty responses and empty bodies behave as with JSON")
    func optionals() async throws {
        let (full, _) = client(#"cbor:{"name":"zal"}"#)
        #expect(try await full.call(.get, "b").decode(Bird?.self) == Bird(name: "zal"))
        #expect(try await full.call(.get, "b").decode(EmptyResponse.self) == EmptyResponse())
        let (null, _) = client("cbor:null")
        #expect(try await null.call(.get, "b").decode(Bird?.self) == nil)
        let (empty, _) = client("")
        #expect(try await empty.call(.get, "b").decode(Bird?.self) == nil)
        #expect(try await empty.call(.get, "b").decode(EmptyResponse.self) == EmptyResponse())
        let error = await #expect(throws: NetworkError.self) { try await empty.call(.get, "b").decode(Bird.self) }
        guard case .emptyResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let (broken, _) = client("garbage")
        #expect(try await broken.call(.get, "b").decoding(.decodable(Bird.self)).optional().value() == nil)
        #expect(try await broken.call(.get, "b").decode(Bird.self, fallback: Bird(name: "f")) == Bird(name: "f"))
    }

    @Test("A body that the codec cannot decode is a decoding error without advice about JSON")
    func garbage() async throws {
        let (client, _) = client("{")
        let error = try await decodingError { try await client.call(.get, "b").decode(Bird.self) }
        #expect(error.message == "not of cbor" && error.reason == .undecodable)
        let (mistyped, _) = self.client("cbor:{}", "application/json")
        _ = try await decodingError { try await mistyped.call(.get, "b").decode(Bird.self) }
        let (missing, _) = self.client("cbor:{}")
        #expect(try await decodingError { try await missing.call(.get, "b").decode(Bird.self) }.path == "name")
    }

    @Test("A value that the codec cannot encode is an invalid request with the media type and the path")
    func unencodable() async throws {
        let (client, server) = client("")
        let body = RequestBody(encodable: ["list": [1.0, .nan]])
        let error = await #expect(throws: NetworkError.self) { try await client.post("b", body: body) }
        #expect(
            "\(String(describing: error))".contains("“list.Index 1” of the body cannot be encoded as application/cbor"))
        let failing = BodyCodec(mediaTypes: ["a/b"]) { _ in
            throw CancellationError()
        } decode: { _, _ in
            1
        }
        let refused = await #expect(throws: NetworkError.self) {
            try await client.call(.post, "b", body: body).with { $0.codecs = [failing] }.void()
        }
        #expect("\(String(describing: refused))".contains("the body could not be encoded as a/b"))
        #expect(server.requests.isEmpty)
    }

    @Test("A key path needs JSON: Accept asks for it, and the response of another codec is an error")
    func keyPaths() async throws {
        let (other, server) = client(#"cbor:{"a":{"name":"zal"}}"#, "application/cbor; v=1")
        let error = try await decodingError { try await other.call(.get, "b").decode(Bird.self, at: "a") }
        #expect(error.message == "A key path needs JSON, and the body is application/cbor; v=1.")
        #expect(server.requests.last?.header(.accept) == "application/json")
        for type in ["application/json", "text/plain", nil] {
            let (json, _) = client(#"{"a":{"name":"zal"}}"#, type)
            #expect(try await json.call(.get, "b").decode(Bird.self, at: "a") == Bird(name: "zal"))
        }
    }

    @Test("JSON stays JSON", arguments: ["application/json", "application/cbor"])
    func dynamic(type: String) async throws {
        let (client, server) = client(#"{"a":1}"#, type)
        #expect(try await client.call(.post, "b", body: .json(Bird(name: "a"))).json()["a"].int == 1)
        #expect(server.requests.last?.header(.accept) == "application/json")
        #expect(server.requests.last?.text == #"{"name":"a"}"#)
        let stream = try await client.call(.get, "b").stream()
        for try await record in stream.ndjson(as: [String: Int].self) { #expect(record == ["a": 1]) }
    }

    @Test(
        "The parameters of an endpoint are encoded as a body without a media type, or with that of its header fields",
        arguments: [
            (nil, "application/cbor", "cbor:"), (["content-type": "application/json"], "application/json", ""),
            (["Content-Type": "a/b"], "a/b", ""),
        ] as [([String: String]?, String, String)])
    func endpoints(fields: [String: String]?, type: String, prefix: String) async throws {
        let (client, server) = client(#"cbor:{"name":"zal"}"#)
        #expect(try await client.send(AddBird(fields: fields)) == ["name": "zal"])
        let request = try #require(server.requests.last)
        #expect(request.text == prefix + #"{"name":"a"}"# && request.header(.contentType) == type)
        #expect(request.header(.accept) == "application/cbor, application/json")
        let value: Bird = try await client.request(AddBird(fields: fields))
        #expect(value == Bird(name: "zal"))
    }

    @Test("Parts of a form follow the codecs, and name the media type")
    func forms() async throws {
        let (client, server) = client("")
        let fields: [MultipartFormField] = [
            .part(name: "a", body: RequestBody(encodable: Bird(name: "a"))),
            .part(name: "b", body: RequestBody(encodable: Bird(name: "b"), contentType: "application/json")),
            .part(name: "c", body: RequestBody(encodable: Bird(name: "c"), contentType: "Application/CBOR")),
            .part(name: "d", body: .json(Bird(name: "d")), fileName: "d.json"),
        ]
        try await client.post("b", body: .multipart(fields))
        let text = try #require(server.requests.last).text
        #expect(text.contains("name=\"a\"\r\nContent-Type: application/cbor\r\n\r\ncbor:{\"name\":\"a\"}\r\n--"))
        #expect(text.contains("name=\"b\"\r\nContent-Type: application/json\r\n\r\n{\"name\":\"b\"}\r\n--"))
        #expect(text.contains("name=\"c\"\r\nContent-Type: Application/CBOR\r\n\r\ncbor:{\"name\":\"c\"}\r\n--"))
        #expect(text.contains("Content-Type: application/json\r\n\r\n{\"name\":\"d\"}\r\n--"))
        try await client.call(.post, "b", body: .multipart(fields)).with { $0.codecs = [.json] }.void()
        let json = try #require(server.requests.last).text
        #expect(json.contains("name=\"a\"\r\nContent-Type: application/json\r\n\r\n{\"name\":\"a\"}\r\n--"))
    }

    @Test("Error bodies follow the codecs: in errors, in retry decisions, and as typed failures")
    func errorBodies() async throws {
        let (client, _) = client(#"cbor:{"name":"gone"}"#, status: .serviceUnavailable)
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "b").decode(Bird.self) }
        #expect(try error?.response?.decode(Bird.self) == Bird(name: "gone"))
        let streamed = await #expect(throws: NetworkError.self) { try await client.call(.get, "b").stream() }
        #expect(try streamed?.response?.decode(Bird.self) == Bird(name: "gone"))
        let seen = LockedValue<[Bird?]>([])
        let retried = client.call(.get, "b").retrying { attempt in
            seen.change { $0.append(try? attempt.error.response?.decode(Bird.self)) }
            return .doNotRetry
        }
        await #expect(throws: NetworkError.self) { try await retried.void() }
        #expect(seen.value == [Bird(name: "gone")])
        let typed = await client.result(for: .get("b") as APIRequest<Bird, Bird>)
        guard case .failure(.apiError(let failure)) = typed else {
            Issue.record("\(typed)")
            return
        }
        #expect(failure.error == Bird(name: "gone"))
    }

    @Test("Closures decode by the codecs")
    func closures() async throws {
        let (client, _) = client(#"cbor:{"name":"zal"}"#)
        let result = await withCheckedContinuation { done in
            client.call(.get, "b").start(Bird.self) { done.resume(returning: $0) }.detach()
        }
        #expect(try result.get() == Bird(name: "zal"))
    }

    @Test("Calls with different codecs do not share a cached response that varies by Accept")
    func cache() async throws {
        let server = StubServer()
        server.on("/b") { request in
            let isCBOR = request.header(.accept) == "application/cbor"
            let answer = isCBOR ? #"cbor:{"name":"c"}"# : #"{"name":"j"}"#
            return StubResponse.text(answer, contentType: isCBOR ? "application/cbor" : "application/json")
                .header(.cacheControl, value: "max-age=600").header(.vary, value: "Accept")
        }
        let client = APIClient.scripted(server) { $0.caching.httpCache = CachedClientTests.memory() }
        let other = client.with { $0.codecs = [Self.cbor] }
        for _ in 0..<3 {
            #expect(try await client.get("b") == Bird(name: "j"))
            #expect(try await other.get("b") == Bird(name: "c"))
        }
        #expect(server.requestCount == 2)
    }
}
