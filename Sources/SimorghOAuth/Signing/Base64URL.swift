// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The encoding of RFC 4648, section 5, without padding.
package enum Base64URL {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let text = Base64.text(Array(bytes)).replacing("+", with: "-").replacing("/", with: "_")
        return String(text.prefix { $0 != "=" })
    }

    /// Returns random text of 32 bytes, which cannot be guessed.
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in generator.next() as UInt64 }
        return text(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    }
}
