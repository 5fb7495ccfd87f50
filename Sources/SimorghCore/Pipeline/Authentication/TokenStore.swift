// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Where a token outlives the process: a keychain, a file, a database.
///
/// A ``RefreshingToken`` loads from it once and saves after each refresh. One call at a time is made from each of them.
public protocol TokenStore: Sendable {
    /// The saved token.
    ///
    /// - Returns: The token, or `nil` if none was saved.
    /// - Throws: What made reading fail; the call that wanted the token fails with it.
    func load() async throws -> AccessToken?

    /// Saves a token in the place of the one before.
    ///
    /// - Parameter token: The token.
    /// - Throws: What made writing fail.
    func save(_ token: AccessToken) async throws

    /// Forgets the token.
    ///
    /// - Throws: What made writing fail.
    func clear() async throws
}
