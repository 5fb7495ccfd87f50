// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of swift-crypto's CryptoExtras with the declarations that this project uses, for type-checking; it is never run.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
public import Crypto
public import Foundation

public enum _RSA {
    public enum Signing {
        public struct Padding: Sendable {
            public static let insecurePKCS1v1_5 = Padding()
            public static let PSS = Padding()
        }

        public struct RSASignature: Sendable {
            public var rawRepresentation: Data { fatalError("a stub") }
            public init(rawRepresentation: Data) {}
        }

        public struct PublicKey: Sendable {
            public var keySizeInBits: Int { fatalError("a stub") }
            public init(pemRepresentation: String) throws {}
            public init(derRepresentation: Data) throws {}
            public func isValidSignature(
                _ signature: RSASignature, for digest: some Digest, padding: Padding
            ) -> Bool { false }
        }

        public struct PrivateKey: Sendable {
            public var keySizeInBits: Int { fatalError("a stub") }
            public var publicKey: PublicKey { fatalError("a stub") }
            public init(pemRepresentation: String) throws {}
            public init(derRepresentation: Data) throws {}
            public func signature(for data: Data, padding: Padding) throws -> RSASignature { fatalError("a stub") }
            public func signature(for digest: some Digest, padding: Padding) throws -> RSASignature {
                fatalError("a stub")
            }
        }
    }
}
