// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Synchronization

/// Renews a token: once for all processes that share its store, by its refresh token or by a new request.
///
/// It is the store that its ``/SimorghCore/RefreshingToken`` sees, because it saves a renewed token itself, with
/// exclusive access.
final class TokenRenewal: TokenStore {
    /// A token that the store does not have.
    private struct Unsaved {
        let token: AccessToken
        /// True for the token of a sign-in, which replaces any other.
        let isSignIn: Bool
        /// The value of the token that the store had instead; `nil` if it had none.
        var replaced: String?
    }

    private struct State {
        /// The token that this object saved or loaded last.
        var saved: AccessToken?
        /// True if the store had a token at any time.
        var wasSaved = false
        /// The refresh token that the server rejected, so that it is not sent again.
        var rejected: String?
        var unsaved: Unsaved?
        /// The error of the last request for a first token.
        var failure: (any Error)?

        mutating func note(_ token: AccessToken) {
            saved = token
            wasSaved = true
            unsaved = nil
        }
    }

    private let store: (any TokenStore)?
    private let time: TimeSource
    private let onSaveFailure: @Sendable (any Error) -> Void
    private let request: (@Sendable () async throws -> AccessToken)?
    private let refresh: @Sendable (_ refreshToken: String) async throws -> AccessToken
    private let state: Mutex<State>
    /// The pause after a failed request for a first token.
    private let pause = RefreshBackoff()

    /// Creates the renewal of a token.
    ///
    /// - Parameters:
    ///   - signedIn: The token of a sign-in that the store does not have yet; `nil` to load it.
    ///   - store: The store.
    ///   - time: The clock.
    ///   - onSaveFailure: Called with the store's error if a token could not be saved.
    ///   - request: Requests a token without a user; `nil` if only a sign-in can give one.
    ///   - refresh: Requests a token by a refresh token.
    init(
        signedIn: AccessToken?, store: (any TokenStore)?, time: TimeSource,
        onSaveFailure: @escaping @Sendable (any Error) -> Void,
        request: (@Sendable () async throws -> AccessToken)?,
        refresh: @escaping @Sendable (_ refreshToken: String) async throws -> AccessToken
    ) {
        state = Mutex(State(unsaved: signedIn.map { Unsaved(token: $0, isSignIn: true) }))
        self.store = store
        self.time = time
        self.onSaveFailure = onSaveFailure
        self.request = request
        self.refresh = refresh
    }

    /// Returns a new token in place of an old one.
    func renew(_ old: AccessToken?) async throws -> AccessToken? {
        guard let store = store as? any SharedTokenStore else { return try await obtain(old, replacing: nil) }
        return try await store.withExclusiveAccess { [self] in
            let stored = try await store.load()
            let latest: AccessToken?
            if let unsaved = unsaved(over: stored) {
                await save(unsaved, to: store)
                latest = unsaved.token
            } else {
                latest = try current(stored, old: old)
            }
            // Another process has renewed it while this one waited, or earlier. A token that ends soon counts, too: if
            // tokens live shorter than the leeway, each waiting process would refresh otherwise.
            if let latest, latest.value != old?.value, latest.expiration.map({ $0 > time.now }) ?? true {
                return latest
            }
            return try await obtain(latest ?? old, replacing: stored)
        }
    }

    /// Returns the unsaved token, unless another process has changed the store since.
    private func unsaved(over stored: AccessToken?) -> Unsaved? {
        state.withLock { state in
            if let unsaved = state.unsaved, !unsaved.isSignIn, unsaved.replaced != stored?.value {
                state.unsaved = nil
            }
            return state.unsaved
        }
    }

    /// Returns the token of the store, and notes it.
    private func current(_ stored: AccessToken?, old: AccessToken?) throws(OAuthError) -> AccessToken? {
        let isSignedOut = state.withLock { state in
            // A token that was removed from memory is about to be removed from the store.
            let isRemoved = stored.map { old == nil && state.saved?.value == $0.value } ?? state.wasSaved
            if request == nil, isRemoved { return true }
            if let stored { state.note(stored) }
            return false
        }
        guard !isSignedOut else { throw Self.signInRequired("the saved token was removed by a sign-out") }
        return stored
    }

    /// Saves an unsaved token, if that is possible now.
    private func save(_ unsaved: Unsaved, to store: any TokenStore) async {
        do {
            try await store.save(unsaved.token)
            state.withLock { $0.note(unsaved.token) }
        } catch {
            onSaveFailure(error)
        }
    }

