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
    private struct State {
        /// The token that this object saved or loaded last.
        var saved: AccessToken?
        /// True if the store had a token at any time.
        var wasSaved = false
        /// The refresh token that the server rejected, so that it is not sent again.
        var rejected: String?
    }

    private let store: (any TokenStore)?
    private let leeway: Duration
    private let time: TimeSource
    private let onSaveFailure: @Sendable (any Error) -> Void
    private let request: (@Sendable () async throws -> AccessToken)?
    private let refresh: @Sendable (_ refreshToken: String) async throws -> AccessToken
    private let state = Mutex(State())

    init(
        store: (any TokenStore)?, leeway: Duration, time: TimeSource,
        onSaveFailure: @escaping @Sendable (any Error) -> Void,
        request: (@Sendable () async throws -> AccessToken)?,
        refresh: @escaping @Sendable (_ refreshToken: String) async throws -> AccessToken
    ) {
        self.store = store
        self.leeway = leeway
        self.time = time
        self.onSaveFailure = onSaveFailure
        self.request = request
        self.refresh = refresh
    }

    /// Returns a new token in place of an old one.
    func renew(_ old: AccessToken?) async throws -> AccessToken? {
        guard let store = store as? any SharedTokenStore else { return try await obtain(old) }
        return try await store.withExclusiveAccess { [self] in
            let saved = try await store.load()
            if let saved {
                note(saved)
                // Another process has renewed it while this one waited, or earlier.
                if saved.value != old?.value, !isEnding(saved) { return saved }
            } else if request == nil, state.withLock({ $0.wasSaved }) {
                throw Self.signInRequired("the saved token was removed by a sign-out")
            }
            return try await obtain(saved ?? old)
        }
    }

    /// Requests a token and saves it, in a task that is never cancelled: the old refresh token may be used up then.
    ///
    /// The time limit of the request bounds it.
    private func obtain(_ old: AccessToken?) async throws -> AccessToken {
        try await Task { [self] in
            let token = try await requested(replacing: old)
            guard let store else { return token }
            do {
                try await store.save(token)
                note(token)
            } catch {
                // Failing would lose the only valid refresh token. `RefreshingToken` tries to save it again.
                onSaveFailure(error)
            }
            return token
        }.value
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

    private func isEnding(_ token: AccessToken) -> Bool {
        token.expiration.map { $0.addingTimeInterval(-(leeway / .seconds(1))) <= time.now } ?? false
    }

    private func note(_ token: AccessToken) {
        state.withLock { state in
            state.saved = token
            state.wasSaved = true
        }
    }

    private static func signInRequired(_ message: String) -> OAuthError {
        OAuthError(.signInRequired, message: "\(message); sign in again")
    }

    // MARK: TokenStore

    func load() async throws -> AccessToken? {
        if let token = try await store?.load() {
            note(token)
            return token
        }
        // A grant needs no user, so a first call need not be rejected before the token is requested.
        return request == nil ? nil : try await renew(nil)
    }

    func save(_ token: AccessToken) async throws {
        // Saved by `renew` already. Another process may have replaced it since.
        guard state.withLock({ $0.saved != token }) else { return }
        try await store?.save(token)
        note(token)
    }

    func clear() async throws {
        try await store?.clear()
        state.withLock { $0.saved = nil }
    }
}
