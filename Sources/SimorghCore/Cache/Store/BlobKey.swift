// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The key of a blob: its group, and its variant within the group.
public struct BlobKey: Sendable, Hashable, CustomStringConvertible {
    /// The group.
    public let group: BlobGroup
    /// The number that distinguishes the blobs of a group.
    public let variant: UInt64

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - variant: The number within the group.
    public init(_ group: BlobGroup, variant: UInt64) {
        self.group = group
        self.variant = variant
    }

    /// Hashes the parts that differ between most keys; they are parts of hashes already.
    public func hash(into hasher: inout Hasher) { hasher.combine(group.low ^ variant) }

    /// The digits of the group and the variant, separated by a dash: the name of the file.
    public var description: String { "\(group)-\(BlobGroup.digits(variant))" }

    /// Creates a key from a file name; `nil` if it is not the name of a blob file.
    init?(fileName bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 49, bytes[32] == UInt8(ascii: "-"), let high = Self.number(in: bytes, at: 0),
            let low = Self.number(in: bytes, at: 16), let variant = Self.number(in: bytes, at: 33)
        else { return nil }
        self.init(BlobGroup(high: high, low: low), variant: variant)
    }

    private static func number(in bytes: UnsafeRawBufferPointer, at start: Int) -> UInt64? {
        var number: UInt64 = 0
        for index in start..<start + 16 {
            switch bytes[index] {
            case let digit where digit.isASCIIDigit: number = number << 4 | UInt64(digit - 0x30)
            case let digit where (0x61...0x66).contains(digit): number = number << 4 | UInt64(digit - 0x57)
            default: return nil
            }
        }
        return number
    }
}
