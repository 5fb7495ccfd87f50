// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// The name of an item in the keychain, a generic password, and the time at which it can be read.
package struct KeychainItem: Sendable, Hashable, CustomStringConvertible {
    package let service: String
    package let account: String
    /// The access groups of a query: one, or none for all of the app's.
    ///
    /// A new item without a group is in the first one.
    package let accessGroups: [String]
    package let accessibility: KeychainTokenStore.Accessibility

    package init(
        service: String, account: String, accessGroup: String? = nil,
        accessibility: KeychainTokenStore.Accessibility = .afterFirstUnlock
    ) {
        self.service = service
        self.account = account
        accessGroups = accessGroup.map { [$0] } ?? []
        self.accessibility = accessibility
    }

    package var description: String { "keychain item \(LogText.quoted(account)) of \(LogText.quoted(service))" }

    /// Returns the path of a lock file: the same for each store of the item, and free of the characters of its names.
    ///
    /// - Parameter folder: The path of the temporary folder.
    /// - Returns: The path, which does not depend on the access group: stores with a group and without can be of one item.
    package func lockPath(in folder: String) -> String {
        // The lengths separate the names, so that two items never share a path.
        let names = [service, account].map { "\($0.utf8.count):\($0)" }.joined()
        let name = "simorgh-keychain-\(Base64URL.text(SHA256.hash(data: Data(names.utf8)))).lock"
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}

/// The functions of a keychain, which block; each returns an `OSStatus`.
///
/// An implementation translates and decides nothing.
package protocol Keychain: Sendable {
    func read(_ item: KeychainItem) -> (status: Int32, data: Data?)
    func add(_ data: Data, as item: KeychainItem) -> Int32
    func update(_ data: Data, of item: KeychainItem) -> Int32
    func delete(_ item: KeychainItem) -> Int32
}

/// The results of a keychain that a store distinguishes.
///
/// See https://developer.apple.com/documentation/security/security-framework-result-codes
package enum KeychainStatus {
    package static let success: Int32 = 0
    /// errSecItemNotFound.
    package static let notFound: Int32 = -25_300
    /// errSecDuplicateItem.
    package static let duplicate: Int32 = -25_299
    /// errSecInteractionNotAllowed.
    package static let notAllowed: Int32 = -25_308
    /// errSecMissingEntitlement.
    package static let missingEntitlement: Int32 = -34_018
}
