// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The strength of a public key, judged by its kind.
///
/// Elliptic-curve keys have the few sizes that TLS defines, all of which are safe; only RSA keys can be too short.
struct PublicKeyInfo {
    /// The minimum size of an RSA key, in bits; required of certificate authorities since 2014.
    private static let minimumBits = 2048
    /// The object identifier of RSA encryption, 1.2.840.113549.1.1.1, in DER.
    private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    let isWeak: Bool

    /// Returns the `SubjectPublicKeyInfo` of a certificate, both in DER; `nil` if it is missing.
    ///
    /// NIOSSL's own function ends the process for a kind of key that BoringSSL does not know.
    static func bytes(in certificate: [UInt8]) -> [UInt8]? {
        var outer = DERReader(certificate[...])
        guard var whole = outer.enter(0x30), var content = whole.enter(0x30) else { return nil }
        // The optional version, and the serial number.
        _ = content.enter(0xA0)
        guard content.enter(0x02) != nil else { return nil }
        // The signature algorithm, the issuer, the validity and the subject.
        for _ in 0..<4 {
            guard content.enter(0x30) != nil else { return nil }
        }
        let rest = content.rest
        guard content.enter(0x30) != nil else { return nil }
        return Array(rest.prefix(upTo: content.rest.startIndex))
    }

    /// Reads a `SubjectPublicKeyInfo` in DER.
    ///
    /// An unreadable one does not count as weak, because TLS has to read it as well.
    init(_ bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard var info = outer.enter(0x30), let algorithm = info.enter(0x30), algorithm.rest.starts(with: Self.rsa),
            let bits = info.enter(0x03), bits.rest.first == 0
        else {
            isWeak = false
            return
        }
        var key = DERReader(bits.rest.dropFirst())
        guard var numbers = key.enter(0x30), let modulus = numbers.enter(0x02) else {
            isWeak = false
            return
        }
        let digits = modulus.rest.drop { $0 == 0 }
        let length = digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
        isWeak = length < Self.minimumBits
    }
}

/// A reader of nested DER elements that never reads past the end.
struct DERReader {
    /// The bytes that were not read yet.
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the content of the next element if it has a tag; otherwise reads nothing.
    mutating func enter(_ tag: UInt8) -> DERReader? {
        var bytes = rest
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let digits = Int(first & 0x7F)
            guard (1...4).contains(digits), bytes.count >= digits else { return nil }
            length = bytes.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(digits)
        }
        // Four digits can make an integer of 32 bits negative.
        guard length >= 0, length <= bytes.count else { return nil }
        rest = bytes.dropFirst(length)
        return DERReader(bytes.prefix(length))
    }
}
