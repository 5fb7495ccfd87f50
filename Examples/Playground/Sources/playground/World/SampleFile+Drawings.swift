// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

extension SampleFile {
    /// Returns an animation in 128 colors: passing valleys.
    ///
    /// Its pixels are not compressed: the code table of GIF's compression is cleared so often that no code gets longer
    /// than a byte.
    ///
    /// - Parameter count: The number of frames, each of about 19,500 bytes.
    /// - Returns: A GIF file.
    static func animation(pictures count: Int) -> Data {
        let (width, height) = (160, 120)
        let size: [UInt8] = [UInt8(width), 0, UInt8(height), 0]
        var file = Array("GIF89a".utf8)
        file.append(contentsOf: size)
        // A table of 128 colors for all frames.
        file.append(contentsOf: [0xF6, 0, 0])
        for color in 0..<128 {
            file.append(contentsOf: [UInt8(64 + color), UInt8(96 + color / 2), UInt8(200 - color)])
        }
        // It loops.
        file.append(contentsOf: [0x21, 0xFF, 11])
        file.append(contentsOf: Array("NETSCAPE2.0".utf8))
        file.append(contentsOf: [3, 1, 0, 0, 0])
        for number in 0..<count {
            // A delay of 0.1 seconds, then a frame that fills the canvas.
            file.append(contentsOf: [0x21, 0xF9, 4, 0, 10, 0, 0, 0, 0x2C, 0, 0, 0, 0])
            file.append(contentsOf: size)
            file.append(contentsOf: [0, 7])
            for block in blocks(of: points(number, width, height)) {
                file.append(UInt8(block.count))
                file.append(contentsOf: block)
            }
            file.append(0)
        }
        file.append(0x3B)
        return Data(file)
    }

    /// Returns the codes of a frame, with a clear code after every hundred, and the end code.
    private static func points(_ number: Int, _ width: Int, _ height: Int) -> [UInt8] {
        var codes: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                if (row * width + column) % 100 == 0 { codes.append(0x80) }
                // The ground goes up and down, with a period of eight frames.
                let step = (column + number * 5) % 40
                let ground = 30 + (step < 20 ? step : 40 - step)
                codes.append(row < ground ? UInt8(row) : UInt8(127 - (row - ground) / 2))
            }
        }
        codes.append(0x81)
        return codes
    }

    private static func blocks(of codes: [UInt8]) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: codes.count, by: 255).map { codes[$0..<min($0 + 255, codes.count)] }
    }

    /// Returns a drawing of thirty birds, with a comment that fills it up.
    ///
    /// - Parameter size: The approximate size in bytes.
    /// - Returns: An SVG file.
    static func drawing(size: Int) -> Data {
        var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"320\" height=\"240\" viewBox=\"0 0 320 240\">\n"
        text += "<rect width=\"320\" height=\"240\" fill=\"#faf8f5\"/>\n"
        for number in 0..<30 {
            let (left, top) = (15 + number % 6 * 50, 40 + number / 6 * 40)
            text += "<path d=\"M\(left) \(top) q10 -14 20 0 q10 -14 20 0\" "
            text += "fill=\"none\" stroke=\"#b3401f\" stroke-width=\"3\"/>\n"
        }
        text += "<!-- " + String(repeating: "simorgh ", count: size / 8) + "-->\n</svg>\n"
        return Data(text.utf8)
    }
}
