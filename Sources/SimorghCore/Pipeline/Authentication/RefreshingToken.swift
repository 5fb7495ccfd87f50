// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A token that renews itself: shortly before its known end, and when a server refuses it.
///
/// ```swift
/// let token = RefreshingToken(AccessToken("first", expiration: .now + 3600, refreshToken: "r1")) { old in
///     let value: String = try await client.post("token", body: .form(["refresh_token": old?.refreshToken ?? ""]))
///     return AccessToken(value, expiration: .now + 3600, refreshToken: old?.refreshToken)
/// }
/// let signedIn = client.with { $0.authentication = .refreshing(token) }
/// ```
/// However many calls need a new token, one refresh runs, and all of them take what it gives. A call made inside the
/// refresh is sent without the token.
public final class RefreshingToken: Sendable {
    /// Gets a new token in the place of an old one; `nil` says that there is none to get.
    public typealias Refresh = @Sendable (_ old: AccessToken?) async throws -> AccessToken?

    private struct State {
        var token: AccessToken?
        var isLoaded: Bool
        /// How often the token was changed, and which of its changes the store knows.
        var generation = 0
        var savedGeneration = 0

        mutating func change(to token: AccessToken?) {
            self.token = token
            isLoaded = true
            generation += 1
        }
    }

    package let gate = RefreshGate.forRefreshes()
    package let pause = RefreshPause()
    package let leeway: Duration
    private let state: Mutex<State>
    private let store: (any TokenStore)?
    private let saveFailed: @Sendable (any Error) -> Void
    private let refresh: Refresh
    /// Where those wait who want the token before it was loaded.
    private let loading = EpochGate<Void>()
    /// Lets one save or clear the store at a time.
    private let saving = Turnstile(capacity: .max)

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - token: The token to begin with; `nil` takes that of the store, and without one the first call refreshes when
    ///     it is refused.
    ///   - store: Where it is loaded from and saved to; `nil` keeps it in memory.
    ///   - leeway: How long before its known end it is replaced; 30 seconds by default.
    ///   - saveFailed: Told what the store throws when a refreshed token is to be saved. No call fails for it: the token
    ///     is used all the same, and its next change is saved instead.
    ///   - refresh: Gets a new one. It runs in a task of its own, which goes on for a while when all calls that wait for it
    ///     were cancelled. `nil` leaves refused requests refused; what it throws, all waiting calls throw as
    ///     ``TokenRefreshFailure``, and a later call tries anew; before the token's known end it is tried at most once a
    ///     second.
    public init(
        _ token: AccessToken? = nil,
        store: (any TokenStore)? = nil,
        leeway: Duration = .seconds(30),
        saveFailed: @escaping @Sendable (any Error) -> Void = { _ in },
        refresh: @escaping Refresh
    ) {
        state = Mutex(State(token: token, isLoaded: token != nil || store == nil))
        self.store = store
        self.leeway = leeway
        self.saveFailed = saveFailed
        self.refresh = refresh
    }

    /// The token that requests are sent with.
    ///
    /// - Returns: The token, loaded from the store if that was not done yet; `nil` where there is none.
    /// - Throws: What the store throws.
    public func current() async throws -> AccessToken? { try await current(within: nil) }

    /// The token that requests are sent with.
    ///
    /// - Parameter limit: How long to wait for the store at most; `nil` for as long as it takes.
    /// - Returns: The token.
    /// - Throws: What the store throws, or a ``TransportError`` when the limit has passed.
    package func current(within limit: WaitLimit?) async throws -> AccessToken? {
        let (state, epoch) = state.withLock { ($0, loading.epoch) }
        // A store that asks for the token while it loads it would wait for itself.
        guard !state.isLoaded, !loading.isInside, let store else { return state.token }
        let outcome = try await loading.outcome(refusedIn: epoch, within: limit) { [self] in
            let loaded = try await store.load()
            self.state.withLock { state in
                // Somebody may have signed in meanwhile.
                guard !state.isLoaded else { return }
                state.token = loaded
                state.isLoaded = true
            }
        }
        try outcome.get()
        return self.state.withLock { $0.token }
    }

    /// Replaces the token: after a sign-in.
    ///
    /// - Parameter token: The new token.
    /// - Throws: What the store throws; the token is used all the same.
    public func replace(with token: AccessToken) async throws {
        state.withLock { $0.change(to: token) }
        try await save()
    }

    /// Forgets the token: after a sign-out.
    ///
    /// - Throws: What the store throws; the token is forgotten all the same.
    public func clear() async throws {
        state.withLock { $0.change(to: nil) }
        try await save()
    }

    /// Gets a new token and keeps it.
    package func renew() async throws -> AccessToken? {
        _ = try await current()
        // Both at once: what somebody changes from here on is not this token's any more.
        let (old, generation) = state.withLock { ($0.token, $0.generation) }
        guard let token = try await refresh(old) else { return nil }
        let isKept = state.withLock { state in
            guard state.generation == generation else { return false }
            state.change(to: token)
            return true
        }
        // Who signed in or out meanwhile is not to be undone by what began before.
        guard isKept else { return try await current() }
        do {
            try await save()
        } catch {
            saveFailed(error)
        }
        return token
    }

    /// Tells the store what it does not know yet, in a task that nobody cancels: the old token may be worth nothing.
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
