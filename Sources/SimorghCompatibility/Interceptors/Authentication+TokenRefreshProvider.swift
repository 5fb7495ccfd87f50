// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension Authentication {
    /// A token from a place of your own, which a provider renews when a server answers 401.
    ///
    /// - Parameters:
    ///   - provider: Gets a new token, once for all calls that were refused with the old one.
    ///   - token: Gives the token, asked for at each request and again after a refresh; `nil` sends the request without
    ///     one.
    /// - Returns: The authentication.
    public static func refreshing(
        _ provider: any TokenRefreshProvider, token: @escaping @Sendable () async throws -> String?
    ) -> Authentication {
        refreshing(provider, gate: .forRefreshes(), token)
    }

    static func refreshing(
        _ provider: any TokenRefreshProvider,
        gate: RefreshGate,
        _ token: @escaping @Sendable () async throws -> String?
    ) -> Authentication {
        Authentication("refreshing bearer") {
            let current: @Sendable () async throws -> Credential? = {
                try await token().map { token throws(InvalidRequest) in
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

    /// Renews the tokens that ``/SimorghCompatibility/SimorghCore/APIClient/send(_:accessToken:)`` is given, when a server answers 401; `nil` by default.
    public var tokenRefresher: (any TokenRefreshProvider)? {
        get { compatibility[TokenRefresherKey.self] }
        set { compatibility[TokenRefresherKey.self] = newValue }
    }
}
