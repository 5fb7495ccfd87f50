// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Authentication {
    /// A token that renews itself, shortly before its known end and when a server answers 401.
    ///
    /// - Parameter token: The token; clients that share it share its refreshes.
    /// - Returns: The authentication.
    public static func refreshing(_ token: RefreshingToken) -> Authentication {
        Authentication("refreshing bearer") {
            let current: @Sendable (WaitLimit?) async throws -> Credential? = { limit in
                try await token.current(within: limit).map { token throws(InvalidRequest) in
                    try Credential(bearer: token)
                }
            }
            var tokens = TokenRefresh(choose: { _, limit in try await current(limit) }) { _ in
                try await token.renew().map { .credential(try Credential(bearer: $0)) } ?? .none
            }
            tokens.leeway = token.leeway
            tokens.pause = token.pause
            return .refreshing(tokens, gate: token.gate)
        }
    }

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

    package static func refreshing(
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
