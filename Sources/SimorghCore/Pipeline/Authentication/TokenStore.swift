// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Persistent storage for a token, such as a keychain, a file or a database.
///
/// A ``RefreshingToken`` loads the token once, and saves it after each refresh. Each of them makes one call at a time.
public protocol TokenStore: Sendable {
    /// Loads the saved token.
    ///
    /// - Returns: The token, or `nil` if none was saved.
    /// - Throws: Any error; the call that needs the token fails with it.
    func load() async throws -> AccessToken?

    /// Saves a token and replaces the previous one.
    ///
    /// - Parameter token: The token.
    /// - Throws: Any error of the storage.
    func save(_ token: AccessToken) async throws

    /// Removes the saved token.
    ///
    /// - Throws: Any error of the storage.
    func clear() async throws
}
