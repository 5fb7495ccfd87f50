// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import Testing

/// File bodies, which are inspected on a thread that may block on the disk.
@Suite(.timeLimit(.minutes(10)))
struct FileBodyTests {
    struct Form: NetworkRequest {
        typealias Response = EmptyResponse
        var path: String { "form" }
        var method: RequestMethod? { .post }
        var multipart: [MultipartFormField]?
    }

    let transport = StubServer { _ in .status(.noContent) }

    @Test("A late body is created outside of any task, once per request")
    func late() async throws {
        let makings = Mutex<[Bool]>([])
        let call = Call(client: APIClient.scripted(transport), decoding: .data) { _ in
            var description = CallDescription(method: .post, path: "x")
            description.deferredBody = {
                makings.withLock { $0.append(withUnsafeCurrentTask { $0 != nil }) }
                return .text("read")
            }
            return description
        }
        #expect(makings.withLock { $0 }.isEmpty)
        try await call.void()
        _ = try await call.stream()
        #expect(makings.withLock { $0 } == [false, false])
        #expect(transport.requests.map(\.text) == ["read", "read"])
    }

    @Test("Describing a call accesses no file, in every overload")
    func untouched() throws {
        let fields = [MultipartFormField.filePath(name: "f", path: "/nowhere/at/all")]
        #expect(try CallDescription(router: Form(multipart: nil), formFields: fields).deferredBody != nil)
        let settings = APIClient.scripted(StubServer()).settings
        #expect(try CallDescription(request: Form(multipart: fields), settings: settings).deferredBody != nil)
        #expect(try CallDescription(router: Form(), formFields: [.text(name: "a", value: "b")]).deferredBody == nil)
    }

    @Test("A missing file is an invalid request, and nothing is sent", arguments: 0..<4)
    func missing(way: Int) async throws {
        let client = APIClient.scripted(transport)
        let path = "/nowhere/at/all"
        let fields = [MultipartFormField.text(name: "a", value: "b"), .filePath(name: "f", path: path)]
        let error = await #expect(throws: NetworkError.self) {
            switch way {
            case 0: try await client.upload(file: path, to: "x").void()
            case 1: try await client.upload(Form(), file: path).void()
            case 2: try await client.upload(Form(), formFields: fields).void()
            default: try await client.call(Form(multipart: fields)).void()
            }
        }
        guard case .invalidRequest(let refusal, let context) = error else { throw error ?? .unknown }
        #expect(refusal.reason == .unreadableFile && refusal.message.contains(path))
        #expect(["PUT", "POST"].contains(context.method) && context.url.hasPrefix("https://api.test/"))
        #expect(transport.requestCount == 0)
    }

    struct Bird: Codable {
        var wingSpan = 3
    }

    @Test("A form value is encoded with the encoder of its call: the client's, or the router's own")
    func encoder() async throws {
        struct Own: NetworkRouter {
            var path: String { "form" }
            var jsonEncoder: JSONEncoder? {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .custom { _ in Key(stringValue: "own") }
                return encoder
            }
            struct Key: CodingKey {
                var stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        let fields: [MultipartFormField] = [
            .part(name: "j", body: .json(Bird())), .part(name: "f", body: .form(Bird())), .text(name: "t", value: "v"),
        ]
        let client = APIClient.scripted(transport) { configuration in
            let encoder = JSONEncoder()
            encoder.keyEncodingStrategy = .convertToSnakeCase
            configuration.coding.encoder = encoder
        }
        let body = try RequestBody.multipart(fields)
        #expect(body.length == nil && body.replayability == .replayable)
        try await client.call(Form(multipart: fields)).void()
        try await client.call(.post, "form", body: body).void()
        try await client.call(.post, "form", body: .multipart([.part(name: "m", body: body)])).void()
        try await client.upload(Form(), formFields: fields).void()
        try await client.upload(Own(), formFields: fields).void()
        try await client.upload(Own(), body: body).void()
        let texts = transport.requests.map(\.text)
        #expect(texts.count == 6)
        for text in texts.prefix(4) { #expect(text.contains("\r\n\r\n{\"wing_span\":3}\r\n--")) }
        for text in texts.suffix(2) { #expect(text.contains("\r\n\r\n{\"own\":3}\r\n--")) }
        for text in texts { #expect(text.contains("\r\n\r\nwingSpan=3\r\n--")) }
        // The length is known once everything is encoded.
        #expect(transport.requests.allSatisfy { $0.options != nil && !$0.body.isEmpty })
    }

    @Test("A form value that cannot be encoded is an invalid request")
    func unencodable() async throws {
        let client = APIClient.scripted(transport)
        let call = client.call(Form(multipart: [.part(name: "j", body: .json(["a": Double.nan]))]))
        let error = await #expect(throws: NetworkError.self) { try await call.void() }
        guard case .invalidRequest(let refusal, _) = error else { throw error ?? .unknown }
        #expect(refusal.reason == .encodingFailed && transport.requestCount == 0)
    }
}
