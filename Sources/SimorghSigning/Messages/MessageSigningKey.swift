// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import CryptoExtras
public import SimorghSupport

/// A private key or a secret that signs messages.
///
/// No description, mirror or log shows it.
public struct MessageSigningKey: Sendable {
    private enum Value: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case ecdsaP256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey, RSAPadding)
        case hmacSHA256(SymmetricKey)
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// Creates a key from its bytes.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm.
    ///   - bytes: The private key of 32 bytes; for RSA the DER of PKCS #8 or PKCS #1, with 2048 to 8192 bits; for HMAC
    ///     a secret of at least 16 bytes.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(_ algorithm: MessageSignatureAlgorithm, bytes: Data) throws {
        do {
            switch algorithm {
            case .ed25519: value = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes))
            case .ecdsaP256: value = .ecdsaP256(try P256.Signing.PrivateKey(rawRepresentation: bytes))
            case .rsaPKCS1SHA256: value = .rsa(try RSAKeys.privateKey(der: bytes), .pkcs1)
            case .rsaPSSSHA512: value = .rsa(try RSAKeys.privateKey(der: bytes), .pss)
            case .hmacSHA256: value = .hmacSHA256(try MessageKeyRules.secret(bytes))
            }
        } catch {
            throw MessageSignatureError(.malformed, "the bytes are not a private key for \(algorithm.rawValue)")
        }
    }

    /// Creates a key from PEM text without encryption.
    ///
    /// It is an Ed25519 key in PKCS #8, a P-256 key in PKCS #8 or SEC 1, or an RSA key of 2048 to 8192 bits in PKCS #8
    /// or PKCS #1.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - algorithm: The algorithm. Default: that of the key; for RSA ``MessageSignatureAlgorithm/rsaPKCS1SHA256``,
    ///     except for a key that is only for RSASSA-PSS.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(pem text: String, algorithm: MessageSignatureAlgorithm? = nil) throws {
        if let bytes = PEMKey.ed25519(text, isPrivate: true) {
            try self.init(.ed25519, bytes: bytes)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            self.init(.ecdsaP256(key))
        } else if let key = RSAKeys.privateKey(pem: text) {
            self.init(.rsa(key.key, try RSAPadding(algorithm, isOnlyForPSS: key.isOnlyForPSS)))
        } else {
            throw MessageSignatureError(.malformed, "the text is not a PEM private key of Ed25519, P-256 or RSA")
        }
        try MessageKeyRules.check(algorithm, of: self.algorithm)
    }

    /// The algorithm.
    public var algorithm: MessageSignatureAlgorithm {
        switch value {
        case .ed25519: .ed25519
        case .ecdsaP256: .ecdsaP256
        case .rsa(_, let padding): padding.algorithm
        case .hmacSHA256: .hmacSHA256
        }
    }

    /// The key that verifies the signatures of this one.
    public var verificationKey: MessageVerificationKey {
        switch value {
        case .ed25519(let key): MessageVerificationKey(.ed25519(key.publicKey))
        case .ecdsaP256(let key): MessageVerificationKey(.ecdsaP256(key.publicKey))
        case .rsa(let key, let padding): MessageVerificationKey(.rsa(key.publicKey, padding))
        case .hmacSHA256(let key): MessageVerificationKey(.hmacSHA256(key))
        }
    }

    package func signature(of text: String) throws -> Data {
        let bytes = Data(text.utf8)
        switch value {
        case .ed25519(let key): return Data(try key.signature(for: bytes))
        case .ecdsaP256(let key): return try key.signature(for: bytes).rawRepresentation
        case .rsa(let key, .pkcs1):
            return try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5).rawRepresentation
        case .rsa(let key, .pss):
            return try key.signature(for: SHA512.hash(data: bytes), padding: .PSS).rawRepresentation
        case .hmacSHA256(let key): return Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        }
    }
}

extension MessageSigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm, without the key.
    public var description: String { "\(algorithm.rawValue) key" }

    /// The algorithm, without the key.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
