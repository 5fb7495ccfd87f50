// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The error of a certificate chain that Apple's Security framework does not trust.
package struct SystemTrustError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The `OSStatus` of the evaluation.
    package let status: Int
    /// The system's description.
    package let text: String

    package init(status: Int, text: String) {
        self.status = status
        self.text = text
    }

    package var description: String { "\(text) (OSStatus \(status))" }
}

/// The root certificates for the verification of a chain.
package struct TrustedRoots: Sendable, Hashable {
    /// The certificates in DER.
    package var certificates: [[UInt8]] = []
    /// True if the system's roots are trusted as well.
    package var includesSystem = true

    package init() {}
}
