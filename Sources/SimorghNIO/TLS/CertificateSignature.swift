// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// How well a certificate is signed, as far as the digest tells.
///
/// BoringSSL refuses MD5 and what is older, and takes SHA-1, with which certificates have been forged.
struct CertificateSignature {
    /// The numbers of RSA and of ECDSA with SHA-1, 1.2.840.113549.1.1.5 and 1.2.840.10045.4.1, in DER.
    ///
    /// What else there is of SHA-1, BoringSSL does not verify.
    private static let sha1: [[UInt8]] = [
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05],
        [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01],
    ]

    let isWeak: Bool

    /// Reads a certificate in DER; what cannot be read is not called weak, since it comes from who has verified it.
    init(_ bytes: [UInt8]) {
        var outer = DERReader(bytes[...])
        guard var certificate = outer.enter(0x30), certificate.enter(0x30) != nil,
            let algorithm = certificate.enter(0x30)
        else {
            isWeak = false
            return
        }
        isWeak = Self.sha1.contains { algorithm.rest.starts(with: $0) }
    }
}
