// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto

/// A key with which a cache encrypts its files, by AES-GCM.
///
/// Keep it where the system keeps secrets; a cache with another key, or without one, begins anew. What is in memory is not
/// encrypted, and neither are the lengths of the files and the hashes that they are named by.
public struct CacheEncryptionKey: Sendable, Hashable {
    /// The key's bytes: a secret.
    public let bytes: [UInt8]

    /// Creates a key.
    ///
    /// - Parameter bytes: 16, 24 or 32 bytes that nobody can guess; any other number gives `nil`.
    public init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard [16, 24, 32].contains(self.bytes.count) else { return nil }
    }

    private init(random: SymmetricKey) { bytes = random.withUnsafeBytes { Array($0) } }

    /// A new key of 32 bytes.
    ///
    /// - Returns: The key.
    public static func random() -> CacheEncryptionKey { CacheEncryptionKey(random: SymmetricKey(size: .bits256)) }

    /// What seals files with the key.
    package var seal: BlobSeal { BlobSeal(key: SymmetricKey(data: bytes)) }
}

extension CacheEncryptionKey: CustomStringConvertible, CustomReflectable {
    /// Says that there is a key, and not which.
    public var description: String { "a key of \(bytes.count * 8) bits" }

    /// Shows nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
