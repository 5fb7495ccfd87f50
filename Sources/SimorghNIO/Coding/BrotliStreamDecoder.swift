// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Brotli && (os(Linux) || os(macOS))
import CSimorghBrotli

/// A Brotli decoder (RFC 7932) that uses the system's library, with windows of at most 16 MiB, as in the RFC.
final class BrotliStreamDecoder: StreamDecoder {
    private let decoder: OpaquePointer
    private var isEnded = false

    init() throws(InvalidContentCodingError) {
        guard let decoder = BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw InvalidContentCodingError(description: "not enough memory to decompress the body")
        }
        self.decoder = decoder
    }

    deinit { BrotliDecoderDestroyInstance(decoder) }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InvalidContentCodingError) -> StreamDecodingStep {
        guard !isEnded else {
            guard input.isEmpty else {
                throw InvalidContentCodingError(description: "the body has bytes after its brotli data")
            }
            return StreamDecodingStep(taken: 0, written: 0, isEnd: true)
        }
        var (unread, room) = (input.count, output.count)
        var nextInput = input.bindMemory(to: UInt8.self).baseAddress
        var nextOutput = output.bindMemory(to: UInt8.self).baseAddress
        switch BrotliDecoderDecompressStream(decoder, &unread, &nextInput, &room, &nextOutput, nil) {
        case BROTLI_DECODER_RESULT_ERROR: throw InvalidContentCodingError(description: "the body is not valid brotli")
        case BROTLI_DECODER_RESULT_SUCCESS: isEnded = true
        default: break
        }
        return StreamDecodingStep(taken: input.count - unread, written: output.count - room, isEnd: isEnded)
    }
}
#endif
