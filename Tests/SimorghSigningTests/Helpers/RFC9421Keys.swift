// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSigning
import SimorghSupport

/// The keys of RFC 9421, appendix B.1.
enum RFC9421Keys {
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
        -----END PRIVATE KEY-----
        """
    static let ed25519Public = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=
        -----END PUBLIC KEY-----
        """
    static let p256 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49
        AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM
        4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END EC PRIVATE KEY-----
        """
    static let p256Public = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf
        w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==
        -----END PUBLIC KEY-----
        """
    static let secret =
        "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="

    static func signing(_ id: String) throws -> MessageSigningKey {
        switch id {
        case "test-key-ed25519": try MessageSigningKey(pem: ed25519)
        case "test-key-ecc-p256": try MessageSigningKey(pem: p256)
        case "test-key-rsa": try MessageSigningKey(pem: rsa)
        case "test-key-rsa-pss": try MessageSigningKey(pem: rsaPSS)
        default: try MessageSigningKey(.hmacSHA256, bytes: Data(base64Encoded: secret) ?? Data())
        }
    }

    static func verification(_ id: String) throws -> MessageVerificationKey? {
        switch id {
        case "test-key-ed25519": try MessageVerificationKey(pem: ed25519Public)
        case "test-key-ecc-p256": try MessageVerificationKey(pem: p256Public)
        case "test-key-rsa": try MessageVerificationKey(pem: rsaPublic)
        case "test-key-rsa-pss": try MessageVerificationKey(pem: rsaPSSPublic, algorithm: .rsaPSSSHA512)
        case "test-shared-secret": try signing(id).verificationKey
        default: nil
        }
    }
}
