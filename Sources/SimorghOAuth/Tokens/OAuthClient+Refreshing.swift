// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension OAuthClient {
    /// Returns a token that is requested by a grant that can be repeated, such as client credentials.
    ///
    /// The first call loads the token from the store, or requests it. If the server issues a refresh
    /// token, it is used until the server rejects it, and the grant then.
    ///
    /// - Parameters:
    ///   - grant: The grant.
    ///   - store: The store of the token. Default: `nil`, the token is kept in memory.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    ///   - onSaveFailure: Called with the store's error if a token could not be saved; the token is used nevertheless.
    /// - Returns: The token, for ``/SimorghCore/Authentication/refreshing(_:)``. It throws ``OAuthError``, or the error of
    ///   the store, as the cause of a ``/SimorghCore/TokenRefreshError``.
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
            try await token(for: grant()).accessToken
        }
    }

    /// Returns a token of a user's sign-in, which is refreshed with its refresh token.
    ///
    /// All calls of all processes that share a ``SharedTokenStore`` wait for one refresh. The new refresh token is saved
    /// before the new access token is used. If a process ends between the response of the server and that, the old
    /// refresh token is used up, and the user has to sign in again: ``OAuthError/Reason/signInRequired``.
    ///
    /// - Parameters:
    ///   - token: The token of the sign-in; `nil` loads it from the store.
    ///   - store: The store of the token. Default: `nil`, the token is kept in memory.
    ///   - leeway: The time before its expiration at which the token is refreshed. Default: 30 seconds.
    ///   - onSaveFailure: Called with the store's error if a token could not be saved; the token is used nevertheless.
    /// - Returns: The token, for ``/SimorghCore/Authentication/refreshing(_:)``. It throws ``OAuthError``, or the error of
    ///   the store, as the cause of a ``/SimorghCore/TokenRefreshError``.
    public func refreshingToken(
        from token: AccessToken? = nil, store: (any TokenStore)? = nil, leeway: Duration = .seconds(30),
        onSaveFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> RefreshingToken {
        self.token(
            initial: token, store: store, leeway: leeway, onSaveFailure: onSaveFailure, request: nil)
    }

    private func token(
        initial: AccessToken? = nil, store: (any TokenStore)?, leeway: Duration,
        onSaveFailure: @escaping @Sendable (any Error) -> Void,
        request: (@Sendable () async throws -> AccessToken)?
    ) -> RefreshingToken {
        let renewal = TokenRenewal(
            store: store, leeway: leeway, time: time, onSaveFailure: onSaveFailure, request: request
        ) { [self] refreshToken in
            var token = try await self.token(fields: OAuthGrant.refreshToken(refreshToken).fields, isRefresh: true)
                .accessToken
            // Without a new refresh token the old one stays valid (RFC 6749, section 6).
            if token.refreshToken == nil { token.refreshToken = refreshToken }
            return token
        }
        return RefreshingToken(
            initial, store: store == nil && request == nil ? nil : renewal, leeway: leeway, onSaveFailure: onSaveFailure
        ) { try await renewal.renew($0) }
    }
}
