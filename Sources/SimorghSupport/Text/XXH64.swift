// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// XXH64, the 64-bit checksum of the xxHash family.
///
/// It detects corruption quickly; it is no protection against forgery. The algorithm is specified in
/// `doc/xxhash_spec.md` of github.com/Cyan4973/xxHash. Its four accumulators are separate numbers instead of a vector,
/// whose operations are function calls in a debug build.
package enum XXH64 {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// Returns the checksum of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - seed: The seed, which gives the same bytes at another position another checksum.
    /// - Returns: The checksum.
    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        // Copied to locals, since a static property costs a call in a debug build.
        let (prime1, prime2, prime3, prime4, prime5) = (prime1, prime2, prime3, prime4, prime5)
        let count = bytes.count
        var position = 0
        var sum = seed &+ prime5
        if count >= 32, let base = bytes.baseAddress {
            var (one, two, three, four) = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
            while position <= count - 32 {
                let here = base + position
                one = one &+ UInt64(littleEndian: here.loadUnaligned(as: UInt64.self)) &* prime2
                two = two &+ UInt64(littleEndian: (here + 8).loadUnaligned(as: UInt64.self)) &* prime2
                three = three &+ UInt64(littleEndian: (here + 16).loadUnaligned(as: UInt64.self)) &* prime2
                four = four &+ UInt64(littleEndian: (here + 24).loadUnaligned(as: UInt64.self)) &* prime2
                one = (one &<< 31 | one &>> 33) &* prime1
                two = (two &<< 31 | two &>> 33) &* prime1
                three = (three &<< 31 | three &>> 33) &* prime1
                four = (four &<< 31 | four &>> 33) &* prime1
                position += 32
            }
            sum = rotated(one, by: 1) &+ rotated(two, by: 7) &+ rotated(three, by: 12) &+ rotated(four, by: 18)
            sum = merged(sum, with: one)
            sum = merged(sum, with: two)
            sum = merged(sum, with: three)
            sum = merged(sum, with: four)
        }
        sum &+= UInt64(count)
        while position <= count - 8 {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            sum ^= rotated(word &* prime2, by: 31) &* prime1
            sum = rotated(sum, by: 27) &* prime1 &+ prime4
            position += 8
        }
        if position <= count - 4 {
            let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
            sum = rotated(sum ^ UInt64(word) &* prime1, by: 23) &* prime2 &+ prime3
            position += 4
        }
        while position < count {
            sum = rotated(sum ^ UInt64(bytes[position]) &* prime5, by: 11) &* prime1
            position += 1
        }
        sum = (sum ^ sum &>> 33) &* prime2
        sum = (sum ^ sum &>> 29) &* prime3
        return sum ^ sum &>> 32
    }

    private static func merged(_ sum: UInt64, with accumulator: UInt64) -> UInt64 {
        (sum ^ rotated(accumulator &* prime2, by: 31) &* prime1) &* prime1 &+ prime4
    }

    private static func rotated(_ word: UInt64, by count: UInt64) -> UInt64 {
        word &<< count | word &>> (64 &- count)
    }
}
