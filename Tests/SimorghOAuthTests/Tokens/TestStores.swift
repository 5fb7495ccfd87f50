// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghOAuth
import SimorghTesting
import TestSupport

/// A shared store whose disk has room for a number of tokens only.
struct LimitedStore: SharedTokenStore {
    struct Full: Error {}

    let store: FileTokenStore
    /// The number of tokens that can be saved.
    let room = LockedValue(0)

    init(path: String) { store = FileTokenStore(path: path) }

    func load() async throws -> AccessToken? { try await store.load() }
    func save(_ token: AccessToken) async throws {
        guard room.value > 0 else { throw Full() }
        room.change { $0 -= 1 }
        try await store.save(token)
    }
    func clear() async throws { try await store.clear() }
    func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value { try await store.withExclusiveAccess(work) }
}

/// A shared store that can be neither read nor written.
struct BrokenStore: SharedTokenStore {
    struct Broken: Error {}

    func load() async throws -> AccessToken? { throw Broken() }
    func save(_ token: AccessToken) async throws { throw Broken() }
    func clear() async throws { throw Broken() }
    func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value { try await work() }
}

/// A shared store whose first exclusive access waits at a gate.
struct DelayedStore: SharedTokenStore {
    let store: FileTokenStore
    let gate: Gate
    private let accesses = Counter()

    init(_ store: FileTokenStore, gate: Gate) {
        self.store = store
        self.gate = gate
    }

    func load() async throws -> AccessToken? { try await store.load() }
    func save(_ token: AccessToken) async throws { try await store.save(token) }
    func clear() async throws { try await store.clear() }
    func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        if accesses.next() == 1 { try await gate.wait() }
        return try await store.withExclusiveAccess(work)
    }
}

/// A store of one process, such as a database.
struct PlainStore: TokenStore {
    let token: LockedValue<AccessToken?>

    init(_ token: AccessToken? = nil) { self.token = LockedValue(token) }

    func load() async throws -> AccessToken? { token.value }
    func save(_ token: AccessToken) async throws { self.token.change { $0 = token } }
    func clear() async throws { token.change { $0 = nil } }
}
