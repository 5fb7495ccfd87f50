// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// SHA-1 (FIPS 180-4): for checksums against accidents, as tus asks for it, never against an attacker.
package struct SHA1: Sendable {
    private var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    private var words = [UInt32](repeating: 0, count: 80)
    private var pending: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// The hash of some bytes, 20 bytes long.
    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA1()
        hash.update(Array(bytes))
        return hash.finish()
    }

    /// Takes the next bytes.
    package mutating func update(_ bytes: [UInt8]) {
        count += UInt64(bytes.count)
        pending += bytes
        let whole = pending.count - pending.count % 64
        guard whole > 0 else { return }
        let blocks = pending
        blocks.withUnsafeBufferPointer { blocks in
            for start in stride(from: 0, to: whole, by: 64) {
                block(UnsafeBufferPointer(rebasing: blocks[start..<start + 64]))
            }
        }
        pending.removeFirst(whole)
    }

    /// The hash of all that was taken.
    package consuming func finish() -> [UInt8] {
        var last: [UInt8] = [0x80]
        while (pending.count + last.count) % 64 != 56 { last.append(0) }
        let bits = count * 8
        last += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        var copy = self
        copy.update(last)
        return copy.state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    private mutating func block(_ bytes: UnsafeBufferPointer<UInt8>) {
        for index in 0..<16 {
            let place = 4 * index
            words[index] =
                UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
                | UInt32(bytes[place + 3])
        }
        for index in 16..<80 {
            words[index] = Self.rotate(
                words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let mix: UInt32
            let constant: UInt32
            switch index {
            case 0..<20: (mix, constant) = (b & c | ~b & d, 0x5A82_7999)
            case 20..<40: (mix, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case 40..<60: (mix, constant) = (b & c | b & d | c & d, 0x8F1B_BCDC)
            default: (mix, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = Self.rotate(a, by: 5) &+ mix &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, Self.rotate(b, by: 30), a, next)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
