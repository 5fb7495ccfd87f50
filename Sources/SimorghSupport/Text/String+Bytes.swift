// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension String {
    /// Whether all of it is ASCII.
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

    /// Whether it has the bytes of another text, which is ASCII.
    ///
    /// Texts that look alike, and are equal as such, may be those of two URLs. Of one that is equal to ASCII and other than
    /// it, each letter is longer.
    package func isSame(as text: String) -> Bool { self == text && utf8.count == text.utf8.count }
}
