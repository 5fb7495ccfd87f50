// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

/// A token store that several processes share, so that only one of them refreshes the token.
///
/// A refresh token often works only once. A token of ``OAuthClient/refreshingToken(from:store:leeway:onSaveFailure:)``
/// reads the store, refreshes and saves within ``withExclusiveAccess(_:)``; a process that had to wait uses the saved token.
///
/// Only ``FileTokenStore`` and ``KeychainTokenStore`` refuse the tokens of other clients. Another store, also one that
/// passes its calls on to them, gets the tokens without the name of their client: use one store for each client and server.
public protocol SharedTokenStore: TokenStore {
    /// Runs work while no other work of this kind runs, in any process.
    ///
    /// The store's own methods can be called by the work, and do not wait for it then.
    ///
    /// - Parameter work: The work.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work, or of the store if exclusive access could not be acquired.
    func withExclusiveAccess<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value
}

/// A store that a client can limit to its own tokens, so that the token of one server is never sent to another.
package protocol OwnedTokenStore: SharedTokenStore {
    /// Returns a store for the same token that refuses the tokens of other clients.
    ///
    /// - Parameter owner: The name of the client, ``OAuthClient/owner``.
    /// - Returns: The store.
    func owned(by owner: String) -> any SharedTokenStore
}
