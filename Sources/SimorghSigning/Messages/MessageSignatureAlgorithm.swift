// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An algorithm of the registry of RFC 9421.
@nonexhaustive
public enum MessageSignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// EdDSA with Curve25519.
    case ed25519
    /// ECDSA with the curve P-256 and SHA-256; the signature is the two numbers of 32 bytes.
    case ecdsaP256 = "ecdsa-p256-sha256"
    /// RSASSA-PKCS1-v1_5 with SHA-256, the algorithm of most servers of the Fediverse.
    case rsaPKCS1SHA256 = "rsa-v1_5-sha256"
    /// RSASSA-PSS with SHA-512, and a salt of 64 bytes.
    case rsaPSSSHA512 = "rsa-pss-sha512"
    /// HMAC with SHA-256, a secret that both sides know.
    case hmacSHA256 = "hmac-sha256"
}
