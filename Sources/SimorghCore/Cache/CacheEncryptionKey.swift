// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto

/// A key that encrypts the files of a cache with AES-GCM.
///
/// Store the key in the system's secret storage. A cache with another key, or without one, starts empty. Data in memory
/// is not encrypted, and neither are the sizes of the files and the hashes in their names.
public struct CacheEncryptionKey: Sendable, Hashable {
    /// The bytes of the key: a secret.
    public let bytes: [UInt8]

    /// Creates a key.
    ///
    /// - Parameter bytes: 16, 24 or 32 unpredictable bytes; any other number returns `nil`.
    public init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard [16, 24, 32].contains(self.bytes.count) else { return nil }
    }

    private init(random: SymmetricKey) { bytes = random.withUnsafeBytes { Array($0) } }

    /// Returns a new random key of 32 bytes.
    ///
    /// - Returns: The key.
    public static func random() -> CacheEncryptionKey { CacheEncryptionKey(random: SymmetricKey(size: .bits256)) }

    /// The seal that encrypts files with the key.
    package var seal: BlobSeal { BlobSeal(key: SymmetricKey(data: bytes)) }
}

extension CacheEncryptionKey: CustomStringConvertible, CustomReflectable {
    /// The size of the key, without its bytes.
    public var description: String { "a key of \(bytes.count * 8) bits" }

    /// An empty mirror, so that dumping a value does not reveal the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
