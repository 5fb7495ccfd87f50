// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The bytes of one input.
///
/// Numbers for decisions are taken from their end, so that the rest resembles the fuzzed format.
struct FuzzBytes {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes)[...] }

    /// Returns a number below a limit of at most 256; zero if no bytes are left.
    mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(bytes.popLast() ?? 0) % limit : 0 }

    /// The remaining bytes.
    var rest: [UInt8] { Array(bytes) }

    /// The remaining bytes as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The remaining bytes as texts, split at each NUL.
    var texts: [String] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
