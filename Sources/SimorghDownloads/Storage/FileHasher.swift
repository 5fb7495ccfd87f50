// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto

/// Hashes a file incrementally, from start to end.
package struct FileHasher: Sendable {
    private enum State: Sendable {
        case sha256(SHA256)
        case sha384(SHA384)
        case sha512(SHA512)
        case md5(Insecure.MD5)
    }

    private var states: [State]
    /// The hash algorithms.
    package let algorithms: Set<DownloadDigest.Algorithm>

    /// Creates a hasher for each of the algorithms.
    package init(_ algorithms: Set<DownloadDigest.Algorithm>) {
        self.algorithms = algorithms
        states = DownloadDigest.Algorithm.allCases.filter(algorithms.contains).map { algorithm in
            switch algorithm {
            case .sha256: .sha256(SHA256())
            case .sha384: .sha384(SHA384())
            case .sha512: .sha512(SHA512())
            case .md5: .md5(Insecure.MD5())
            }
        }
    }

    /// True if there are no algorithms.
    package var isIdle: Bool { states.isEmpty }

    /// Hashes the next bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        for index in states.indices {
            switch states[index] {
            case .sha256(var state):
                state.update(bufferPointer: bytes)
                states[index] = .sha256(state)
            case .sha384(var state):
                state.update(bufferPointer: bytes)
                states[index] = .sha384(state)
            case .sha512(var state):
                state.update(bufferPointer: bytes)
                states[index] = .sha512(state)
            case .md5(var state):
                state.update(bufferPointer: bytes)
                states[index] = .md5(state)
            }
        }
    }

    /// The hashes of all bytes so far.
    package var digests: [DownloadDigest] {
        states.compactMap { state in
            switch state {
            case .sha256(let state): DownloadDigest(.sha256, bytes: Array(state.finalize()))
            case .sha384(let state): DownloadDigest(.sha384, bytes: Array(state.finalize()))
            case .sha512(let state): DownloadDigest(.sha512, bytes: Array(state.finalize()))
            case .md5(let state): DownloadDigest(.md5, bytes: Array(state.finalize()))
            }
        }
    }
}
