// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A group of blobs, identified by 128 bits of a hash of their common property.
///
/// Groups with the same first 64 bits form a family, which can be removed at once: for example, all responses for a
/// URL, of all users.
public struct BlobGroup: Sendable, Hashable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// Creates a group.
    ///
    /// - Parameter hash: At least 16 bytes of a hash. Further bytes are ignored; missing bytes are zero.
    public init(_ hash: some Sequence<UInt8>) {
        var (high, low) = (UInt64(0), UInt64(0))
        for (index, byte) in hash.prefix(16).enumerated() {
            if index < 8 { high |= UInt64(byte) << (56 - index * 8) } else { low |= UInt64(byte) << (120 - index * 8) }
        }
        (self.high, self.low) = (high, low)
    }

    /// The first 64 bits, which the groups of a family have in common.
    public var family: UInt64 { high }

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// 32 hexadecimal digits.
    public var description: String { Self.digits(high) + Self.digits(low) }

    static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
