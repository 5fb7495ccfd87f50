// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// Decompresses the output of the encoders of both libraries, in pieces of any size, complete and broken. It is compiled
// with the two decompressors only (scripts/checks/traits), which avoids a second build of the package.

import CSimorghZstd
import Encoders

struct Failure: Error { let description: String }

struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 27)
    }
}

var random = Seeded(state: 7)

func brotli(_ plain: [UInt8], quality: Int32) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: BrotliEncoderMaxCompressedSize(plain.count) + 16)
    var count = output.count
    let isDone = BrotliEncoderCompress(quality, 22, BROTLI_MODE_GENERIC, plain.count, plain, &count, &output)
    precondition(isDone == BROTLI_TRUE, "the Brotli encoder failed")
    return Array(output.prefix(count))
}

func zstd(_ plain: [UInt8], level: Int32, windowLog: Int32 = 0) -> [UInt8] {
    guard let context = ZSTD_createCCtx() else { preconditionFailure("no zstd encoder") }
    defer { ZSTD_freeCCtx(context) }
    _ = ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    if windowLog > 0 {
        _ = ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, windowLog)
        _ = ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
    }
    var output = [UInt8](repeating: 0, count: ZSTD_compressBound(plain.count))
    // As a stream, whose end is not known at its beginning, so that the frame declares its window.
    let count = plain.withUnsafeBytes { input in
        output.withUnsafeMutableBytes { room in
            var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
            var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
            _ = ZSTD_compressStream2(context, &target, &source, ZSTD_e_continue)
            while ZSTD_compressStream2(context, &target, &source, ZSTD_e_end) > 0 {}
            return target.pos
        }
    }
    return Array(output.prefix(count))
}

/// Returns the output of a decompressor for bytes that arrive in pieces, and whether the data was complete.
@MainActor
func undo(_ coded: [UInt8], _ unpacker: any StreamDecoder, pieces: Int, most: Int = .max) throws -> (
    plain: [UInt8], isWhole: Bool
) {
    var plain: [UInt8] = []
    var (start, end, isEnd, isFull) = (0, 0, coded.isEmpty, false)
    while true {
        if !isFull, start == end || end < coded.count {
            end = min(coded.count, end + Int.random(in: 1...pieces, using: &random))
        }
        var room = [UInt8](repeating: 0, count: Int.random(in: 1...(1 << 16), using: &random))
        let step = try coded[start..<end].withUnsafeBytes { input in
            try room.withUnsafeMutableBytes { try unpacker.step(input, into: $0) }
        }
        start += step.taken
        plain += room.prefix(step.written)
        isEnd = step.isEnd
        isFull = step.written == room.count && !step.isEnd
        guard plain.count <= most else { throw Failure(description: "the output grows without end") }
        if end == coded.count, step.taken == 0, step.written == 0 { break }
        if end == coded.count, start == end, isEnd { break }
    }
    return (plain, isEnd && start == coded.count)
}

func check(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    guard holds else { throw Failure(description: message()) }
}

@MainActor
func plain(_ count: Int, _ alphabet: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(Int.random(in: 0..<alphabet, using: &random)) }
}

func isRefused(_ body: () throws -> (plain: [UInt8], isWhole: Bool)) -> Bool {
    guard let outcome = try? body() else { return true }
    return !outcome.isWhole
}

typealias Make = () throws(InvalidContentCodingError) -> any StreamDecoder
let codings: [(String, Make, ([UInt8]) -> [UInt8])] = [
    ("br", { () throws(InvalidContentCodingError) in try BrotliStreamDecoder() }, { brotli($0, quality: 5) }),
    ("zstd", { () throws(InvalidContentCodingError) in try ZstdStreamDecoder() }, { zstd($0, level: 3) }),
]
var cases = 0
for (name, make, encode) in codings {
    for (count, alphabet) in [(0, 1), (1, 256), (100, 3), (70_000, 256), (300_000, 2), (3_000_000, 1), (400_000, 30)] {
        let text = plain(count, alphabet)
        let coded = encode(text)
        for pieces in [1, 7, 5_000, 1 << 20] where pieces > 1 || coded.count < 20_000 {
            let outcome = try undo(coded, try make(), pieces: pieces)
            try check(outcome.isWhole && outcome.plain == text, "\(name) of \(count) bytes in pieces of \(pieces)")
            cases += 1
        }
        for _ in 0..<20 where coded.count > 1 {
            let cut = Array(coded.prefix(Int.random(in: 0..<coded.count, using: &random)))
            try check(cut.isEmpty || isRefused { try undo(cut, try make(), pieces: 5_000) }, "\(name) cut off is taken")
            cases += 1
        }
        try check(
            isRefused { try undo(coded + [0xFF, 1, 2], try make(), pieces: 5_000) }, "\(name) followed by other bytes")
    }
    // No input may cause a crash, a hang, or more output than allowed.
    let coded = encode(plain(20_000, 20))
    for _ in 0..<3_000 {
        var broken = coded
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        _ = try? undo(broken, try make(), pieces: 4_000, most: 64 << 20)
        cases += 1
    }
}
let (first, second) = (plain(1_000, 9), plain(50_000, 9))
let joined = try undo(zstd(first, level: 1) + zstd(second, level: 9), try ZstdStreamDecoder(), pieces: 300)
try check(joined.isWhole && joined.plain == first + second, "two zstd frames")
let wide = zstd(plain(100_000, 9), level: 3, windowLog: 27)
try check(isRefused { try undo(wide, try ZstdStreamDecoder(), pieces: 5_000) }, "a zstd window of 128 MiB")
print("codings: \(cases) bodies of br and zstd")
