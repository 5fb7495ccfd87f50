// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The bytes of one input: numbers to decide by are taken from their end, so that the rest looks like what it is to be.
struct FuzzBytes {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes)[...] }

    /// A number below a limit of at most 256; zero where there are no bytes left.
    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(bytes.popLast() ?? 0) % limit : 0 }

    /// What is left.
    var rest: [UInt8] { Array(bytes) }

    /// What is left, as a text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What is left, cut at each NUL.
    var texts: [String] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
