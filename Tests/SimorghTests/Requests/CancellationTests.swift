// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    @Test(
        "NET1: cancelling a task ends only its own call at once, for each verb",
        arguments: [RequestMethod.get, .post, .put, .patch, .delete, .head])
    func verbs(method: RequestMethod) async throws {
        let gate = Gate()
        try await MockServer.with { server in
            server.on(nil, path: "/held") { _ in StubResponse.status(.noContent).held(by: gate) }
            let client = APIClient(baseURL: server.url)
            let cancelled = Task { await outcome(client, method) }
            _ = try await server.request(at: 0)
            let twin = Task { await outcome(client, method) }
            _ = try await server.request(at: 1)
            cancelled.cancel()
            guard case .failure(let error) = await cancelled.value else {
                Issue.record("the cancelled call returned a value")
                return
            }
            #expect(error.isCancelled)
            #expect(error.context?.method == method.rawValue)
            #expect(error.context?.url == "\(server.url)/held")
            gate.open()
            #expect(try await twin.value.get().statusCode == 204)
        }
    }

    @Test("cancelAllRequests ends every running call of the client and its views, and no later call")
    func all() async throws {
        let gate = Gate()
        try await MockServer.with { server in
            server.on(nil, path: "/held") { _ in StubResponse.status(.noContent).held(by: gate) }
            let client = APIClient(baseURL: server.url)
            let view = client.with { $0.userAgent = nil }
            let calls = (0..<10).map { index in
                Task { await outcome(index.isMultiple(of: 2) ? client : view, .get) }
            }
            _ = try await server.request(at: 9)
            client.cancelAllRequests()
            for call in calls {
                guard case .failure(let error) = await call.value, error.isCancelled else {
                    Issue.record("a call was not cancelled")
                    continue
                }
            }
            gate.open()
            #expect(try await outcome(client, .get).get().statusCode == 204)
        }
    }

    @Test("Leaving the loop over a stream closes its connection")
    func stream() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = APIClient(baseURL: server.url)
            do {
                let response = try await client.call(.get, "fault/stall-body").stream()
                for try await _ in response.chunks { break }
            }
            try await server.waitForOpenConnections(atMost: 0)
            do { _ = try await client.call(.get, "fault/stall-body").stream() }
            try await server.waitForOpenConnections(atMost: 0)
        }
    }

    private func outcome(_ client: APIClient, _ method: RequestMethod) async -> Result<StatusCodeResponse, NetworkError>
    {
        await client.call(method, "held").decoding(.status).result()
    }
}
