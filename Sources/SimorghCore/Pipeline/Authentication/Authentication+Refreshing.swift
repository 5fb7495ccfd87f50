// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Authentication {
    /// Authenticates with a token that is refreshed shortly before it expires and when a server responds with 401.
    ///
    /// - Parameter token: The token. Clients that share it share its refreshes.
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
}
