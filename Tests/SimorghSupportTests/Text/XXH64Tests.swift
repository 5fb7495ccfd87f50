// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct XXH64Tests {
    private func sum(_ bytes: [UInt8], _ seed: UInt64) -> UInt64 {
        bytes.withUnsafeBytes { XXH64.of($0, seed: seed) }
    }

    @Test(
        "Checksums equal those of the reference implementation",
        arguments: [
            (0, 0, 0xEF46_DB37_51D8_E999), (1, 7, 0xD90D_F86C_76F5_2E13), (4, 7, 0xFB18_4B5D_4CCB_5AE1),
            (8, 7, 0x1166_523B_2FDD_C60D), (31, 7, 0xAA51_C984_D775_A6CE), (32, 7, 0x3667_CB1B_8C44_5857),
            (100, .max, 0x7801_6A97_2D89_B704), (65_536, 1, 0x4246_8287_5748_E99B),
        ] as [(Int, UInt64, UInt64)])
    func known(count: Int, seed: UInt64, expected: UInt64) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
        #expect(sum(bytes, seed) == expected)
    }

    @Test("Each bit of the input, the seed and the length affect the checksum")
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
        // The same bytes at an address that is not a multiple of eight.
        let moved = [0] + bytes
        #expect(moved.withUnsafeBytes { XXH64.of(UnsafeRawBufferPointer(rebasing: $0[1...]), seed: 1) } == whole)
    }
}
