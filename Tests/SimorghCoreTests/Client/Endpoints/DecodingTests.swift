// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCompatibility
import SimorghCore
import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct DecodingTests {
    struct Page: Decodable, Sendable, Equatable { var users: [User] }

    func client(_ answer: StubResponse) -> APIClient { .scripted(StubServer { _ in answer }) }

    @Test(
        "SMA13: a key path with slashes, dots or names reaches a nested model",
        arguments: ["a/b/c", "a.b.c", ["a", "b", "c"]] as [DecodableKeyPath])
    func keyPath(path: DecodableKeyPath) async throws {
        let call = client(.json(#"{"a":{"b":{"c":{"id":7,"name":"Zal"}}}}"#)).call(.get, "x")
        #expect(try await call.decode(User.self, at: path) == User(id: 7, name: "Zal"))
    }

    @Test("SMA13: without a value at the key path the fallback is returned, else the error names the path")
    func brokenKeyPath() async throws {
        let call = client(.json(#"{"a":{"b":1}}"#)).call(.get, "x")
        #expect(try await call.decode(String.self, at: "a.c", fallback: "none") == "none")
        let error = await #expect(throws: NetworkError.self) { try await call.decode(String.self, at: "a.c") }
        guard case .decodingError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .brokenKeyPath)
        #expect(failure.description.contains("c"))
        #expect(failure.snippet == #"{"a":{"b":1}}"#)
    }

    @Test(
        "A body that is not Unicode ({\"id\":1,\"name\":\"Z\\xe1l\"}) is an error with the offset, as JSON and a model",
        arguments: [true, false])
    func notUnicode(isModel: Bool) async throws {
        let beginning = Array(#"{"id":1,"name":"Z"#.utf8)
        let body = Data(beginning + [0xE1] + Array(#"l"}"#.utf8))
        let call = client(StubResponse(body: body)).call(.get, "x")
        let error = await #expect(throws: NetworkError.self) {
            if isModel { _ = try await call.decode(User.self) } else { _ = try await call.json() }
        }
        guard case .decodingError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.message.contains("byte 0xE1 at offset \(beginning.count) is not valid UTF-8"))
        #expect(!failure.message.contains("Double"))
    }

    @Test("SMA13: a fallback does not hide a network failure or a refused status")
    func fallbackKeepsFailures() async throws {
        let lost = client(.timedOut(.head)).call(.get, "x")
        await #expect(throws: NetworkError.self) { try await lost.decode(String.self, at: "a", fallback: "none") }
        let refused = client(.json("{}", status: .notFound)).call(.get, "x")
        await #expect(throws: NetworkError.self) { try await refused.decode(String.self, at: "a", fallback: "none") }
    }

    @Test("SMA14: optional() is nil for an undecodable body, and rethrows every other error")
    func optional() async throws {
        let undecodable = client(.text("not json")).call(.get, "x").decoding(.decodable(User.self)).optional()
        #expect(try await undecodable.value() == nil)
        let lost = client(.timedOut(.head)).call(.get, "x").decoding(.decodable(User.self)).optional()
        let error = await #expect(throws: NetworkError.self) { _ = try await lost.value() }
        guard case .urlError(let cause) = error, cause.code == .timedOut else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "NET2: a decoding error has the path to the field and a snippet of the body",
        arguments: [
            (#"{"users":[{"id":1,"name":"a"},{"id":"x","name":"b"}]}"#, "users[1].id"),
            (#"{"users":[{"id":1}]}"#, "users[0].name"),
            (#"{"users":"#, ""),
        ])
    func path(body: String, path: String) async throws {
        let error = await #expect(throws: NetworkError.self) {
            try await client(.json(body)).call(.get, "x?token=secret").decode(Page.self)
        }
        guard case .decodingError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.path == path)
        #expect(failure.snippet == body)
        #expect(failure.response.statusCode == 200)
        #expect(error?.statusCode == 200)
        #expect(error?.responseData == Data(body.utf8))
        #expect(error?.context?.url == "https://api.test/x?token=secret")
        #expect(error?.description.contains("secret") == false)
    }

    @Test(
        "EK10: an empty body decodes as EmptyResponse, StatusCodeResponse, Void, Data, JSON and optionals, not a model")
    func empty() async throws {
        var fields = HTTPFields()
        fields[.eTag] = "\"1\""
        let client = client(StubResponse(status: .noContent, headerFields: fields))
        let _: EmptyResponse = try await client.get("x")
        let status: StatusCodeResponse = try await client.get("x")
        #expect(status == StatusCodeResponse(statusCode: 204, headers: ["ETag": "\"1\""]))
        try await client.call(.get, "x").void()
        #expect(try await client.call(.get, "x").data().isEmpty)
        #expect(try await client.call(.get, "x").json() == .null)
        let none: User? = try await client.get("x")
        #expect(none == nil)
        for endpoint in [client.call(FetchUser()), client.call(.get, "x").decoding(.decodable(User.self))] {
            let error = await #expect(throws: NetworkError.self) { _ = try await endpoint.value() }
            guard case .emptyResponse(let response) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(response.statusCode == 204)
        }
    }

    @Test("EK10: EmptyResponse and StatusCodeResponse ignore any body")
    func ignoredBody() async throws {
        struct Ping: NetworkRequest {
            typealias Response = EmptyResponse
        }
        struct Check: NetworkRequest {
            typealias Response = StatusCodeResponse
        }
        let client = client(.text("OK")).with { $0.decoder = JSONDecoder() }
        _ = try await client.send(Ping())
        #expect(try await client.send(Check()).statusCode == 200)
    }

    @Test("EK10: the client's decoder overrides the request's unless the request forbids it")
    func decoders() async throws {
        struct Post: Codable, Sendable, Equatable { var createdAt: Int }
        struct FetchPost: NetworkRequest {
            typealias Response = Post
            var allowsResponseDecoderOverride: Bool
            var jsonDecoder: JSONDecoder? { JSONDecoder() }
        }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let client = client(.json(#"{"created_at":1}"#)).with { $0.decoder = snake }
        #expect(try await client.send(FetchPost(allowsResponseDecoderOverride: true)) == Post(createdAt: 1))
        await #expect(throws: NetworkError.self) {
            try await client.send(FetchPost(allowsResponseDecoderOverride: false))
        }
    }

    @Test("A request's own decoding of bodies, empty responses and errors is used")
    func ownReading() async throws {
        struct Count: NetworkRequest {
            struct Response: Decodable, Sendable, Equatable { var bytes: Int }
            func decodeResponse(_ response: CollectedResponse, using decoder: JSONDecoder) throws -> Response {
                Response(bytes: response.body.count)
            }
            func emptyResponse(_ response: CollectedResponse) throws -> Response? { Response(bytes: -1) }
            func decodeError(_ response: CollectedResponse) -> (any Error)? {
                try? response.decode(Refusal.self).asError
            }
        }
        #expect(try await client(.text("four")).send(Count()).bytes == 4)
        #expect(try await client(.status(.ok)).send(Count()).bytes == -1)
        let error = await #expect(throws: NetworkError.self) {
            try await client(.json(#"{"code":3,"message":"no"}"#, status: .badRequest)).send(Count())
        }
        guard case .responseError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((failure.underlying as? Refusal.Thrown)?.refusal == Refusal(code: 3, message: "no"))
        #expect(error?.statusCode == 400)
    }

    @Test("A custom Deserializable decodes any value")
    func deserializable() async throws {
        struct CSV: Deserializable {
            func decode(_ response: CollectedResponse) throws -> [[String]] {
                String(decoding: response.body, as: UTF8.self).split(separator: "\n")
                    .map { $0.split(separator: ",").map(String.init) }
            }
        }
        let rows = try await client(.text("a,b\nc,d")).call(.get, "x").decoding(.custom(CSV())).value()
        #expect(rows == [["a", "b"], ["c", "d"]])
    }

    @Test("NET12: dynamic JSON is read by name and index; an empty 204 is null")
    func dynamicJSON() async throws {
        let json = try await client(.json(#"{"list":[1,{"deep":true}],"n":1.5}"#)).call(.get, "x").json()
        #expect(json["list"][1]["deep"] == .bool(true))
        #expect(try await client(.status(.noContent)).call(.get, "x").json() == .null)
    }
}

extension Refusal {
    struct Thrown: Error { var refusal: Refusal }
    var asError: Thrown { Thrown(refusal: self) }
}
