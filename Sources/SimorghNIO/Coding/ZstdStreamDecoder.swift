// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Zstd && (os(Linux) || os(macOS))
import CSimorghZstd

/// A Zstandard decoder (RFC 8878) that uses the system's library: one or more frames, with windows of at most 8 MiB
/// (RFC 9659).
final class ZstdStreamDecoder: StreamDecoder {
    private static let maximumWindowLog: CInt = 23

    private let decoder: OpaquePointer

    init() throws(InvalidContentCodingError) {
        guard let decoder = ZSTD_createDCtx() else {
            throw InvalidContentCodingError(description: "not enough memory to decompress the body")
        }
        self.decoder = decoder
        _ = ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, Self.maximumWindowLog)
    }

    deinit { ZSTD_freeDCtx(decoder) }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InvalidContentCodingError) -> StreamDecodingStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(decoder, &target, &source)
        guard ZSTD_isError(result) == 0 else {
            throw InvalidContentCodingError(description: "the body is not valid zstd")
        }
        return StreamDecodingStep(taken: source.pos, written: target.pos, isEnd: result == 0)
    }
}
#endif
