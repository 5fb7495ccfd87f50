// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of swift-crypto's CryptoExtras with the declarations that this project uses, for type-checking; it is never run.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
public import Foundation

public enum _RSA {
    public enum Signing {
        public struct Padding: Sendable {
            public static let insecurePKCS1v1_5 = Padding()
        }

        public struct RSASignature: Sendable {
            public var rawRepresentation: Data { fatalError("a stub") }
        }

        public struct PrivateKey: Sendable {
            public init(pemRepresentation: String) throws {}
            public func signature(for data: Data, padding: Padding) throws -> RSASignature { fatalError("a stub") }
        }
    }
}
