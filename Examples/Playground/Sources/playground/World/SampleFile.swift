// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// A sample file, generated at the start of the process, and valid for programs that open it.
struct SampleFile: Sendable {
    let name: String
    let contentType: String
    let bytes: Data

    /// The entity tag.
    var tag: String { "\"\(name)-\(bytes.count)\"" }

    static let all = [
        SampleFile(name: "report.pdf", contentType: "application/pdf", bytes: pdf(size: 400_000)),
        SampleFile(name: "film.mp4", contentType: "video/mp4", bytes: SampleFilm.mp4(pictures: 104)),
        SampleFile(name: "song.mp3", contentType: "audio/mpeg", bytes: song(seconds: 60)),
        SampleFile(name: "feather.png", contentType: "image/png", bytes: picture(size: 300_000)),
        SampleFile(name: "valleys.gif", contentType: "image/gif", bytes: animation(pictures: 16)),
        SampleFile(name: "birds.svg", contentType: "image/svg+xml", bytes: drawing(size: 200_000)),
        SampleFile(name: "archive.zip", contentType: "application/zip", bytes: zip(size: 2_000_000)),
    ]

    /// Returns one page with a line of text, and a comment that fills it up.
    private static func pdf(size: Int) -> Data {
        let text = "BT /F1 24 Tf 72 700 Td (Fetched in parts, by Simorgh.) Tj ET"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
                + "/Resources << /Font << /F1 5 0 R >> >> >>",
            "<< /Length \(text.utf8.count) >>\nstream\n\(text)\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        var file = "%PDF-1.4\n"
        file += "%" + String(repeating: "simorgh ", count: size / 8) + "\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = file.utf8.count
        file += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = "\(place)"
            file += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        file += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
        return Data(file.utf8)
    }

    /// Returns silence: frames of 128 kbit/s at 44.1 kHz, of 417 bytes each.
    private static func song(seconds: Int) -> Data {
        let frame = Data([0xFF, 0xFB, 0x90, 0x00]) + Data(count: 413)
        return Data("ID3".utf8) + Data([3, 0, 0, 0, 0, 0, 0])
            + Data((0..<(seconds * 38)).map { _ in frame }.joined())
    }

    /// Returns a small gradient, filled up to the size by a chunk that viewers skip.
    private static func picture(size: Int) -> Data {
        let side = 64
        var rows = Data()
        for row in 0..<side {
            rows.append(0)
            for column in 0..<side {
                rows += [UInt8(200 - row), UInt8(80 + column), UInt8(120 + row / 2)]
            }
        }
        // Deflate without compression: one stored block, and the checksum of zlib.
        let length = UInt16(rows.count)
        var stored = Data([0x78, 0x01, 0x01]) + Data([UInt8(length & 0xFF), UInt8(length >> 8)])
        stored += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
        stored += rows + be32(Int(adler(rows)))
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        file += chunk("IHDR", be32(side) + be32(side) + Data([8, 2, 0, 0, 0]))
        file += chunk("fiLl", pattern(size))
        file += chunk("IDAT", stored) + chunk("IEND", Data())
        return file
    }

    /// Returns an archive of one text file, stored without compression.
    private static func zip(size: Int) -> Data {
        let name = Data("birds.txt".utf8)
        let text = pattern(size)
        let head =
            Data([20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x5C]) + le32(Int(crc(text))) + le32(size) + le32(size)
            + Data([UInt8(name.count), 0, 0, 0])
        let local = Data("PK".utf8) + Data([3, 4]) + head + name + text
        let central =
            Data("PK".utf8) + Data([1, 2, 20, 0]) + head + Data(count: 2 + 2 + 2 + 4) + le32(0) + name
        return local + central + Data("PK".utf8) + Data([5, 6, 0, 0, 0, 0, 1, 0, 1, 0]) + le32(central.count)
            + le32(local.count) + Data([0, 0])
    }

    private static func chunk(_ type: String, _ data: Data) -> Data {
        let body = Data(type.utf8) + data
        return be32(data.count) + body + be32(Int(crc(body)))
    }

    /// Returns letters that depend on their position.
    private static func pattern(_ count: Int) -> Data {
        Data((0..<max(0, count)).map { 97 + UInt8(truncatingIfNeeded: $0 % 26) })
    }

    private static func be32(_ value: Int) -> Data { Data(le32(value).reversed()) }

    private static func le32(_ value: Int) -> Data {
        Data((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    private static func adler(_ data: Data) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in data {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    private static let table: [UInt32] = (0..<256).map { start in
        (0..<8).reduce(UInt32(start)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func crc(_ data: Data) -> UInt32 {
        ~data.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
    }
}
