// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// An error of a ``KeychainTokenStore``.
public struct KeychainTokenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The item is not one that the store wrote.
        case damaged
        /// The token cannot be written; the previous item is unchanged.
        case unwritable
        /// Another process has had exclusive access for longer than the store waits, or the lock cannot be acquired.
        case locked
        /// The device is locked, so the item cannot be read.
        case deviceLocked
        /// The program has no right to the access group, or no keychain.
        case notEntitled
        /// The keychain failed; see ``KeychainTokenError/status``.
        case failed
    }

    /// The kind of failure.
    public let reason: Reason
    /// The `OSStatus` of the keychain; `nil` if the keychain did not fail.
    public let status: Int32?
    /// A sentence for a person that describes the failure; contains no token.
    public let description: String

    init(_ reason: Reason, item: KeychainItem, message: String, status: Int32? = nil) {
        self.reason = reason
        self.status = status
        description = "\(item) \(message)"
    }

    init(status: Int32, item: KeychainItem) {
        let (reason, message): (Reason, String) =
            switch status {
            case KeychainStatus.notAllowed: (.deviceLocked, "cannot be used while the device is locked")
            case KeychainStatus.missingEntitlement:
                (.notEntitled, "needs a program that is signed with its keychain access group")
            default: (.failed, "could not be used (OSStatus \(status))")
            }
        self.init(reason, item: item, message: message, status: status)
    }
}

// With this conformance `localizedDescription` returns the description, both Foundation's property and Simorgh's.
extension KeychainTokenError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
