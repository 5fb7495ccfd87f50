// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A hash that Digest may ask for (RFC 7616, section 6.1), the weakest first.
///
/// SHA-512-256 is not known: swift-crypto does not have it.
package enum DigestAlgorithm: Int, Sendable, Comparable, CaseIterable {
    case md5, sha256

    /// The name in a challenge.
    package var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        }
    }

    package static func < (left: DigestAlgorithm, right: DigestAlgorithm) -> Bool { left.rawValue < right.rawValue }

    /// The hash of a text, in lower-case hexadecimal digits.
    package func hash(_ text: String) -> String {
        var hasher = DigestHasher(self)
        hasher.update(Data(text.utf8))
        return hasher.finalize()
    }
}
