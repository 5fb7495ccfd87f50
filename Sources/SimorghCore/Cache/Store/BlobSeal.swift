// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Crypto
import SimorghSupport

/// The protection of a piece of a blob file: a checksum, or encryption.
///
/// Both include the blob's revision and the piece's position, so that one piece cannot be substituted for another.
package struct BlobSeal: Sendable {
    private let key: SymmetricKey?

    /// Creates a seal.
    ///
    /// - Parameter key: The encryption key; `nil` uses a checksum only.
    package init(key: SymmetricKey? = nil) { self.key = key }

    /// True if pieces are encrypted.
    package var isEncrypted: Bool { key != nil }
    /// The number of bytes that the seal adds to a piece.
    package var overhead: Int { key == nil ? 8 : 28 }

    /// Returns the sealed bytes for the file; `nil` if encryption fails.
    package func sealed(_ bytes: Data, of revision: UInt64, at position: UInt64) -> Data? {
        guard let key else {
            var sealed = Data(capacity: bytes.count + 8)
            let sum = bytes.withUnsafeBytes { XXH64.of($0, seed: Self.seed(revision: revision, position: position)) }
            withUnsafeBytes(of: sum.littleEndian) { sealed.append(contentsOf: $0) }
            sealed.append(bytes)
            return sealed
        }
        return try? AES.GCM.seal(bytes, using: key, authenticating: Self.name(revision: revision, position: position))
            .combined
    }

    /// Returns the original bytes; `nil` if the checksum or the authentication fails.
    package func opened(_ sealed: Data, of revision: UInt64, at position: UInt64) -> Data? {
        guard sealed.count >= overhead else { return nil }
        guard let key else {
            let sum = sealed.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let bytes = sealed.dropFirst(8)
            let isIntact = bytes.withUnsafeBytes {
                XXH64.of($0, seed: Self.seed(revision: revision, position: position)) == sum
            }
            return isIntact ? bytes : nil
        }
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        return try? AES.GCM.open(box, using: key, authenticating: Self.name(revision: revision, position: position))
    }

    /// Returns true if unencrypted bytes match a checksum.
    package func isIntact(
        _ bytes: UnsafeRawBufferPointer, checksum sum: UInt64, of revision: UInt64, at position: UInt64
    ) -> Bool {
        XXH64.of(bytes, seed: Self.seed(revision: revision, position: position)) == sum
    }

    private static func seed(revision: UInt64, position: UInt64) -> UInt64 {
        revision ^ (position &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func name(revision: UInt64, position: UInt64) -> Data {
        var name = Data()
        for part in [revision, position] { withUnsafeBytes(of: part.littleEndian) { name.append(contentsOf: $0) } }
        return name
    }
}
