// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
public import SimorghSupport

/// A hash of the content of a message (RFC 9530).
///
/// ```swift
/// let digest = ContentDigest(of: data)
/// print(digest)  // sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
/// ```
public struct ContentDigest: Sendable, Hashable, CustomStringConvertible {
    /// A hash algorithm that also protects against changes by an attacker.
    ///
    /// Others of the registry, such as `md5`, `sha` and `unixsum`, do not, and are ignored.
    @nonexhaustive
    public enum Algorithm: String, Sendable, Hashable, CaseIterable {
        /// SHA-256.
        case sha256 = "sha-256"
        /// SHA-512.
        case sha512 = "sha-512"

        /// The length of the hash, in bytes.
        var length: Int {
            switch self {
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    /// A field with digests.
    @nonexhaustive
    public enum Field: String, Sendable, Hashable, CaseIterable {
        /// `Content-Digest`: of the content of the message, as it is transferred, in its content coding.
        case content = "Content-Digest"
        /// `Repr-Digest`: of the whole representation in its content coding, also if the message has only a range of it.
        case representation = "Repr-Digest"
    }

    /// The hash algorithm.
    public let algorithm: Algorithm
    /// The hash itself.
    public let bytes: [UInt8]

    /// Creates a digest.
    ///
    /// - Parameters:
    ///   - algorithm: The hash algorithm.
    ///   - bytes: The hash. If its length is not that of the algorithm, the initializer returns `nil`.
    public init?(_ algorithm: Algorithm, bytes: [UInt8]) {
        guard bytes.count == algorithm.length else { return nil }
        self.init(algorithm, hash: bytes)
    }

    fileprivate init(_ algorithm: Algorithm, hash: [UInt8]) {
        self.algorithm = algorithm
        bytes = hash
    }

    /// Creates the digest of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - algorithm: The hash algorithm.
    public init(of data: Data, by algorithm: Algorithm = .sha256) {
        var hasher = ContentHasher(algorithm)
        hasher.update(data)
        self = hasher.digest
    }

    /// The digest as the value of a field: the algorithm, and the hash in base64 between colons.
    public var description: String { "\(algorithm.rawValue)=:\(Data(bytes).base64EncodedString()):" }
}

/// Hashes bytes as they pass.
struct ContentHasher: Sendable {
    private enum State: Sendable {
        case sha256(SHA256)
        case sha512(SHA512)
    }

    private var state: State

    init(_ algorithm: ContentDigest.Algorithm) {
        state =
            switch algorithm {
            case .sha256: .sha256(SHA256())
            case .sha512: .sha512(SHA512())
            }
    }

    mutating func update(_ data: Data) {
        switch state {
        case .sha256(var hash):
            data.withUnsafeBytes { hash.update(bufferPointer: $0) }
            state = .sha256(hash)
        case .sha512(var hash):
            data.withUnsafeBytes { hash.update(bufferPointer: $0) }
            state = .sha512(hash)
        }
    }

    /// The digest of all bytes so far.
    var digest: ContentDigest {
        switch state {
        case .sha256(let hash): ContentDigest(.sha256, hash: Array(hash.finalize()))
        case .sha512(let hash): ContentDigest(.sha512, hash: Array(hash.finalize()))
        }
    }
}
