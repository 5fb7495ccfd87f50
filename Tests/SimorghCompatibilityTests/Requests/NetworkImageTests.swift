// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCompatibility
import SimorghMimeTypes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkImageTests {
    typealias Size = NetworkImage.PixelSize

    static let jpeg: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0x01, 0x02, 0x03, 0x04, 1, 0, 0,
    ]

    @Test(
        "ImageHeader.size reads the size from the header of each format",
        arguments: [
            ("image/gif", Array("GIF89a".utf8) + [2, 1, 3, 0], Size(width: 258, height: 3)),
            ("image/jpeg", jpeg, Size(width: 772, height: 258)),
            (
                "image/bmp",
                Array("BM".utf8) + [UInt8](repeating: 0, count: 16) + [5, 0, 0, 0, 0xFA, 0xFF, 0xFF, 0xFF],
                Size(width: 5, height: 6)
            ),
            (
                "image/webp", Array("RIFF....WEBPVP8X".utf8) + [UInt8](repeating: 0, count: 8) + [4, 1, 0, 6, 0, 0],
                Size(width: 261, height: 7)
            ),
            (
                "image/webp", Array("RIFF....WEBPVP8L....".utf8) + [0x2F, 0x02, 0x40, 0x01, 0x00],
                Size(width: 3, height: 6)
            ),
            (
                "image/webp", Array("RIFF....WEBPVP8 .......".utf8) + [0x9D, 0x01, 0x2A, 0x10, 0x40, 0x20, 0x80],
                Size(width: 16, height: 32)
            ),
            ("image/tiff", [1, 2, 3, 4], nil), ("image/jpeg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0], nil),
        ] as [(String, [UInt8], Size?)])
    func sizes(type: String, bytes: [UInt8], size: Size?) {
        #expect(ImageHeader.size(of: Data(bytes), type: type) == size)
        // A slice has another start index, and truncated data must not crash.
        #expect(ImageHeader.size(of: (Data([9, 9]) + Data(bytes)).dropFirst(2), type: type) == size)
        for count in 0..<bytes.count { _ = ImageHeader.size(of: Data(bytes.prefix(count)), type: type) }
    }

    @Test("NetworkImage is nil for data that is not an image")
    func noImage() {
        #expect(NetworkImage(Data("text".utf8)) == nil && NetworkImage(Data()) == nil)
        #expect(NetworkImage(Data(Self.jpeg))?.type.mime == "image/jpeg")
    }
}
