// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite("The checksum of the files of the caches", .timeLimit(.minutes(5)))
struct BlobChecksumTests {
    private func sum(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { BlobChecksum.of($0, seed: seed) }
    }

    @Test(
        "It is what it was when the files were written",
        arguments: [
            (0, 0, 0x83AC_8BE4_FC0B_CE33), (1, 7, 0x55DF_E88C_3D7F_3F23), (31, 7, 0xA7B6_A9CD_D86B_4646),
            (32, 7, 0x2E9A_7BF8_EA08_F19C), (100, .max, 0x0D40_C877_F2DD_9106), (65_536, 1, 0xD4C9_E6C1_7D3B_89BE),
        ] as [(Int, UInt64, UInt64)])
    func known(count: Int, seed: UInt64, expected: UInt64) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
        #expect(sum(bytes, seed) == expected)
    }

    @Test("Each bit counts, wherever it is, and so does where the bytes begin")
    func damage() {
        let bytes = (0..<75).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let whole = sum(bytes, 1)
        for place in bytes.indices {
            for bit in UInt8(0)..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << bit
                #expect(sum(damaged, 1) != whole, "bit \(bit) of byte \(place)")
            }
        }
        #expect(sum(bytes, 2) != whole && sum(Array(bytes.dropLast()), 1) != whole)
        // The same bytes at an address that is no multiple of eight.
        let moved = [0] + bytes
        #expect(moved.withUnsafeBytes { BlobChecksum.of(UnsafeRawBufferPointer(rebasing: $0[1...]), seed: 1) } == whole)
    }
}
