// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension String {
    /// True if all bytes are ASCII.
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Returns true if this string has the same bytes as an ASCII string.
    ///
    /// `==` compares canonical equivalence, so two equal strings may be the bytes of two URLs. Any other string that is
    /// equal to an ASCII string has more bytes.
    package func isSame(as text: String) -> Bool { self == text && utf8.count == text.utf8.count }
}
