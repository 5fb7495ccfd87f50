// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A decoder of a content coding that works step by step on plain memory.
protocol StreamDecoder: AnyObject {
    /// Decodes as much as the input provides and the output can hold.
    ///
    /// - Parameters:
    ///   - input: The input that was not consumed yet; more may follow later.
    ///   - output: The memory to write to; not empty.
    /// - Returns: The progress.
    /// - Throws: ``InvalidContentCodingError``.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(InvalidContentCodingError) -> StreamDecodingStep
}

/// The progress of an ``StreamDecoder`` in one step.
struct StreamDecodingStep {
    /// The number of input bytes that were consumed.
    var taken: Int
    /// The number of output bytes that were written.
    var written: Int
    /// True if the coding ends here; further input would be a new one.
    var isEnd: Bool
}

/// The error of input that does not conform to its coding.
package struct InvalidContentCodingError: Error, CustomStringConvertible {
    package let description: String
    /// True if the input is valid so far but ends too early.
    package var isTruncated = false
}
