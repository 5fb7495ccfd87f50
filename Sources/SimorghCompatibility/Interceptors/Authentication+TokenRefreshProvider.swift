// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Authentication {
    /// Returns an authentication whose token comes from the caller and is refreshed after a 401 response.
    ///
    /// - Parameters:
    ///   - provider: Refreshes the token, once for all calls that were rejected with the old one.
    ///   - token: Returns the token. It is called for each request and again after a refresh; `nil` sends the request
    ///     without a token.
    /// - Returns: The authentication.
    public static func refreshing(
        _ provider: any TokenRefreshProvider, token: @escaping @Sendable () async throws -> String?
    ) -> Authentication {
        refreshing(provider, gate: .forRefreshes(), token: token)
    }

    static func refreshing(
        _ provider: any TokenRefreshProvider,
        gate: RefreshGate,
        token: @escaping @Sendable () async throws -> String?
    ) -> Authentication {
        Authentication("refreshing bearer") {
            let current: @Sendable () async throws -> Credential? = {
                try await token().map { token throws(InvalidRequestError) in
                    try Credential(bearer: AccessToken(token))
                }
            }
            let tokens = TokenRefresh(choose: { _, _ in try await current() }) { _ in
                try await provider.refreshTokenIfNeeded()
                return .renewed
            }
            return .refreshing(tokens, gate: gate)
        }
    }
}

extension APIClient.Configuration {
    private enum TokenRefresherKey: UserInfo.Key { static let defaultValue: (any TokenRefreshProvider)? = nil }

    /// Refreshes the tokens of ``/SimorghCompatibility/SimorghCore/APIClient/send(_:accessToken:)`` after a 401
    /// response.
    ///
    /// Default: `nil`.
    public var tokenRefresher: (any TokenRefreshProvider)? {
        get { compatibility[TokenRefresherKey.self] }
        set { compatibility[TokenRefresherKey.self] = newValue }
    }
}
