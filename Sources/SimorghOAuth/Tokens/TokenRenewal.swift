// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
package import SimorghSupport
import Synchronization

/// Renews a token: once for all processes that share its store, by its refresh token or by a new request.
///
/// It is the store that its ``/SimorghCore/RefreshingToken`` sees, because it saves a renewed token itself, with
/// exclusive access.
package final class TokenRenewal: TokenStore {
    private typealias Contents = TokenRenewalState.Contents

    private let store: (any TokenStore)?
    private let time: TimeSource
    private let onSaveFailure: @Sendable (any Error) -> Void
    private let request: (@Sendable () async throws -> AccessToken)?
    private let refresh: @Sendable (_ refreshToken: String) async throws -> AccessToken
    private let state: Mutex<TokenRenewalState>
    /// Serializes the calls of a store that has no exclusive access of its own.
    private let access = AsyncMutex(capacity: .max)
    /// The error of the last request without a user, and the pause after it.
    private let failure = Mutex<(any Error)?>(nil)
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
    package init(
        signedIn: AccessToken?, store: (any TokenStore)?, time: TimeSource,
        onSaveFailure: @escaping @Sendable (any Error) -> Void,
        request: (@Sendable () async throws -> AccessToken)?,
        refresh: @escaping @Sendable (_ refreshToken: String) async throws -> AccessToken
    ) {
        state = Mutex(TokenRenewalState(signedIn: signedIn))
        self.store = store
        self.time = time
        self.onSaveFailure = onSaveFailure
        self.request = request
        self.refresh = refresh
    }

    /// The token that the store does not have, for tests.
    package var unsaved: AccessToken? { state.withLock { $0.unsaved?.token } }

    /// Returns a new token in place of an old one.
    package func renew(_ old: AccessToken?) async throws -> AccessToken? {
        guard let store = store as? any SharedTokenStore else {
            let (late, generation) = state.withLock { ($0.late(after: old), $0.generation) }
            if let late, !hasEnded(late) { return late }
            return try await obtain(late ?? old, over: nil, in: generation)
        }
        return try await store.withExclusiveAccess { [self] in
            var contents = await read(store)
            // A store that was cancelled has not failed.
            try Task.checkCancellation()
            let (start, generation) = try state.withLock { [contents] state in
                (try state.start(over: contents, old: old, needsSignIn: request == nil), state.generation)
            }
            let latest: AccessToken?
            var saveError: (any Error)?
            switch start {
            case .stored(let token): latest = token
            case .unsaved(let token):
                do {
                    try await save(unsaved: token, to: store)
                    contents = .token(token)
                } catch {
                    saveError = error
                    state.withLock { [contents] in $0.failed(saving: token, over: contents, isReported: true) }
                }
                latest = token
            }
            // Another process has renewed it while this one waited, or earlier. A token that ends soon counts, too: if
            // tokens live shorter than the leeway, each waiting process would refresh otherwise.
            if let latest, latest.value != old?.value, !hasEnded(latest) {
                if let saveError { onSaveFailure(saveError) }
                return latest
            }
            return try await obtain(latest ?? old, over: contents, in: generation)
        }
    }

    private func hasEnded(_ token: AccessToken) -> Bool { token.expiration.map { $0 <= time.now } ?? false }

    /// Requests a token and saves it, in a task that is never cancelled: the old refresh token may be used up then.
    ///
    /// A time limit bounds it.
    private func obtain(
        _ old: AccessToken?, over contents: Contents?, in generation: Int
    ) async throws -> AccessToken {
        try await Task { [self] in
            let token = try await paused {
                try await limited { [self] in
                    try await requested(replacing: old)
                } late: { [self] token in
                    await keepLate(token, after: old, over: contents, in: generation)
                }
            }
            guard let store else { return token }
            do {
                try await alone {
                    // A sign-in or a sign-out since then must not be undone.
                    guard state.withLock({ $0.generation == generation }) else { return }
                    try await store.save(token)
                    state.withLock { $0.keep(token, in: generation) }
                }
            } catch {
                // Failing would lose the only valid refresh token. The next renewal continues from this one.
                state.withLock { $0.keepUnsaved(token, over: contents, in: generation) }
                onSaveFailure(error)
            }
            return token
        }.value
    }

    /// Runs a request without a user, unless such a request has just failed: a server may lock out a client that repeats a
    /// wrong secret with each call.
    private func paused(_ work: @Sendable () async throws -> AccessToken) async throws -> AccessToken {
        guard request != nil else { return try await work() }
        if let error = failure.withLock({ $0 }), !pause.isOver(at: time.now) { throw error }
        do {
            let token = try await work()
            failure.withLock { $0 = nil }
            pause.end()
            return token
        } catch {
            failure.withLock { $0 = error }
            pause.begin(at: time.now)
            throw error
        }
    }

    /// Runs work with a time limit, even if the work ignores its cancellation: a key service that hangs must not keep the
    /// store locked for all processes.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - late: Called with a token that the work returns after the limit.
    /// - Returns: The token.
    /// - Throws: The error of the work, or of the limit.
    private func limited(
        _ work: @escaping @Sendable () async throws -> AccessToken,
        late: @escaping @Sendable (AccessToken) async -> Void
    ) async throws -> AccessToken {
        let waiter = Waiter<AccessToken, any Error>()
        let working = Task {
            do {
                let token = try await work()
                if !waiter.settle(.success(token)) { await late(token) }
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

    /// Keeps the token of a refresh that ended after the limit: its refresh token is the only valid one.
    private func keepLate(
        _ token: AccessToken, after old: AccessToken?, over contents: Contents?, in generation: Int
    ) async {
        guard state.withLock({ $0.keepLate(token, after: old, over: contents, in: generation) }),
            let store = store as? any SharedTokenStore
        else { return }
        // In a task of its own, which is not cancelled.
        await Task { [self] in
            do {
                try await store.withExclusiveAccess { [self] in
                    let contents = await read(store)
                    let start = try state.withLock {
                        try $0.start(over: contents, old: old, needsSignIn: request == nil)
                    }
                    if start == .unsaved(token) { try await save(unsaved: token, to: store) }
                }
            } catch {
                onSaveFailure(error)
            }
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
            // In a task of its own, which the time limit does not cancel: the server may replace the refresh token.
            return try await Task { [self] in try await refresh(refreshToken) }.value
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

    // MARK: The store

    /// Returns the contents of the store.
    private func read(_ store: any TokenStore) async -> Contents {
        do {
            return try await store.load().map { .token($0) } ?? .empty
        } catch {
            // The token of another client is never used. A client that needs no user requests one of its own instead.
            if request != nil, (error as? OAuthError)?.reason == .signInRequired { return .empty }
            return .unreadable(error)
        }
    }

    /// Runs work while no other work of this object uses a store that has no exclusive access of its own.
    private func alone<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        guard !(store is any SharedTokenStore) else { return try await work() }
        _ = try await access.enter()
        defer { access.leave() }
        return try await work()
    }

    /// Runs work while no other work of this object, or of a process that shares the store, uses the store.
    private func exclusively<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        if let shared = store as? any SharedTokenStore { return try await shared.withExclusiveAccess(work) }
        return try await alone(work)
    }

    private func save(unsaved token: AccessToken, to store: any TokenStore) async throws {
        try await store.save(token)
        state.withLock { state in
            if state.unsaved?.token == token { state.note(token) }
        }
    }

    /// Saves the unsaved token, unless a sign-in, a sign-out or a renewal has replaced it meanwhile.
    private func save(unsaved token: AccessToken) async throws {
        guard let store else { return }
        try await exclusively { [self] in
            guard state.withLock({ $0.unsaved?.token == token }) else { return }
            do {
                try await save(unsaved: token, to: store)
            } catch {
                var contents: Contents?
                if store is any SharedTokenStore { contents = await read(store) }
                state.withLock { [contents] in $0.failed(saving: token, over: contents, isReported: false) }
                throw error
            }
        }
    }

    // MARK: TokenStore

    package func load() async throws -> AccessToken? {
        do {
            return try await first()
        } catch {
            // Without a cancellation, it is the error of the program's own function.
            guard !(error is CancellationError && Task.isCancelled) else { throw error }
            throw TokenRefreshError(underlying: error)
        }
    }

    /// Returns the token of a sign-in, which it saves, or that of the store, or requests one.
    private func first() async throws -> AccessToken? {
        if let token = state.withLock({ $0.unsaved?.token }) {
            // In a task that is never cancelled.
            await Task { [self] in
                do {
                    try await save(unsaved: token)
                } catch {
                    onSaveFailure(error)
                }
            }.value
            return token
        }
        if let store {
            switch try await alone({ [self] in await read(store) }) {
            case .empty: break
            case .unreadable(let error): throw error
            case .token(let token):
                state.withLock { $0.note(token) }
                return token
            }
        }
        // A grant needs no user, so a first call need not be rejected before the token is requested.
        guard request != nil else { return nil }
        return try await renew(nil)
    }

    package func save(_ token: AccessToken) async throws {
        guard store != nil, state.withLock({ $0.begin(saving: token) }) else { return }
        try await save(unsaved: token)
    }

    package func clear() async throws {
        state.withLock { $0.beginSignOut() }
        guard let store else { return state.withLock { $0.endSignOut() } }
        try await exclusively { [self] in
            try await store.clear()
            state.withLock { $0.endSignOut() }
        }
    }
}
