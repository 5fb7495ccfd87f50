// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghMimeTypes
package import SimorghSupport

/// Parses the size of an image from the start of its file.
package enum ImageHeader {
    /// Returns the size of an image.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - type: The media type.
    /// - Returns: The size; `nil` if it is missing or zero, or the format is not supported.
    package static func size(of data: Data, type: String) -> NetworkImage.PixelSize? {
        let bytes = Bytes(data: data)
        let size: (Int, Int)? =
            switch type {
            case "image/png", "image/apng": pair(bytes.big(16, 4), bytes.big(20, 4))
            case "image/gif": pair(bytes.little(6, 2), bytes.little(8, 2))
            case "image/bmp": pair(bytes.little(18, 4), bytes.little(22, 4).map(height))
            case "image/jpeg": jpeg(bytes)
            case "image/webp": webp(bytes)
            default: nil
            }
        guard let (width, height) = size, width > 0, height > 0 else { return nil }
        return NetworkImage.PixelSize(width: width, height: height)
    }

    private static func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// Returns the height of a bitmap, which is negative if the rows are stored top-down.
    private static func height(_ number: Int) -> Int {
        Int(Int32(truncatingIfNeeded: number).magnitude)
    }

    /// Walks the segments up to the first frame header.
    private static func jpeg(_ bytes: Bytes) -> (Int, Int)? {
        var offset = 2
        while let mark = bytes.big(offset, 1), mark == 0xFF, let kind = bytes.big(offset + 1, 1) {
            switch kind {
            // A fill byte, and markers without a payload.
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD8: offset += 2
            // Frame headers; C4, C8 and CC in the same range have other meanings.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(kind):
                return pair(bytes.big(offset + 7, 2), bytes.big(offset + 5, 2))
            default:
                guard let length = bytes.big(offset + 2, 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    private static func webp(_ bytes: Bytes) -> (Int, Int)? {
        switch bytes.big(12, 4) {
        // `VP8X`: each size minus one, in three bytes.
        case 0x5650_3858: return pair(bytes.little(24, 3).map { $0 + 1 }, bytes.little(27, 3).map { $0 + 1 })
        // `VP8L`: after a signature, each size minus one in 14 bits.
        case 0x5650_384C:
            guard bytes.big(20, 1) == 0x2F, let bits = bytes.little(21, 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        // `VP8 `: 14 bits each; the other two bits are the scaling.
        case 0x5650_3820:
            guard bytes.big(23, 3) == 0x9D012A else { return nil }
            return pair(bytes.little(26, 2).map { $0 & 0x3FFF }, bytes.little(28, 2).map { $0 & 0x3FFF })
        default: return nil
        }
    }

    /// Integers at byte offsets; `nil` past the end.
    private struct Bytes {
        let data: Data

        func big(_ offset: Int, _ count: Int) -> Int? { bytes(offset, count)?.reduce(0) { $0 << 8 | Int($1) } }

        func little(_ offset: Int, _ count: Int) -> Int? {
            bytes(offset, count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        private func bytes(_ offset: Int, _ count: Int) -> Data? {
            guard offset + count <= data.count else { return nil }
            return data.dropFirst(offset).prefix(count)
        }
    }
}
