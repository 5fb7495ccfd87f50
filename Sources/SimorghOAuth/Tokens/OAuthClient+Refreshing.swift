// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension OAuthClient {
    /// Returns a token that is requested by a grant that can be repeated, such as client credentials.
    ///
    /// The first call loads the token from the store, or requests it. If the server issues a refresh
    /// token, it is used until the server rejects it, and the grant then. The token of another client or server in the
    /// store is not used, and is replaced: no user is needed for a new one.
    ///
    /// - Parameters:
    ///   - grant: The grant.
    ///   - store: The store of the token. Default: `nil`, the token is kept in memory.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    ///   - onSaveFailure: Called with the store's error if a token could not be saved; the token is used nevertheless.
    /// - Returns: The token, for ``authentication(_:)``. It throws ``OAuthError``, or the error of the store, as the cause
    ///   of a ``/SimorghCore/TokenRefreshError``.
    public func refreshingToken(
        _ grant: OAuthGrant, store: (any TokenStore)? = nil, leeway: Duration = .seconds(30),
        onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> RefreshingToken {
        refreshingToken(grant: { grant }, store: store, leeway: leeway, onSaveFailure: onSaveFailure)
    }

    /// Returns a token that is requested by a grant that is made anew for each request, such as an assertion, which is
    /// valid only for a short time.
    ///
    /// - Parameters:
    ///   - grant: Returns the grant.
    ///   - store: The store of the token. Default: `nil`, the token is kept in memory.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    ///   - onSaveFailure: Called with the store's error if a token could not be saved; the token is used nevertheless.
    /// - Returns: The token, as of ``refreshingToken(_:store:leeway:onSaveFailure:)``.
    public func refreshingToken(
        grant: @escaping @Sendable () async throws -> OAuthGrant, store: (any TokenStore)? = nil,
        leeway: Duration = .seconds(30), onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> RefreshingToken {
        token(store: store, leeway: leeway, onSaveFailure: onSaveFailure) { [self] in
            let issued = try await token(for: grant())
            guard issued.isAccessToken else {
                throw OAuthError.invalidResponse("the issued token is not an access token (token_type N_A)")
            }
            return issued.accessToken
        }
    }

    /// Returns a token of a user's sign-in, which is refreshed with its refresh token.
    ///
    /// All calls of all processes that share a ``SharedTokenStore`` wait for one refresh. The new refresh token is saved
    /// before the new access token is used, if the store can save it. If a process ends between the response of the server
    /// and that, the old refresh token is used up, and the user has to sign in again:
    /// ``OAuthError/Reason-swift.enum/signInRequired``.
    ///
    /// - Parameters:
    ///   - token: The token of a sign-in that has just ended, which the first call saves in place of what the store has;
    ///     `nil` loads it from the store. A program that starts again passes `nil`: its store has a later refresh token.
    ///   - store: The store of the token.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    ///   - onSaveFailure: Called with the store's error if a token could not be saved. The token is used nevertheless, and
    ///     the next refresh tries to save it again; if the program ends before, the user has to sign in again.
    /// - Returns: The token, for ``authentication(_:)``. It throws ``OAuthError``, or the error of the store, as the cause
    ///   of a ``/SimorghCore/TokenRefreshError``.
    public func refreshingToken(
        from token: AccessToken? = nil, store: any TokenStore, leeway: Duration = .seconds(30),
        onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> RefreshingToken {
        self.token(initial: token, store: store, leeway: leeway, onSaveFailure: onSaveFailure, request: nil)
    }

    /// Returns a token of a user's sign-in, which is refreshed with its refresh token, and kept in memory only.
    ///
    /// - Parameters:
    ///   - token: The token of a sign-in.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    /// - Returns: The token, as of ``refreshingToken(from:store:leeway:onSaveFailure:)``.
    public func refreshingToken(from token: AccessToken, leeway: Duration = .seconds(30)) -> RefreshingToken {
        self.token(initial: token, store: nil, leeway: leeway, onSaveFailure: { _ in }, request: nil)
    }

    /// Returns the authentication that sends a token of this client: with proofs of its key if it has one
    /// (``/SimorghOAuth/SimorghCore/Authentication/dpop(_:key:)``), and as a bearer token otherwise.
    ///
    /// - Parameter token: A token of this client.
    /// - Returns: The authentication.
    public func authentication(_ token: RefreshingToken) -> Authentication {
        guard let proof else { return .refreshing(token) }
        return .dpop(token, key: proof)
    }

    private func token(
        initial: AccessToken? = nil, store: (any TokenStore)?, leeway: Duration,
        onSaveFailure: @escaping @Sendable (any Error) -> Void,
        request: (@Sendable () async throws -> AccessToken)?
    ) -> RefreshingToken {
        // The token of one server must not reach another one that uses the same file by mistake.
        var own = store
        if let shared = store as? any OwnedTokenStore { own = shared.owned(by: owner) }
        let renewal = TokenRenewal(
            signedIn: own == nil ? nil : initial, store: own, time: time, onSaveFailure: onSaveFailure,
            request: request
        ) { [self] refreshToken in
            var token = try await self.token(fields: OAuthGrant.refreshToken(refreshToken).fields, isRefresh: true)
                .accessToken
            // Without a new refresh token the old one stays valid (RFC 6749, section 6).
            if token.refreshToken == nil { token.refreshToken = refreshToken }
            return token
        }
        // With a store, the token of a sign-in is loaded from `renewal`, which saves it before it is used.
        return RefreshingToken(
            own == nil ? initial : nil, store: own == nil && request == nil ? nil : renewal, leeway: leeway,
            onSaveFailure: onSaveFailure
        ) { try await renewal.renew($0) }
    }
}
