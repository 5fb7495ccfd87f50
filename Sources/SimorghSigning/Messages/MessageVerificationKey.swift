// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import CryptoExtras
public import SimorghSupport

/// A public key, or a secret, that verifies signatures.
public struct MessageVerificationKey: Sendable {
    enum Value: Sendable {
        case ed25519(Curve25519.Signing.PublicKey)
        case ecdsaP256(P256.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey, RSAPadding)
        case hmacSHA256(SymmetricKey)
    }

    private let value: Value

    init(_ value: Value) { self.value = value }

    /// Creates a key from its bytes.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm.
    ///   - bytes: For Ed25519 32 bytes; for P-256 64 bytes, or 65 that begin with 4; for RSA the DER of a
    ///     SubjectPublicKeyInfo or of PKCS #1, with 2048 to 8192 bits; for HMAC a secret of at least 16 bytes.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(_ algorithm: MessageSignatureAlgorithm, bytes: Data) throws {
        do {
            switch algorithm {
            case .ed25519: value = .ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: bytes))
            case .ecdsaP256:
                value = .ecdsaP256(
                    bytes.count == 64
                        ? try P256.Signing.PublicKey(rawRepresentation: bytes)
                        : try P256.Signing.PublicKey(x963Representation: bytes))
            case .rsaPKCS1SHA256: value = .rsa(try RSAKeys.publicKey(der: bytes, for: .pkcs1), .pkcs1)
            case .rsaPSSSHA512: value = .rsa(try RSAKeys.publicKey(der: bytes, for: .pss), .pss)
            case .hmacSHA256: value = .hmacSHA256(try MessageKeyRules.secret(bytes))
            }
        } catch {
            throw MessageSignatureError(.malformed, "the bytes are not a public key for \(algorithm.rawValue)")
        }
    }

    /// Creates a key from PEM text: `PUBLIC KEY` of Ed25519, P-256 or RSA, or `RSA PUBLIC KEY`.
    ///
    /// An RSA key has 2048 to 8192 bits.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - algorithm: The algorithm. Default: that of the key; for RSA ``MessageSignatureAlgorithm/rsaPKCS1SHA256``,
    ///     except for a key that is only for RSASSA-PSS.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(pem text: String, algorithm: MessageSignatureAlgorithm? = nil) throws {
        if let bytes = PEMKey.ed25519(text, isPrivate: false) {
            try self.init(.ed25519, bytes: bytes)
        } else if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            self.init(.ecdsaP256(key))
        } else if let key = RSAKeys.publicKey(pem: text) {
            self.init(.rsa(key.key, try RSAPadding(algorithm, isOnlyForPSS: key.isOnlyForPSS)))
        } else {
            throw MessageSignatureError(.malformed, "the text is not a PEM public key of Ed25519, P-256 or RSA")
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

    /// Returns true if a signature belongs to a text and to this key; secrets are compared in constant time.
    package func isValid(_ signature: Data, of text: String) -> Bool {
        let bytes = Data(text.utf8)
        switch value {
        case .ed25519(let key): return key.isValidSignature(signature, for: bytes)
        case .ecdsaP256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: bytes)
        case .rsa(let key, let padding):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return switch padding {
            case .pkcs1:
                key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
            case .pss: key.isValidSignature(signature, for: SHA512.hash(data: bytes), padding: .PSS)
            }
        case .hmacSHA256(let key):
            return HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: bytes, using: key)
        }
    }
}

extension MessageVerificationKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm, without the key.
    public var description: String { "\(algorithm.rawValue) key" }

    /// The algorithm, without the key.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal a secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