    /// Requests a token and saves it, in a task that is never cancelled: the old refresh token may be used up then.
    ///
    /// A time limit bounds it.
    private func obtain(_ old: AccessToken?, replacing stored: AccessToken?) async throws -> AccessToken {
        try await Task { [self] in
            let token = try await limited { [self] in try await requested(replacing: old) }
            guard let store else { return token }
            do {
                try await store.save(token)
                state.withLock { $0.note(token) }
            } catch {
                // Failing would lose the only valid refresh token. The next renewal continues from this one.
                state.withLock { state in
                    state.unsaved = Unsaved(
                        token: token, isSignIn: state.unsaved?.isSignIn ?? false, replaced: stored?.value)
                }
                onSaveFailure(error)
            }
            return token
        }.value
    }

    /// Runs work with a time limit, even if the work ignores its cancellation: a key service that hangs must not keep the
    /// store locked for all processes.
    private func limited(
        _ work: @escaping @Sendable () async throws -> AccessToken
    ) async throws -> AccessToken {
        let waiter = Waiter<AccessToken, any Error>()
        let working = Task {
            do {
                waiter.settle(.success(try await work()))
            } catch {
                waiter.settle(.failure(error))
            }
        }
        let timer = Task { [time] in
            guard (try? await time.sleep(for: OAuthClient.longestRenewal)) != nil else { return }
            waiter.settle(.failure(OAuthError(.unreachable, message: "the token was not renewed within 45 seconds")))
            working.cancel()
        }
        defer { timer.cancel() }
        return try await waiter.value()
    }

    private func requested(replacing old: AccessToken?) async throws -> AccessToken {
        let rejected = state.withLock { $0.rejected }
        guard let refreshToken = old?.refreshToken, refreshToken != rejected else {
            if let request { return try await request() }
            throw Self.signInRequired(
                old == nil
                    ? "there is no token"
                    : rejected == nil ? "there is no refresh token" : "the refresh token was rejected")
        }
        do {
            return try await refresh(refreshToken)
        } catch {
            guard (error as? OAuthError)?.reason == .signInRequired else { throw error }
            state.withLock { $0.rejected = refreshToken }
            guard let request else { throw error }
            return try await request()
        }
    }

    private static func signInRequired(_ message: String) -> OAuthError {
        OAuthError(.signInRequired, message: "\(message); sign in again")
    }

    // MARK: TokenStore

    func load() async throws -> AccessToken? {
        do {
            return try await first()
        } catch {
            guard !(error is CancellationError) else { throw error }
            throw TokenRefreshError(underlying: error)
        }
    }

    /// Returns the token of a sign-in, which it saves, or that of the store, or requests one.
    private func first() async throws -> AccessToken? {
        if let unsaved = state.withLock({ $0.unsaved }) {
            await adopt(unsaved)
            return unsaved.token
        }
        if let token = try await store?.load() {
            state.withLock { $0.note(token) }
            return token
        }
        // A grant needs no user, so a first call need not be rejected before the token is requested.
        guard request != nil else { return nil }
        // A server may lock out a client that repeats a wrong secret with each call.
        if let failure = state.withLock({ $0.failure }), !pause.isOver(at: time.now) { throw failure }
        do {
            let token = try await renew(nil)
            state.withLock { $0.failure = nil }
            pause.end()
            return token
        } catch {
            guard !(error is CancellationError) else { throw error }
            state.withLock { $0.failure = error }
            pause.begin(at: time.now)
            throw error
        }
    }

    /// Saves the token of a sign-in, in a task that is never cancelled, in place of what the store has.
    private func adopt(_ unsaved: Unsaved) async {
        await Task { [self] in
            guard let shared = store as? any SharedTokenStore else {
                if let store { await save(unsaved, to: store) }
                return
            }
            do {
                try await shared.withExclusiveAccess { [self] in await save(unsaved, to: shared) }
            } catch {
                onSaveFailure(error)
            }
        }.value
    }

    func save(_ token: AccessToken) async throws {
        let (isSaved, unsaved) = state.withLock { ($0.saved == token, $0.unsaved) }
        // Saved by `renew` already. Another process may have replaced it since.
        guard let store, !isSaved else { return }
        guard let shared = store as? any SharedTokenStore, let unsaved, unsaved.token == token, !unsaved.isSignIn else {
            try await store.save(token)
            state.withLock { $0.note(token) }
            return
        }
        try await shared.withExclusiveAccess { [self] in
            guard try await shared.load()?.value == unsaved.replaced else { return }
            try await shared.save(token)
            state.withLock { $0.note(token) }
        }
    }

    func clear() async throws {
        try await store?.clear()
        state.withLock { state in
            state.saved = nil
            state.unsaved = nil
        }
    }
}
