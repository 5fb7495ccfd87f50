// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Security
public import SimorghSupport

extension KeychainTokenStore {
    /// Creates a store; the item is created by the first save.
    ///
    /// - Parameters:
    ///   - service: The name of the service, such as the bundle identifier.
    ///   - account: The name of the account.
    ///   - accessGroup: The keychain access group that apps share. Default: `nil`: items of all groups of the app are used,
    ///     and a new item is in the first one.
    ///   - accessibility: The time at which the token can be read. Default: after the first unlock of the device.
    ///   - lockPath: The path of the lock file. Default: `nil`, one in the temporary folder of the app.
    ///   - longestWait: The longest time to wait for another process. Default: 60 seconds.
    ///   - time: The clock. Default: the system's.
    public convenience init(
        service: String, account: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock,
        lockPath: String? = nil, longestWait: Duration = .seconds(60), time: TimeSource = .system
    ) {
        let item = KeychainItem(
            service: service, account: account, accessGroup: accessGroup, accessibility: accessibility)
        self.init(
            item, in: SystemKeychain(), lockPath: lockPath, temporaryFolder: Self.temporaryFolder,
            longestWait: longestWait, time: time)
    }

    /// The temporary folder of the user or the app: not `TMPDIR`, which not all programs of a user have, nor `/tmp`, where
    /// another user could create the file first.
    private static var temporaryFolder: String {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        _ = confstr(_CS_DARWIN_USER_TEMP_DIR, &path, path.count)
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The data protection keychain of the system.
private struct SystemKeychain: Keychain {
    func read(_ item: KeychainItem) -> (status: Int32, data: Data?) {
        var found: CFTypeRef?
        let query = query(item).merging([kSecReturnData as String: true]) { $1 }
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        return (status, found as? Data)
    }

    func add(_ data: Data, as item: KeychainItem) -> Int32 {
        SecItemAdd(query(item).merging(value(data, of: item)) { $1 } as CFDictionary, nil)
    }

    func update(_ data: Data, of item: KeychainItem) -> Int32 {
        SecItemUpdate(query(item) as CFDictionary, value(data, of: item) as CFDictionary)
    }

    func delete(_ item: KeychainItem) -> Int32 { SecItemDelete(query(item) as CFDictionary) }

    private func query(_ item: KeychainItem) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecUseDataProtectionKeychain as String: true,
            kSecAttrSynchronizable as String: false, kSecAttrService as String: item.service,
            kSecAttrAccount as String: item.account,
        ]
        for group in item.accessGroups { query[kSecAttrAccessGroup as String] = group }
        return query
    }

    private func value(_ data: Data, of item: KeychainItem) -> [String: Any] {
        [kSecValueData as String: data, kSecAttrAccessible as String: accessible(item.accessibility)]
    }

    private func accessible(_ accessibility: KeychainTokenStore.Accessibility) -> CFString {
        switch accessibility {
        case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        }
    }
}
#endif
