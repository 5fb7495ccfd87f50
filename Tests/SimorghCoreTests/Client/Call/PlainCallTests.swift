// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

/// A call without steps that need a context carries none to the transport, because each context has a cost.
@Suite("Calls without a CallContext", .timeLimit(.minutes(5)))
struct PlainCallTests {
    /// Records the context of each request at the end of the pipeline; the transports of SimorghTesting do not.
    private struct Looking: Transport {
        let contexts = LockedValue<[CallContext?]>([])
        let script: StubServer

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            contexts.change { $0.append(request.options.call) }
            return try await script.send(request)
        }
    }

    /// The reason for a context.
    enum Reason: CaseIterable, Sendable {
        case step, stepAtTheNetwork, retry, function, listener
    }

    private static func transport() -> Looking {
        Looking(
            script: StubServer { request in
                guard request.path == "/away" else { return .text("here") }
                return .text("gone", status: .found).header(.location, value: "/x")
            })
    }

    @Test("A plain call carries no context to the transport: collected, streamed or redirected")
    func plain() async throws {
        let transport = Self.transport()
        let client = APIClient.scripted(transport)
        _ = try await client.call(.get, "x").data()
        try await client.call(.post, "x", body: .text("a")).void()
        for try await _ in try await client.call(.get, "x").stream().chunks {}
        _ = try await client.call(.get, "away").data()
        let contexts = transport.contexts.value
        #expect(contexts.count == 5 && contexts.allSatisfy { $0 == nil })
    }

    @Test("A call with a step, a retry policy or an observer has a context", arguments: Reason.allCases)
    func watched(reason: Reason) async throws {
        let transport = Self.transport()
        let client = APIClient.scripted(transport) {
            let step = Interceptor { request, next in try await next(request) }
            switch reason {
            case .step: $0.interceptors = [step]
            case .stepAtTheNetwork: $0.networkInterceptors = [step]
            case .retry: $0.retry = RetryPolicy()
            case .function: $0.logging.onEvent = { _ in }
            case .listener: break
            }
        }
        let listener = reason == .listener ? client.events() : nil
        _ = try await client.call(.get, "x").data()
        #expect(transport.contexts.value.map { $0?.attempts } == [1])
        withExtendedLifetime(listener) {}
    }
}
