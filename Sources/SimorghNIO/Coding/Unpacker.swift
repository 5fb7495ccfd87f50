// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A library that undoes a coding, step by step; it knows nothing of where the bytes come from.
protocol Unpacker: AnyObject {
    /// Undoes as much as the input has and the output holds.
    ///
    /// - Parameters:
    ///   - input: What came and was not taken yet; more comes later.
    ///   - output: Where to write; not empty.
    /// - Returns: How far it came.
    /// - Throws: ``Corrupt``.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(Corrupt) -> UnpackingStep
}

/// How far an ``Unpacker`` came in one step.
struct UnpackingStep {
    /// How many bytes of the input were taken.
    var taken: Int
    /// How many bytes of the output were written.
    var written: Int
    /// Whether the coding has ended here; more input would be another one.
    var isEnd: Bool
}

/// Why the input cannot be what its coding says.
package struct Corrupt: Error, CustomStringConvertible {
    package let description: String
    /// Whether it is right as far as it goes, and ends too early.
    package var isTruncated = false
}
