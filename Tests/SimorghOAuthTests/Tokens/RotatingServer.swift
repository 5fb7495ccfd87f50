// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghOAuth
import SimorghTesting
import Synchronization

/// A server that rotates refresh tokens, and an API that accepts only the last access token.
final class RotatingServer: Sendable {
    struct State {
        var number = 0
        var uses: [String] = []
    }

    let state: Mutex<State>
    private let gate: Gate?
    private let lifetime: Int

    init(gate: Gate? = nil, number: Int = 0, lifetime: Int = 3600) {
        state = Mutex(State(number: number))
        self.gate = gate
        self.lifetime = lifetime
    }

    /// The refresh tokens that were sent, and `grant` for each request without one.
    var uses: [String] { state.withLock { $0.uses } }

    func answer(_ request: RecordedRequest) async throws -> StubResponse {
        guard request.path == "/token" else {
            let current = state.withLock { $0.number }
            return .status(request.header(.authorization) == "Bearer a\(current)" ? .ok : .unauthorized)
        }
        let fields = StubbedOAuth.fields(request)
        let answer = state.withLock { state -> StubResponse in
            state.uses.append(fields["refresh_token"] ?? "grant")
            guard fields["refresh_token"] == nil || fields["refresh_token"] == "r\(state.number)" else {
                return StubbedOAuth.error("invalid_grant", "token reuse")
            }
            state.number += 1
            return StubbedOAuth.token("a\(state.number)", refresh: "r\(state.number)", lifetime: lifetime)
        }
        try await gate?.wait()
        return answer
    }
}

/// A store whose file cannot be written.
struct ReadOnlyStore: SharedTokenStore {
    struct Full: Error {}
    let path: String

    func load() async throws -> AccessToken? { try await FileTokenStore(path: path).load() }
    func save(_ token: AccessToken) async throws { throw Full() }
    func clear() async throws { throw Full() }
    func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value { try await work() }
}

/// A store that removes its token only when a gate opens.
struct SlowClearingStore: SharedTokenStore {
    let store: FileTokenStore
    let gate: Gate

    func load() async throws -> AccessToken? { try await store.load() }
    func save(_ token: AccessToken) async throws { try await store.save(token) }
    func clear() async throws {
        try await gate.wait()
        try await store.clear()
    }
    func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value { try await work() }
}
