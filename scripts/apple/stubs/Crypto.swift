// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The shape of swift-crypto, as far as this project uses it. For type-checking; nothing here runs.
public import Foundation

public protocol Digest: Sequence, Sendable where Element == UInt8 {}

public protocol HashFunction: Sendable {
    associatedtype Digest: Crypto.Digest
    init()
    mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8
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
    public func finalize() -> StubDigest { StubDigest() }
}

public enum Insecure {
    public struct MD5: HashFunction {
        public init() {}
        public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
        public func finalize() -> StubDigest { StubDigest() }
    }

    public struct SHA1: HashFunction {
        public init() {}
        public mutating func update<Bytes: Sequence>(data: Bytes) where Bytes.Element == UInt8 {}
        public func finalize() -> StubDigest { StubDigest() }
    }
}
