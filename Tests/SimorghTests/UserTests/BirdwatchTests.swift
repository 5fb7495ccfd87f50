// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import SimorghTesting
import Testing

struct Bird: Codable, Sendable, Equatable {
    var id: Int
    var name: String
}

struct Birdwatch: Sendable {
    var client: APIClient

    func bird(_ id: Int) async throws -> Bird { try await client.get("birds/\(id)") }
}

extension StubServer {
    static func birds() -> StubServer {
        let stubs = StubServer(baseURL: "https://birds.example/v1")
        stubs.fakeGET("birds/{id}", response: #"{"id": {id}, "name": "bird {id}"}"#)
        return stubs
    }
}

@Suite(.timeLimit(.minutes(5)))
struct BirdwatchTests {
    @Test("A bird is fetched by its number")
    func reads() async throws {
        let birdwatch = Birdwatch(client: StubServer.birds().client())
        #expect(try await birdwatch.bird(7) == Bird(id: 7, name: "bird 7"))
    }

    @Test("A stubbed outage fails requests while it lasts")
    func outage() async throws {
        let stubs = StubServer.birds()
        let birdwatch = Birdwatch(client: stubs.client())
        let outage = stubs.add(condition: .pathStartsWith("/v1/birds"), statusCode: 503)
        let error = await #expect(throws: NetworkError.self) { try await birdwatch.bird(7) }
        #expect(error?.statusCode == 503)
        outage.remove()
        _ = try await birdwatch.bird(7)
    }
}
