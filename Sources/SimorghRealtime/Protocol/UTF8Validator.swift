// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An incremental UTF-8 validator (RFC 3629) that fails at the first invalid byte.
package struct UTF8Validator: Sendable, Hashable {
    /// The number of bytes that the current character still needs.
    private var missing: UInt8 = 0
    /// The range of the next of these bytes; narrower than 0x80...0xBF after some lead bytes.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    package init() {}

    /// True if the bytes so far end with a complete character.
    package var isComplete: Bool { missing == 0 }

    /// Validates more bytes.
    ///
    /// - Parameter bytes: The next bytes.
    /// - Returns: `false` if the bytes so far cannot be the beginning of valid UTF-8.
    package mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        var offset = 0
        while offset < count, missing > 0 {
            guard step(bytes[offset]) else { return false }
            offset &+= 1
        }
        guard let base = bytes.baseAddress else { return true }
        while offset < count {
            // Performance: text is usually either ASCII for long stretches or hardly at all.
            offset = Self.skipASCII(in: base, from: offset, count: count)
            if offset >= 3, offset &+ 16 <= count {
                guard let end = Self.skipBlocks(in: base, from: offset, count: count) else { return false }
                offset = end
                continue
            }
            while offset &+ 4 <= count {
                let length = Self.character(base + offset)
                guard length > 0 else { return false }
                offset &+= length
                if length == 1 || offset &+ 16 <= count { break }
            }
            // Near the end the character may be incomplete, so it is validated byte by byte.
            guard offset &+ 4 > count else { continue }
            while offset < count {
                guard step(bytes[offset]) else { return false }
                offset &+= 1
            }
        }
        return true
    }

    private static func skipASCII(in base: UnsafeRawPointer, from start: Int, count: Int) -> Int {
        var offset = start
        while offset &+ 64 <= count {
            let first = base.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            let second = base.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD4<UInt64>.self)
            let all = first | second
            guard (all.x | all.y | all.z | all.w) & 0x8080_8080_8080_8080 == 0 else { break }
            offset &+= 64
        }
        while offset &+ 8 <= count {
            let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard word & 0x8080_8080_8080_8080 == 0 else {
                return offset &+ (word.littleEndian & 0x8080_8080_8080_8080).trailingZeroBitCount / 8
            }
            offset &+= 8
        }
        return offset
    }

    private typealias Block = SIMD16<UInt8>
    private typealias Marks = SIMDMask<SIMD16<Int8>>

    /// Validates 16 bytes at a time, until the next 16 are ASCII or fewer than 16 remain.
    ///
    /// - Parameters:
    ///   - base: The bytes.
    ///   - start: The offset of the first byte of a character, with at least 3 bytes before it and 16 from there on.
    ///   - count: The number of bytes.
    /// - Returns: The offset of the first character that was not validated completely; `nil` if the bytes are
    ///   invalid.
    private static func skipBlocks(in base: UnsafeRawPointer, from start: Int, count: Int) -> Int? {
        var offset = start
        var wrong = Marks(repeating: false)
        repeat {
            wrong = wrong .| Self.wrong(base + offset)
            offset &+= 16
        } while offset &+ 16 <= count && !isASCII(base + offset)
        let words = unsafeBitCast(wrong, to: SIMD2<UInt64>.self)
        guard words.x | words.y == 0 else { return nil }
        if base.load(fromByteOffset: offset &- 1, as: UInt8.self) >= 0xC0 { return offset &- 1 }
        if base.load(fromByteOffset: offset &- 2, as: UInt8.self) >= 0xE0 { return offset &- 2 }
        if base.load(fromByteOffset: offset &- 3, as: UInt8.self) >= 0xF0 { return offset &- 3 }
        return offset
    }

    @inline(__always)
    private static func isASCII(_ bytes: UnsafeRawPointer) -> Bool {
        let words = bytes.loadUnaligned(as: SIMD2<UInt64>.self)
        return (words.x | words.y) & 0x8080_8080_8080_8080 == 0
    }

    /// Marks those of 16 bytes that cannot follow the three bytes before each of them.
    @inline(__always)
    private static func wrong(_ bytes: UnsafeRawPointer) -> Marks {
        let this = bytes.loadUnaligned(as: Block.self)
        let one = (bytes - 1).loadUnaligned(as: Block.self)
        let two = (bytes - 2).loadUnaligned(as: Block.self)
        let three = (bytes - 3).loadUnaligned(as: Block.self)
        // A continuation byte must be at each position that needs one, and nowhere else.
        let isLater: Marks = (this .>= Block(repeating: 0x80)) .& (this .< Block(repeating: 0xC0))
        let isSecond: Marks = one .>= Block(repeating: 0xC0)
        let isThird: Marks = two .>= Block(repeating: 0xE0)
        let isFourth: Marks = three .>= Block(repeating: 0xF0)
        var wrong: Marks = isLater .^ (isSecond .| isThird .| isFourth)
        // These bytes never occur in UTF-8.
        let isShort: Marks = (this .== Block(repeating: 0xC0)) .| (this .== Block(repeating: 0xC1))
        let isBeyond: Marks = this .>= Block(repeating: 0xF5)
        wrong = wrong .| isShort .| isBeyond
        // Overlong forms, surrogates, and code points above U+10FFFF.
        let isHigh: Marks = this .>= Block(repeating: 0xA0)
        let isMiddle: Marks = this .>= Block(repeating: 0x90)
        wrong = wrong .| ((one .== Block(repeating: 0xE0)) .& .!isHigh)
        wrong = wrong .| ((one .== Block(repeating: 0xED)) .& isHigh)
        wrong = wrong .| ((one .== Block(repeating: 0xF0)) .& .!isMiddle)
        wrong = wrong .| ((one .== Block(repeating: 0xF4)) .& isMiddle)
        return wrong
    }

    /// Returns the length of the character at the pointer; 0 if it is invalid.
    ///
    /// Four bytes must be readable.
    ///
    /// Performance: tests all bytes of a character with one mask, in a word whose lowest byte is the lead byte:
    ///
    /// - 2 bytes: mask `C0E0`, pattern `80C0`: `110xxxxx 10xxxxxx`. Bits `1E` of the lead byte are 0 if it is overlong.
    /// - 3 bytes: mask `C0C0F0`, pattern `8080E0`: `1110xxxx`, two continuation bytes. Bits `200F` are 0 if it is
    ///   overlong, and `200D` (lead byte `ED`, second byte from `A0`) for a surrogate.
    /// - 4 bytes: mask `C0C0C0F8`, pattern `808080F0`: `11110xxx`, three continuation bytes. Bits `3007` hold the lead
    ///   byte's value and the highest bits of the second byte: below U+10000 all are 0 (overlong); lead bytes `F1` to
    ///   `F3` are always valid; for `F4` the highest bits must be 0 (U+10FFFF is the last code point).
    @inline(__always)
    private static func character(_ bytes: UnsafeRawPointer) -> Int {
        let word = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
        if word & 0x80 == 0 { return 1 }
        if word & 0xC0E0 == 0x80C0 { return word & 0x1E != 0 ? 2 : 0 }
        if word & 0xC0_C0F0 == 0x80_80E0 {
            let value = word & 0x200F
            // Rejects overlong forms and surrogates.
            return value != 0 && value != 0x200D ? 3 : 0
        }
        if word & 0xC0C0_C0F8 == 0x8080_80F0 {
            let value = word & 0x3007
            let isLow = value >= 0x0001 && value & 0x07 == 0 && value != 0
            let isMiddle = (1...3).contains(value & 0x07)
            let isHigh = value == 0x0004
            return isLow || isMiddle || isHigh ? 4 : 0
        }
        return 0
    }

    private mutating func step(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard byte >= lowest, byte <= highest else { return false }
            missing &-= 1
            (lowest, highest) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0..<0x80: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }
}
