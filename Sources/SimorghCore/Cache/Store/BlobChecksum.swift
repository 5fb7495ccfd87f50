// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A checksum of 64 bits that finds damage, quickly; it does not keep out who wants to forge.
///
/// Four lanes of eight bytes each, so that a processor works on them at once. They are four numbers and no vector, whose
/// operations are calls where nothing is optimized: there a store would do little else.
package enum BlobChecksum {
    private static let odd: (UInt64, UInt64, UInt64) = (
        0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9
    )

    /// The checksum of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - seed: What they are: the same bytes somewhere else have another one.
    /// - Returns: The checksum.
    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        let odd = Self.odd
        let factor = odd.0
        var (one, two, three, four) = (seed &+ odd.0, seed ^ odd.1, ~seed, seed &+ odd.2)
        let count = bytes.count
        var place = 0
        if let base = bytes.baseAddress {
            while place + 32 <= count {
                let here = base + place
                one = (one ^ UInt64(littleEndian: here.loadUnaligned(as: UInt64.self))) &* factor
                two = (two ^ UInt64(littleEndian: (here + 8).loadUnaligned(as: UInt64.self))) &* factor
                three = (three ^ UInt64(littleEndian: (here + 16).loadUnaligned(as: UInt64.self))) &* factor
                four = (four ^ UInt64(littleEndian: (here + 24).loadUnaligned(as: UInt64.self))) &* factor
                one ^= one &>> 29
                two ^= two &>> 29
                three ^= three &>> 29
                four ^= four &>> 29
                place += 32
            }
        }
        var sum = UInt64(count) &* odd.2
        sum = mixed(sum, one)
        sum = mixed(sum, two)
        sum = mixed(sum, three)
        sum = mixed(sum, four)
        while place < count {
            sum = mixed(sum, UInt64(bytes[place]))
            place += 1
        }
        return mixed(sum, seed)
    }

    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        var sum = (sum ^ word) &* odd.1
        sum ^= sum &>> 31
        return sum &* odd.0
    }
}
