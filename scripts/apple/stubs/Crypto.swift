// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of swift-crypto with the declarations that this project uses, for type-checking; it is never run.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
public import Foundation

public protocol Digest: Sequence, Sendable where Element == UInt8 {}

public protocol HashFunction: Sendable {
    associatedtype Digest: Crypto.Digest
    init()
    mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    func finalize() -> Digest
}

extension HashFunction {
    public static func hash<Bytes: Sequence>(data: Bytes) -> Digest where Bytes.Element == UInt8 { Self().finalize() }
}

public struct StubDigest: Digest {
    public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
}

public struct SHA256: HashFunction {
    public init() {}
    public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> StubDigest { StubDigest() }
}

public struct SHA384: HashFunction {
    public init() {}
    public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> StubDigest { StubDigest() }
}

public struct SHA512: HashFunction {
    public init() {}
    public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> StubDigest { StubDigest() }
}

public enum Insecure {
    public struct MD5: HashFunction {
        public init() {}
        public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
        public func finalize() -> StubDigest { StubDigest() }
    }

    public struct SHA1: HashFunction {
        public init() {}
        public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
        public func finalize() -> StubDigest { StubDigest() }
    }
}

public struct SymmetricKeySize: Sendable {
    public static var bits256: SymmetricKeySize { SymmetricKeySize() }
}

public struct SymmetricKey: Sendable {
    public init(data: some Sequence<UInt8>) {}
    public init(size: SymmetricKeySize) {}
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError("a stub") }
}

public struct HMAC<H: HashFunction>: Sendable {
    public struct MAC: Sequence, Sendable {
        public func makeIterator() -> IndexingIterator<[UInt8]> { [].makeIterator() }
    }

    public static func authenticationCode(for data: Data, using key: SymmetricKey) -> MAC { MAC() }
    public static func isValidAuthenticationCode(
        _ code: Data, authenticating data: Data, using key: SymmetricKey
    ) -> Bool { false }
}

public enum Curve25519 {
    public enum Signing {
        public struct PublicKey: Sendable {
            public init(rawRepresentation: Data) throws {}
            public func isValidSignature(_ signature: Data, for data: Data) -> Bool { false }
        }

        public struct PrivateKey: Sendable {
            public var publicKey: PublicKey { fatalError("a stub") }
            public init(rawRepresentation: Data) throws {}
            public func signature(for data: Data) throws -> Data { Data() }
        }
    }
}

public enum P256 {
    public enum Signing {
        public struct ECDSASignature: Sendable {
            public var rawRepresentation: Data { Data() }
            public init(rawRepresentation: Data) throws {}
        }

        public struct PublicKey: Sendable {
            public var rawRepresentation: Data { fatalError("a stub") }
            public init(rawRepresentation: Data) throws {}
            public init(x963Representation: Data) throws {}
            public init(pemRepresentation: String) throws {}
            public func isValidSignature(_ signature: ECDSASignature, for data: Data) -> Bool { false }
        }

        public struct PrivateKey: Sendable {
            public var rawRepresentation: Data { fatalError("a stub") }
            public var publicKey: PublicKey { fatalError("a stub") }
            public init(compactRepresentable: Bool = true) {}
            public init(rawRepresentation: Data) throws {}
            public init(pemRepresentation: String) throws {}
            public func signature(for data: Data) throws -> ECDSASignature { fatalError("a stub") }
        }
    }
}

public enum AES {
    public enum GCM {
        public struct Nonce: Sendable {}

        public struct SealedBox: Sendable {
            public var combined: Data? { nil }
            public init(combined: Data) throws {}
        }

        public static func seal(
            _ message: Data, using key: SymmetricKey, nonce: Nonce? = nil, authenticating data: Data
        ) throws -> SealedBox { fatalError("a stub") }

        public static func open(_ box: SealedBox, using key: SymmetricKey, authenticating data: Data) throws -> Data {
            fatalError("a stub")
        }
    }
}
