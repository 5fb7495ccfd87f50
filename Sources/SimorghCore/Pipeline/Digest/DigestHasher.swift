// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghSupport

/// An incremental hash.
package struct DigestHasher {
    private enum State {
        case md5(Insecure.MD5)
        case sha256(SHA256)
    }

    private var state: State

    package init(_ algorithm: DigestAlgorithm) {
        switch algorithm {
        case .md5: state = .md5(Insecure.MD5())
        case .sha256: state = .sha256(SHA256())
        }
    }

    /// Adds bytes.
    package mutating func update(_ data: Data) {
        switch state {
        case .md5(var hasher):
            hasher.update(data: data)
            state = .md5(hasher)
        case .sha256(var hasher):
            hasher.update(data: data)
            state = .sha256(hasher)
        }
    }

    /// Returns the hash, in lower-case hexadecimal digits.
    package consuming func finalize() -> String {
        let bytes: [UInt8] =
            switch state {
            case .md5(let hasher): Array(hasher.finalize())
            case .sha256(let hasher): Array(hasher.finalize())
            }
        return Hex.encoded(bytes)
    }
}
