// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension SampleFilm {
    /// The sequence parameter set: the baseline profile, output in file order, and the size.
    static var sequenceParameters: [UInt8] {
        var bits = BitWriter()
        for (value, width) in [(0x67, 8), (66, 8), (0xC0, 8), (30, 8)] { bits.put(value, width) }
        for value in [0, 0, 2, 0] { bits.code(value) }
        bits.put(0, 1)
        bits.code(columns - 1)
        bits.code(rows - 1)
        // Whole frames, direct inference, no cropping, no display information.
        bits.put(0b1100, 4)
        bits.end()
        return bits.bytes
    }

    /// The picture parameter set: one slice per frame, variable-length codes.
    static var pictureParameters: [UInt8] {
        var bits = BitWriter()
        bits.put(0x68, 8)
        for value in [0, 0] { bits.code(value) }
        bits.put(0, 2)
        for value in [0, 0, 0] { bits.code(value) }
        bits.put(0, 3)
        for value in [0, 0, 0] { bits.code(value) }
        bits.put(0, 3)
        bits.end()
        return bits.bytes
    }

    /// Returns a frame that refers to no other, after its length.
    static func picture(_ number: Int) -> [UInt8] {
        var unit = beginning(number)
        let bird = place(number)
        for row in 0..<rows {
            for column in 0..<columns {
                // The header of the next macroblock: I_PCM, aligned to the next byte.
                if row > 0 || column > 0 { unit += [0x0D, 0x00] }
                let step = (column + row + number) % 64
                let isBird = column == bird.column && row == bird.row
                unit += isBird ? light : colors[step < 32 ? step : 63 - step]
            }
        }
        unit.append(0x80)
        return be(unit.count) + unit
    }

    private static func beginning(_ number: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.put(0x65, 8)
        for value in [0, 7, 0] { bits.code(value) }
        bits.put(0, 4)
        // Consecutive IDR frames must have different numbers.
        bits.code(number % 2)
        bits.put(0, 2)
        bits.code(0)
        // The first macroblock, as the others.
        bits.code(25)
        bits.align()
        return bits.bytes
    }

    /// Returns the position of the bird: across in two seconds, moving up and down.
    private static func place(_ number: Int) -> (column: Int, row: Int) {
        let wave = number % 20
        return (number % columns, 2 + (wave < 10 ? wave : 20 - wave))
    }

    /// Macroblocks of 16 by 16 pixels: luma, then the two chroma planes at a quarter of the resolution.
    ///
    /// No byte is zero, so that no start code occurs in them.
    private static let colors: [[UInt8]] = (0..<32).map { square(60 + 4 * $0, 100 + 2 * $0, 170 - 2 * $0) }
    private static let light = square(225, 118, 140)

    private static func square(_ brightness: Int, _ blue: Int, _ red: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(brightness), count: 256) + [UInt8](repeating: UInt8(blue), count: 64)
            + [UInt8](repeating: UInt8(red), count: 64)
    }
}
