// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// A generated film: colored squares, and a lighter one that flies over them.
///
/// Its frames are H.264 with uncompressed macroblocks (`I_PCM`), which needs no encoder, and makes the file as large
/// as a real film.
enum SampleFilm {
    static let columns = 20
    static let rows = 15
    static let picturesPerSecond = 10
    /// The time units per second.
    private static let scale = 1000

    /// Returns the film.
    ///
    /// - Parameter count: The number of frames, each of 115,808 bytes.
    /// - Returns: An MP4 file.
    static func mp4(pictures count: Int) -> Data {
        let pictures = (0..<count).map { picture($0) }
        let size = pictures.first?.count ?? 0
        let kind = box("ftyp", [text("isom"), be(0x200), text("isomavc1mp41")])
        // The index has the offset of the frames, which follow it: its length does not depend on that offset.
        let begin = kind.count + index(count, size, begin: 0).count + 8
        var film = Data(kind)
        film.append(contentsOf: index(count, size, begin: begin))
        film.append(contentsOf: be(8 + count * size))
        film.append(contentsOf: text("mdat"))
        for picture in pictures { film.append(contentsOf: picture) }
        return film
    }

    /// Returns the `moov` box: one track of frames of one size, in one chunk.
    private static func index(_ count: Int, _ size: Int, begin: Int) -> [UInt8] {
        let duration = be(count * scale / picturesPerSecond)
        let head = box(
            "mvhd",
            [
                zeros(12), be(scale), duration, be(0x1_0000), be(0x100, 2), zeros(10), unchanged, zeros(24), be(2),
            ])
        let trackHead = box(
            "tkhd",
            [
                be(3), zeros(8), be(1), zeros(4), duration, zeros(12), zeros(4), unchanged, be(columns * 16 << 16),
                be(rows * 16 << 16),
            ])
        let mediaHead = box("mdhd", [zeros(12), be(scale), duration, be(0x55C4, 2), zeros(2)])
        let handler = box("hdlr", [zeros(8), text("vide"), zeros(12), text("Squares"), zeros(1)])
        let here = box("dinf", [box("dref", [zeros(4), be(1), box("url ", [be(1)])])])
        let samples = box(
            "stbl",
            [
                box("stsd", [zeros(4), be(1), format]),
                box("stts", [zeros(4), be(1), be(count), be(scale / picturesPerSecond)]),
                box("stsc", [zeros(4), be(1), be(1), be(count), be(1)]),
                box("stsz", [zeros(4), be(size), be(count)]),
                box("stco", [zeros(4), be(1), be(begin)]),
            ])
        let information = box("minf", [box("vmhd", [be(1), zeros(8)]), here, samples])
        let track = box("trak", [trackHead, box("mdia", [mediaHead, handler, information])])
        return box("moov", [head, track])
    }

    /// The sample description for a decoder.
    private static var format: [UInt8] {
        let sequence = sequenceParameters
        let decoder = box(
            "avcC",
            [
                [1], Array(sequence[1...3]), [0xFF, 0xE1], be(sequence.count, 2), sequence, [1],
                be(pictureParameters.count, 2), pictureParameters,
            ])
        return box(
            "avc1",
            [
                zeros(6), be(1, 2), zeros(16), be(columns * 16, 2), be(rows * 16, 2), be(0x48_0000), be(0x48_0000),
                zeros(4), be(1, 2), zeros(32), be(24, 2), be(0xFFFF, 2), decoder,
            ])
    }

    /// The identity matrix.
    private static var unchanged: [UInt8] {
        let ones = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
        return ones.flatMap { be($0) }
    }

    private static func box(_ type: String, _ parts: [[UInt8]]) -> [UInt8] {
        let body = Array(parts.joined())
        return be(8 + body.count) + text(type) + body
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    static func be(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
