// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// A decoder of one content coding, piece by piece; used by one task at a time, and never shared.
package protocol Decompressor: AnyObject {
    /// Adds input; allowed only after ``next(upTo:)`` has returned `nil`.
    func feed(_ bytes: ByteBuffer)

    /// Returns the next piece of output; `nil` if more input is needed.
    func next(upTo size: Int) throws(InvalidContentCodingError) -> ByteBuffer?

    /// Ends the input; throws if the coding is incomplete.
    func finish() throws(InvalidContentCodingError)
}

extension Decompressor {
    /// Returns the next piece of output, of at most 64 KiB; `nil` if more input is needed.
    package func next() throws(InvalidContentCodingError) -> ByteBuffer? { try next(upTo: 64 * 1024) }
}

/// A decompressor that uses an ``StreamDecoder``.
final class StreamingDecompressor: Decompressor {
    private let unpacker: any StreamDecoder
    private let name: String
    private var input = ByteBuffer()
    private var hasBegun = false
    private var isEnded = false
    /// True if the last step filled the output, so that more output may exist without further input.
    private var mayHaveMore = false

    init(_ unpacker: any StreamDecoder, name: String) {
        self.unpacker = unpacker
        self.name = name
    }

    func feed(_ bytes: ByteBuffer) {
        if input.readableBytes == 0 { input = bytes } else { input.writeImmutableBuffer(bytes) }
    }

    func next(upTo size: Int) throws(InvalidContentCodingError) -> ByteBuffer? {
        while input.readableBytes > 0 || mayHaveMore {
            var output = ByteBufferAllocator().buffer(capacity: size)
            hasBegun = true
            let outcome = input.withUnsafeReadableBytes { bytes in
                var outcome = Result<StreamDecodingStep, InvalidContentCodingError>.success(
                    .init(taken: 0, written: 0, isEnd: false))
                _ = output.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { room in
                    outcome = Result { () throws(InvalidContentCodingError) in try unpacker.step(bytes, into: room) }
                    return (try? outcome.get())?.written ?? 0
                }
                return outcome
            }
            let step = try outcome.get()
            input.moveReaderIndex(forwardBy: step.taken)
            isEnded = step.isEnd
            mayHaveMore = !step.isEnd && step.written >= size
            if step.written > 0 { return output }
            guard step.taken > 0 else {
                // The unpacker needs more input.
                mayHaveMore = false
                return nil
            }
        }
        return nil
    }

    func finish() throws(InvalidContentCodingError) {
        // An empty body is valid in any coding.
        guard isEnded && input.readableBytes == 0 || !hasBegun else {
            throw InvalidContentCodingError(
                description: "the body ends before its \(name) data is complete", isTruncated: true)
        }
    }
}
