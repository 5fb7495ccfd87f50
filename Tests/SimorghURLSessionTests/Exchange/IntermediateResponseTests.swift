// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import SimorghURLSession
import Testing

@Suite("URLSession: collected calls with a response that is not final", .timeLimit(.minutes(5)))
struct IntermediateResponseTests {
    private static func client(_ server: MockServer, _ change: (inout APIClient.Configuration) -> Void) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = server.url
        configuration.networkMonitor = nil
        configuration.maximumCollectedBytes = 1000
        configuration.maximumErrorBodyBytes = 500
        change(&configuration)
        return APIClient(configuration: configuration, transport: URLSessionTransport())
    }

    private static var configuration: MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.protocols = [.http1]
        return configuration
    }

    @Test("A 503 is retried at once, even if its body is large or incomplete", arguments: [true, false])
    func retried(isLarge: Bool) async throws {
        let gate = Gate()
        try await MockServer.with(Self.configuration) { server in
            let steps: [StubResponse.BodyStep] =
                isLarge ? [.bytes(Data(count: 100_000))] : [.bytes(Data("short".utf8)), .wait(gate)]
            server.on(.get, path: "/x", inOrder: [.chunks(steps, status: .serviceUnavailable), .text("done")])
            let client = Self.client(server) {
                $0.retry = RetryPolicy(maximumRetries: 1)
                $0.retry?.baseDelay = .milliseconds(1)
            }
            let data = try await client.call(.get, "x").data()
            #expect(String(decoding: data, as: UTF8.self) == "done")
            gate.open()
        }
    }

    @Test("An error response keeps its status, and its body up to maximumErrorBodyBytes")
    func error() async throws {
        try await MockServer.with(Self.configuration) { server in
            server.on(.get, path: "/x", response: .bytes(Data(count: 100_000), status: .internalServerError))
            let client = Self.client(server) { _ in }
            let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").data() }
            #expect(error?.statusCode == 500)
            #expect(error?.responseData?.count == 500)
        }
    }

    @Test("A large redirect body does not count towards maximumCollectedBytes")
    func redirected() async throws {
        try await MockServer.with(Self.configuration) { server in
            let body = StubResponse.bytes(Data(count: 100_000), status: .found)
            server.on(.get, path: "/x", response: body.header(.location, value: "/y"))
            server.on(.get, path: "/y", response: .text("done"))
            let data = try await Self.client(server) { _ in }.call(.get, "x").data()
            #expect(String(decoding: data, as: UTF8.self) == "done")
        }
    }

    @Test("A Host header field replaces the URL's host")
    func host() async throws {
        try await MockServer.with(Self.configuration) { server in
            server.on(.get, path: "/x", response: .text("done"))
            let client = Self.client(server) { _ in }
            try await client.call(.get, "x", headers: ["Host": "other.example"]).void()
            let name = try #require(HTTPField.Name("Host"))
            let request = server.requests.first
            #expect(request?.head.authority ?? request?.header(name) == "other.example")
            let error = await #expect(throws: NetworkError.self) {
                try await client.call(.get, "x", headers: ["Host": "a/b"]).void()
            }
            #expect(error != nil && server.requestCount == 1)
        }
    }
}
