// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// The checks of keys for message signatures.
enum MessageKeyRules {
    private static let minimumSecretBytes = 16

    static func secret(_ bytes: Data) throws(MessageSignatureError) -> SymmetricKey {
        guard bytes.count >= minimumSecretBytes else {
            throw MessageSignatureError(.malformed, "the secret has fewer than \(minimumSecretBytes) bytes")
        }
        return SymmetricKey(data: bytes)
    }

    /// Checks that a key has the algorithm that the program expects.
    static func check(
        _ expected: MessageSignatureAlgorithm?, of algorithm: MessageSignatureAlgorithm
    ) throws(MessageSignatureError) {
        guard let expected, expected != algorithm else { return }
        throw MessageSignatureError(
            .algorithmMismatch, "the key is for \(algorithm.rawValue), and not for \(expected.rawValue)")
    }
}
