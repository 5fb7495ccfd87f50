// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A checksum of 64 bits that finds damage, quickly; it does not keep out who wants to forge.
///
/// Four lanes of eight bytes each, so that a processor works on them at once.
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
        var lanes = SIMD4<UInt64>(seed &+ odd.0, seed ^ odd.1, ~seed, seed &+ odd.2)
        let factor = SIMD4<UInt64>(repeating: odd.0)
        var place = 0
        while place + 32 <= bytes.count {
            let word = SIMD4<UInt64>(
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 16, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 24, as: UInt64.self)))
            lanes = (lanes ^ word) &* factor
            lanes ^= lanes &>> SIMD4<UInt64>(repeating: 29)
            place += 32
        }
        var sum = UInt64(bytes.count) &* odd.2
        for index in 0..<4 { sum = mixed(sum, lanes[index]) }
        while place < bytes.count {
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
