// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Refreshes a token after the server has rejected the old one.
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
/// It may use the client that it refreshes for: a call made during a refresh is sent without the token, and a rejection
/// of it starts no further refresh.
public protocol TokenRefreshProvider: Sendable {
    /// Refreshes the token.
    ///
    /// It runs in a task of its own, once for all calls that were rejected with the same token.
    ///
    /// - Throws: Any error; every waiting call fails with it, wrapped in ``/SimorghCore/TokenRefreshError``.
    func refreshTokenIfNeeded() async throws
}
