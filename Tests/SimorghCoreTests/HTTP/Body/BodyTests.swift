// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(10)))
struct BodyTests {
    let transport = StubServer { _ in .status(.noContent) }

    struct Clash: NetworkRequest {
        typealias Response = EmptyResponse
        var method: RequestMethod? { .post }
        var params: User?
        var body: RequestBody?
        var multipart: [MultipartFormField]?
    }

    @Test(
        "EK4: two bodies are refused, in every combination",
        arguments: [
            Clash(body: .text("a"), multipart: [.text(name: "a", value: "b")]),
            Clash(params: User(id: 1, name: "a"), body: .text("a")),
            Clash(params: User(id: 1, name: "a"), multipart: []),
        ])
    func conflict(request: Clash) async throws {
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: NetworkError.self) { try await client.send(request) }
        guard case .invalidRequest(let refusal, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .conflictingBodyTypes)
        #expect(transport.requestCount == 0)
    }

    @Test("NET2: a body that cannot be encoded is an invalid request that names the field")
    func unencodable() async throws {
        struct Measure: Codable { var value: Double }
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: NetworkError.self) {
            try await client.post("x", body: .json(Measure(value: .infinity)))
        }
        guard case .invalidRequest(let refusal, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .encodingFailed)
        #expect(refusal.message.contains("value"))
        #expect(context.url == "https://api.test/x")
        #expect(transport.requestCount == 0)
    }

    @Test("SMA19: JSON that cannot be encoded is invalidJSON, and nothing is sent")
    func invalidJSON() async throws {
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: NetworkError.self) {
            try await client.post("x", body: .json(JSON.number(JSON.Number(Double.nan))))
        }
        guard case .invalidRequest(let refusal, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.reason == .invalidJSON)
        #expect(transport.requestCount == 0)
    }

    @Test(
        "Each kind of body is sent completely, with its Content-Type",
        arguments: [
            (RequestBody.json(User(id: 1, name: "é")), "application/json", #"{"id":1,"name":"é"}"#),
            (.form(["a": "1", "b": "x y"]), "application/x-www-form-urlencoded", "a=1&b=x%20y"),
            (.bytes(Data("raw".utf8)), "application/octet-stream", "raw"),
            (.text("text"), "text/plain; charset=utf-8", "text"),
            (
                RequestBody(encodable: ["k": 1], contentType: "application/vnd.api+json"), "application/vnd.api+json",
                #"{"k":1}"#
            ),
        ])
    func kinds(body: RequestBody, type: String, text: String) async throws {
        let sorted = JSONEncoder()
        sorted.outputFormatting = .sortedKeys
        let client = APIClient.scripted(transport) { $0.coding.encoder = sorted }
        try await client.post("x", body: body)
        let request = try await transport.request(at: 0)
        #expect(request.header(.contentType) == type)
        #expect(request.text == text)
    }

    @Test("The caller's Content-Type overrides the body's")
    func contentType() async throws {
        try await APIClient.scripted(transport)
            .post("x", headers: ["content-type": "application/x-ndjson"], body: .json([1]))
        #expect(try await transport.request(at: 0).head.headerFields[values: .contentType] == ["application/x-ndjson"])
    }

    @Test("A missing file is an invalid request that names it")
    func missingFile() {
        let error = #expect(throws: InvalidRequestError.self) { try RequestBody.file("/nowhere/at all.bin") }
        #expect(error?.reason == .unreadableFile)
        #expect(error?.message.contains("/nowhere/at all.bin") == true)
    }

    @Test("A path with a NUL is refused instead of truncated")
    func nulInPath() {
        let error = #expect(throws: InvalidRequestError.self) { try RequestBody.file("/etc/passwd\0.txt") }
        #expect(error?.reason == .unreadableFile)
    }
}
