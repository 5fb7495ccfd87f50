// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PipelineTests {
    struct Mine: Error {}

    @Test("cancelAllRequests ends a call that waits in an interceptor, before it reaches a transport")
    func cancelInStep() async throws {
        let (waiting, gate) = (Gate(), Gate())
        let transport = StubServer { _ in .status(.ok) }
        let client = APIClient.scripted(transport) {
            $0.interceptors = [
                Interceptor { request, next in
                    waiting.open()
                    try await gate.wait()
                    return try await next(request)
                }
            ]
        }
        async let outcome = #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        try await waiting.wait()
        client.cancelAllRequests()
        #expect(try await #require(outcome).isCancelled)
        #expect(transport.requestCount == 0)
    }

    @Test("A cancelled task ends a call that waits in an interceptor")
    func cancelTask() async throws {
        let (waiting, gate) = (Gate(), Gate())
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.interceptors = [
                Interceptor { request, next in
                    waiting.open()
                    try await gate.wait()
                    return try await next(request)
                }
            ]
        }
        let task = Task { await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() } }
        try await waiting.wait()
        task.cancel()
        #expect(try await #require(task.value).isCancelled)
    }

    @Test("An error reports how often the interceptors sent the request", arguments: [0, 1, 3])
    func attempts(count: Int) async throws {
        let client = APIClient.scripted(StubServer { _ in .status(.ok) }) {
            $0.interceptors = [
                Interceptor { request, next in
                    for _ in 0..<count { _ = try await next(request) }
                    throw Mine()
                }
            ]
        }
        let error = await #expect(throws: NetworkError.self) { try await client.call(.get, "x").void() }
        guard case .responseError(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.underlying is Mine)
        #expect(failure.context.attempts == count)
        #expect(failure.context.url == "https://api.test/x")
    }
}
