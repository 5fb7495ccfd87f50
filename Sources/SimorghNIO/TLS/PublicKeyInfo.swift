// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The strength of a public key, judged by its kind.
///
/// Elliptic-curve keys have the few sizes that TLS defines, all of which are safe; only RSA keys can be too short.
struct PublicKeyInfo {
    /// The minimum size of an RSA key, in bits; required of certificate authorities since 2014.
    private static let minimumBits = 2048
    /// The object identifier of RSA encryption, 1.2.840.113549.1.1.1, in DER.
    private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    let isWeak: Bool

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
