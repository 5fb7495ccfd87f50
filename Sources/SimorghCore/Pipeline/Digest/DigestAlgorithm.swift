// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A hash algorithm of Digest (RFC 7616, section 6.1), the weakest first.
///
/// SHA-512-256 is not supported, since swift-crypto does not have it.
package enum DigestAlgorithm: Int, Sendable, Comparable, CaseIterable {
    case md5, sha256

    /// The name as used in a challenge.
    package var name: String {
        switch self {
        case .md5: "MD5"
        case .sha256: "SHA-256"
        }
    }

    package static func < (left: DigestAlgorithm, right: DigestAlgorithm) -> Bool { left.rawValue < right.rawValue }

    /// Returns the hash of a string, in lower-case hexadecimal digits.
    package func hash(_ text: String) -> String {
        var hasher = DigestHasher(self)
        hasher.update(Data(text.utf8))
        return hasher.finalize()
    }
}
