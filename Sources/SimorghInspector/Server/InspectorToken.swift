// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The secret part of an inspector's address.
package struct InspectorToken: Sendable, Hashable {
    package let text: String

    package init(text: String) { self.text = text }

    /// Creates a token of 128 random bits.
    package static func random() -> InspectorToken {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return InspectorToken(text: Hex.encoded(bytes))
    }

    /// Returns true if a text is the token; takes the same time for each text of the same length.
    package func matches(_ other: some StringProtocol) -> Bool {
        let (mine, theirs) = (Array(text.utf8), Array(other.utf8))
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
