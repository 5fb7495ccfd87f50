// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The strength of a certificate's signature, judged by its digest.
///
/// BoringSSL rejects MD5 and older digests, but accepts SHA-1, with which certificates have been forged.
struct CertificateSignature {
    /// The object identifiers of RSA and ECDSA with SHA-1, 1.2.840.113549.1.1.5 and 1.2.840.10045.4.1, in DER.
    ///
    /// BoringSSL verifies no other signature with SHA-1.
    private static let sha1: [[UInt8]] = [
        [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05],
        [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01],
    ]

    let isWeak: Bool

    /// Reads a certificate in DER. An unreadable one does not count as weak, because BoringSSL has verified it.
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
