// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import CSimorghZlib

/// A small image, generated so that no file is needed.
enum PNG {
    /// An image of 16 by 16 pixels, a gradient in RGB.
    static let sample: [UInt8] = {
        let size = 16
        var header: [UInt8] = []
        for number in [size, size] { header += bigEndian(UInt32(number)) }
        header += [8, 2, 0, 0, 0]  // 8 bits a channel, RGB, and the only methods there are.
        var rows: [UInt8] = []
        for y in 0..<size {
            rows.append(0)  // No filter.
            for x in 0..<size { rows += [UInt8(x * 16), UInt8(y * 16), 160] }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", content: header)
            + chunk("IDAT", content: Deflater.compress(rows, as: .zlib)) + chunk("IEND", content: [])
    }()

    private static func chunk(_ name: String, content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        let sum = named.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
        return bigEndian(UInt32(content.count)) + named + bigEndian(UInt32(truncatingIfNeeded: sum))
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
