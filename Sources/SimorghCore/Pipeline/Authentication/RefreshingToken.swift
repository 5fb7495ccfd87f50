// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A token that is refreshed shortly before it expires, and when a server rejects it.
///
/// ```swift
/// let token = RefreshingToken(AccessToken("first", expiration: .now + 3600, refreshToken: "r1")) { old in
///     let value: String = try await client.post("token", body: .form(["refresh_token": old?.refreshToken ?? ""]))
///     return AccessToken(value, expiration: .now + 3600, refreshToken: old?.refreshToken)
/// }
/// let signedIn = client.with { $0.authentication = .refreshing(token) }
/// ```
/// All calls that need a new token share one refresh and its result. A call made inside the refresh is sent without the
/// token.
public final class RefreshingToken: Sendable {
    /// Requests a new token in place of an old one; returns `nil` if no new token can be obtained.
    public typealias Refresh = @Sendable (_ old: AccessToken?) async throws -> AccessToken?

    private struct State {
        var token: AccessToken?
        var isLoaded: Bool
        /// The number of changes of the token, and the last change that the store has saved.
        var generation = 0
        var savedGeneration = 0

        mutating func change(to token: AccessToken?) {
            self.token = token
            isLoaded = true
            generation += 1
        }
    }

    package let gate = RefreshGate.forRefreshes()
    package let pause = RefreshBackoff()
    package let leeway: Duration
    private let state: Mutex<State>
    private let store: (any TokenStore)?
    private let onSaveFailure: @Sendable (any Error) -> Void
    private let refresh: Refresh
    /// The gate at which calls wait for the token to be loaded from the store.
    private let loading = SingleFlight<Void>()
    /// Serializes saving to and clearing the store.
    private let saving = AsyncMutex(capacity: .max)

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - token: The initial token; `nil` loads it from the store. Without a token, the first call refreshes when it
    ///     is rejected.
    ///   - store: The store from which the token is loaded and to which it is saved; `nil` keeps it only in memory.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    ///   - onSaveFailure: Called with the store's error if a refreshed token could not be saved. No call fails for it: the
    ///     token is used, and its next change is saved instead.
    ///   - refresh: Requests a new token. It runs in a task of its own, which continues for a while if all calls that
    ///     wait for it are cancelled. If it returns `nil`, rejected requests stay rejected. If it throws, all waiting
    ///     calls throw ``TokenRefreshError``, and a later call tries again; before the token expires, at most once a
    ///     second.
    public init(
        _ token: AccessToken? = nil,
        store: (any TokenStore)? = nil,
        leeway: Duration = .seconds(30),
        onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in },
        refresh: @escaping Refresh
    ) {
        state = Mutex(State(token: token, isLoaded: token != nil || store == nil))
        self.store = store
        self.leeway = leeway
        self.onSaveFailure = onSaveFailure
        self.refresh = refresh
    }

    /// Returns the current token.
    ///
    /// - Returns: The token, loaded from the store if necessary; `nil` if there is no token.
    /// - Throws: The error of the store.
    public func current() async throws -> AccessToken? { try await current(within: nil) }

    /// Returns the current token, and waits for the store for a limited time.
    ///
    /// - Parameter limit: The longest wait for the store; `nil` for no limit.
    /// - Returns: The token.
    /// - Throws: The error of the store, or a ``TransportError`` if the limit has passed.
    package func current(within limit: WaitLimit?) async throws -> AccessToken? {
        let (state, epoch) = state.withLock { ($0, loading.epoch) }
        // A store that reads the token while it loads it would wait for itself.
        guard !state.isLoaded, !loading.isInside, let store else { return state.token }
        let outcome = try await loading.outcome(refusedIn: epoch, within: limit) { [self] in
            let loaded = try await store.load()
            self.state.withLock { state in
                // The token may have been replaced meanwhile, by a sign-in.
                guard !state.isLoaded else { return }
                state.token = loaded
                state.isLoaded = true
            }
        }
        try outcome.get()
        return self.state.withLock { $0.token }
    }

    /// Replaces the token, for example after a sign-in.
    ///
    /// - Parameter token: The new token.
    /// - Throws: The error of the store; the new token is used nevertheless.
    public func replace(with token: AccessToken) async throws {
        state.withLock { $0.change(to: token) }
        try await save()
    }

    /// Removes the token, for example after a sign-out.
    ///
    /// - Throws: The error of the store; the token is removed from memory nevertheless.
    public func clear() async throws {
        state.withLock { $0.change(to: nil) }
        try await save()
    }

    /// Requests a new token and stores it.
    package func renew() async throws -> AccessToken? {
        _ = try await current()
        // Read together: a change after this point refers to another token.
        let (old, generation) = state.withLock { ($0.token, $0.generation) }
        guard let token = try await refresh(old) else { return nil }
        let isKept = state.withLock { state in
            guard state.generation == generation else { return false }
            state.change(to: token)
            return true
        }
        // A sign-in or sign-out since then must not be undone by this older refresh.
        guard isKept else { return try await current() }
        do {
            try await save()
        } catch {
            onSaveFailure(error)
        }
        return token
    }

    /// Saves the latest change to the store, in a task that is never cancelled: the old token may be invalid already.
    private func save() async throws {
        guard let store else { return }
        try await Task { [self] in
            _ = try await saving.enter()
            defer { saving.leave() }
            let (token, generation, isSaved) = state.withLock { state in
                (state.token, state.generation, state.savedGeneration == state.generation)
            }
            guard !isSaved else { return }
            if let token {
                try await store.save(token)
            } else {
                try await store.clear()
            }
            state.withLock { $0.savedGeneration = generation }
        }.value
    }
}
