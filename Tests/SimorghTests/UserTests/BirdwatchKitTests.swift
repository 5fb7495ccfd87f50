// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import SimorghTesting
import Testing

// MARK: The code under test

struct BirdProblem: Codable, Sendable, Equatable { var reason: String }

extension Birdwatch {
    func add(_ name: String) async throws -> Bird {
        try await client.post("birds", body: .json(["name": name]))
    }

    /// Returns the names of the birds as they are seen.
    func sightings() async throws -> [String] {
        var names: [String] = []
        for try await line in try await client.stream(.get, "sightings").lines() { names.append(line) }
        return names
    }
}

// MARK: Its tests

@Suite(.timeLimit(.minutes(5)))
struct BirdwatchKitTests {
    @Test("A new bird is sent as JSON")
    func sends() async throws {
        let stubs = StubServer(baseURL: "https://birds.example/v1")
        stubs.fakePOST("birds", response: Bird(id: 1, name: "Zal"), statusCode: 201)
        #expect(try await Birdwatch(client: stubs.client()).add("Zal").id == 1)
        let request = try #require(stubs.requests.first)
        #expect(request.method == .post)
        #expect(try request.json([String: String].self) == ["name": "Zal"])
        try stubs.verify()
    }

    @Test("A typed request throws the server's own error")
    func typed() async throws {
        let stubs = StubServer(baseURL: "https://birds.example/v1")
        let request = APIRequest<Bird, BirdProblem>.get("birds/7")
        stubs.stub(error: BirdProblem(reason: "flown"), for: request, statusCode: 404)
        do {
            _ = try await stubs.client().response(for: request)
            Issue.record("expected the server's error")
        } catch APIClientError<BirdProblem>.apiError(let refusal) {
            #expect(refusal.error == BirdProblem(reason: "flown"))
        }
    }

    @Test("A retry waits as long as Retry-After asks, and the test takes no time")
    func retries() async throws {
        let clock = TestClock(movesItself: true)
        let stubs = StubServer(baseURL: "https://birds.example/v1", time: clock.timeSource)
        let token = stubs.add(
            .path("/v1/birds/{id}"),
            inOrder: [
                StubResponse.status(.serviceUnavailable).header(.retryAfter, value: "2"),
                .json(Bird(id: 7, name: "Zal")),
            ])
        let client = stubs.client {
            $0.retry = RetryPolicy()
            $0.time = clock.timeSource
        }
        #expect(try await Birdwatch(client: client).bird(7).name == "Zal")
        #expect(clock.waits.contains(.seconds(2)))
        _ = token
    }

    @Test("A stream reset on the wire throws an error and leaks nothing")
    func breaksOff() async throws {
        try await MockServer.with { server in
            server.on(
                .get, path: "/sightings", response: StubResponse.text("zal\nrudabeh\n").fault(.reset, at: .responseBody)
            )
            let birdwatch = Birdwatch(client: APIClient(configuration: server.clientConfiguration))
            try await expectNoLeaks(in: server) {
                await #expect(throws: NetworkError.self) { try await birdwatch.sightings() }
            }
        }
    }

    @Test("TLS and HTTP/2 work with the test kit's certificate")
    func secure() async throws {
        var configuration = MockServer.Configuration()
        configuration.tls = try .init()
        try await MockServer.with(configuration) { server in
            server.on(.get, path: "/birds/{id}", response: .json(Bird(id: 7, name: "Zal")))
            let bird = try await Birdwatch(client: APIClient(configuration: server.clientConfiguration)).bird(7)
            #expect(bird.name == "Zal")
            #expect(server.requests.first?.arrival?.protocolName == "h2")
        }
    }

    @Test("A real server's response is replayed from a file")
    func cassette() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await MockServer.with { server in
            server.on(.get, path: "/birds/{id}", response: .json(Bird(id: 7, name: "Zal")))
            try await Cassette.with(file, mode: .record, over: NIOTransport.shared) { cassette in
                let client = APIClient.scripted(cassette, baseURL: server.url)
                let bird = try await Birdwatch(client: client).bird(7)
                #expect(bird.name == "Zal")
            }
        }
        // The server has been shut down.
        var rules = Cassette.Rules()
        rules.comparesOrigin = false
        try await Cassette.with(file, mode: .replay, rules: rules) { cassette in
            let bird = try await Birdwatch(client: .scripted(cassette)).bird(7)
            #expect(bird == Bird(id: 7, name: "Zal"))
        }
    }
}
