// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Gets a new token when the old one is refused.
///
/// ```swift
/// actor SignIn: TokenRefreshProvider {
///     private(set) var token = ""
///     func refreshTokenIfNeeded() async throws {
///         token = try await client.call(.post, "token").decode(String.self, at: "token")
///     }
/// }
/// let signIn = SignIn()
/// let signedIn = client.with { $0.authentication = .refreshing(signIn) { await signIn.token } }
/// ```
/// It may make its calls with the client that asks it: a call made inside a refresh is sent without the token, and its
/// refusal starts no other refresh.
public protocol TokenRefreshProvider: Sendable {
    /// Gets a new token.
    ///
    /// It runs in a task of its own, once for all calls that were refused with the same token.
    ///
    /// - Throws: Whatever went wrong; every waiting call fails with it as ``/SimorghCore/TokenRefreshFailure``.
    func refreshTokenIfNeeded() async throws
}
