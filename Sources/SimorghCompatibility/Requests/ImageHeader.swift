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
            case "image/png", "image/apng":
                pair(width: bytes.big(at: 16, count: 4), height: bytes.big(at: 20, count: 4))
            case "image/gif": pair(width: bytes.little(at: 6, count: 2), height: bytes.little(at: 8, count: 2))
            case "image/bmp":
                pair(width: bytes.little(at: 18, count: 4), height: bytes.little(at: 22, count: 4).map(height))
            case "image/jpeg": jpeg(bytes)
            case "image/webp": webp(bytes)
            default: nil
            }
        guard let (width, height) = size, width > 0, height > 0 else { return nil }
        return NetworkImage.PixelSize(width: width, height: height)
    }

    private static func pair(width: Int?, height: Int?) -> (Int, Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    /// Returns the height of a bitmap, which is negative if the rows are stored top-down.
    private static func height(_ number: Int) -> Int {
        Int(clamping: Int32(truncatingIfNeeded: number).magnitude)
    }

    /// Walks the segments up to the first frame header.
    private static func jpeg(_ bytes: Bytes) -> (Int, Int)? {
        var offset = 2
        while let mark = bytes.big(at: offset, count: 1), mark == 0xFF, let kind = bytes.big(at: offset + 1, count: 1) {
            switch kind {
            // A fill byte, and markers without a payload.
            case 0xFF: offset += 1
            case 0x01, 0xD0...0xD8: offset += 2
            // Frame headers; C4, C8 and CC in the same range have other meanings.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(kind):
                return pair(width: bytes.big(at: offset + 7, count: 2), height: bytes.big(at: offset + 5, count: 2))
            default:
                guard let length = bytes.big(at: offset + 2, count: 2), length >= 2 else { return nil }
                offset += 2 + length
            }
        }
        return nil
    }

    private static func webp(_ bytes: Bytes) -> (Int, Int)? {
        switch bytes.big(at: 12, count: 4) {
        // `VP8X`: each size minus one, in three bytes.
        case 0x5650_3858:
            return pair(
                width: bytes.little(at: 24, count: 3).map { $0 + 1 },
                height: bytes.little(at: 27, count: 3).map { $0 + 1 })
        // `VP8L`: after a signature, each size minus one in 14 bits.
        case 0x5650_384C:
            guard bytes.big(at: 20, count: 1) == 0x2F, let bits = bytes.little(at: 21, count: 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        // `VP8 `: 14 bits each; the other two bits are the scaling.
        case 0x5650_3820:
            guard bytes.big(at: 23, count: 3) == 0x9D012A else { return nil }
            return pair(
                width: bytes.little(at: 26, count: 2).map { $0 & 0x3FFF },
                height: bytes.little(at: 28, count: 2).map { $0 & 0x3FFF })
        default: return nil
        }
    }

    /// Integers at byte offsets; `nil` past the end.
    private struct Bytes {
        let data: Data

        func big(at offset: Int, count: Int) -> Int? {
            bytes(at: offset, count: count)?.reduce(0) { $0 << 8 | Int($1) }
        }

        func little(at offset: Int, count: Int) -> Int? {
            bytes(at: offset, count: count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        private func bytes(at offset: Int, count: Int) -> Data? {
            guard offset + count <= data.count else { return nil }
            return data.dropFirst(offset).prefix(count)
        }
    }
}
