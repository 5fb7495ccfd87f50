// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
package import SimorghSupport

/// A token in the keychain of Apple's systems; only they have an initializer for it.
///
/// The token is an item of this device: it is neither synchronized nor restored on another device, and only apps with
/// its access group can read it. On macOS the program needs a signature with a keychain access group, as each app has on the other systems.
///
/// Without an access group, the store reads, replaces and removes the items of this service and account in all access
/// groups of the app, and adds a new item to the first of them. So do not use one service and account both with an access
/// group and without.
///
/// Exclusive access is that of a lock file. By default it is in the temporary folder of the app, so the stores of one app
/// exclude each other. An app and its extensions that share the token by an access group have to pass a `lockPath` in
/// the folder of their app group; otherwise both can refresh at the same time, and one of them has to sign in again.
///
/// The lock is held during a refresh, for up to 45 seconds. iOS ends an app that is suspended while it holds a lock in the
/// folder of an app group (0xdead10cc), and the new refresh token is lost then: make calls that can refresh in the
/// background within `performExpiringActivity(withReason:using:)` of `ProcessInfo`, or a background task of the app.
///
/// As in a ``FileTokenStore``, a token that a client saves belongs to that client, and the key of a ``DPoPKey`` is not
/// saved.
public final class KeychainTokenStore: SharedTokenStore {
    /// The time at which the token can be read.
    public enum Accessibility: Sendable, Hashable, CaseIterable {
        /// From the first unlock after a start of the device on, so that a background task can read the token.
        case afterFirstUnlock
        /// While the device is unlocked.
        case whenUnlocked
    }

    private let item: KeychainItem
    private let keychain: any Keychain
    private let lock: TokenLock
    /// The name of the client whose tokens are accepted; `nil` for any.
    private let owner: String?

    /// Creates a store over a keychain.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - keychain: The keychain.
    ///   - lockPath: The path of the lock file; `nil` for one in the temporary folder.
    ///   - temporaryFolder: The path of the temporary folder of the user, or of the app.
    ///   - longestWait: The longest time to wait for another process.
    ///   - time: The clock.
    package convenience init(
        _ item: KeychainItem, in keychain: any Keychain, lockPath: String?, temporaryFolder: String,
        longestWait: Duration, time: TimeSource
    ) {
        let path = lockPath ?? item.lockPath(in: temporaryFolder)
        let lock = TokenLock(path: path, longestWait: longestWait, time: time)
        self.init(item, in: keychain, lock: lock, owner: nil)
    }

    private init(_ item: KeychainItem, in keychain: any Keychain, lock: TokenLock, owner: String?) {
        self.item = item
        self.keychain = keychain
        self.lock = lock
        self.owner = owner
    }

    /// Loads the token.
    ///
    /// - Returns: The token; `nil` if there is no item.
    /// - Throws: ``KeychainTokenError``; within a client's token, ``OAuthError`` if the item is that of another client.
    public func load() async throws -> AccessToken? {
        let (status, data) = await FileQueue.run { [item, keychain] () throws(Never) in keychain.read(item) }
        guard status != KeychainStatus.notFound else { return nil }
        guard status == KeychainStatus.success else { throw KeychainTokenError(status: status, item: item) }
        guard let data, let saved = SavedToken.decoded(data) else {
            throw KeychainTokenError(.damaged, item: item, message: "is not a token; remove it, and sign in again")
        }
        return try saved.token(of: owner, in: item.description)
    }

    /// Saves a token, and replaces the previous one.
    ///
    /// - Parameter token: The token.
    /// - Throws: ``KeychainTokenError``; the previous item is unchanged.
    public func save(_ token: AccessToken) async throws {
        guard let data = SavedToken.encoded(token, owner: owner) else {
            throw KeychainTokenError(.unwritable, item: item, message: SavedToken.unwritable)
        }
        try await withExclusiveAccess { [item, keychain] in
            let status = await FileQueue.run { () throws(Never) -> Int32 in
                let status = keychain.update(data, of: item)
                guard status == KeychainStatus.notFound else { return status }
                let added = keychain.add(data, as: item)
                // Another process without the lock has added it meanwhile.
                return added == KeychainStatus.duplicate ? keychain.update(data, of: item) : added
            }
            guard status == KeychainStatus.success else { throw KeychainTokenError(status: status, item: item) }
        }
    }

    /// Removes the item.
    ///
    /// - Throws: ``KeychainTokenError``.
    public func clear() async throws {
        try await withExclusiveAccess { [item, keychain] in
            let status = await FileQueue.run { () throws(Never) in keychain.delete(item) }
            guard [KeychainStatus.success, KeychainStatus.notFound].contains(status) else {
                throw KeychainTokenError(status: status, item: item)
            }
        }
    }

    /// Runs work while no other store with this lock file runs such work, in any process.
    ///
    /// - Parameter work: The work, which can call the methods of this store.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work, or ``KeychainTokenError`` if another process has had access for too long.
    public func withExclusiveAccess<Value: Sendable>(
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        let item = item
        return try await lock.run(orThrow: { KeychainTokenError(.locked, item: item, message: $0) }, work)
    }
}

extension KeychainTokenStore: OwnedTokenStore {
    package func owned(by owner: String) -> any SharedTokenStore {
        KeychainTokenStore(item, in: keychain, lock: lock, owner: owner)
    }
}

extension KeychainTokenStore: CustomStringConvertible {
    /// The service and the account of the item.
    public var description: String { item.description }
}
