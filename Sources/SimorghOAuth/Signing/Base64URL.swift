// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The encoding of RFC 4648, section 5, without padding.
package enum Base64URL {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let text = Base64.text(Array(bytes)).replacing("+", with: "-").replacing("/", with: "_")
        return String(text.prefix { $0 != "=" })
    }

    /// Returns the part of a JSON web token that is signed (RFC 7515, section 5.1).
    static func signingInput(header: [String: JSON], claims: [String: JSON]) throws -> String {
        try text(JSON.object(header).data()) + "." + text(JSON.object(claims).data())
    }

    /// Returns random text of 32 bytes, which cannot be guessed.
    package static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in generator.next() as UInt64 }
        return text(words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    }
}
