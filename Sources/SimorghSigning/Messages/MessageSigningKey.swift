// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
public import SimorghSupport

/// A private key or a secret that signs messages.
///
/// No description, mirror or log shows it.
public struct MessageSigningKey: Sendable {
    private enum Value: Sendable {
        case ed25519(Curve25519.Signing.PrivateKey)
        case ecdsaP256(P256.Signing.PrivateKey)
        case hmacSHA256(SymmetricKey)
    }

    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// Creates a key from its bytes.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm.
    ///   - bytes: The private key of 32 bytes; for HMAC a secret of at least 16 bytes.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(_ algorithm: MessageSignatureAlgorithm, bytes: Data) throws {
        do {
            switch algorithm {
            case .ed25519: value = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes))
            case .ecdsaP256: value = .ecdsaP256(try P256.Signing.PrivateKey(rawRepresentation: bytes))
            case .hmacSHA256: value = .hmacSHA256(try MessageKeyText.secret(bytes))
            }
        } catch {
            throw MessageSignatureError(.malformed, "the bytes are not a private key for \(algorithm.rawValue)")
        }
    }

    /// Creates a key from PEM text: an Ed25519 key in PKCS #8, or a P-256 key in PKCS #8 or SEC 1, without encryption.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(pem text: String) throws {
        if let bytes = MessageKeyText.ed25519(text, isPrivate: true) {
            try self.init(.ed25519, bytes: bytes)
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            self.init(.ecdsaP256(key))
        } else {
            throw MessageSignatureError(.malformed, "the text is not a PEM private key of Ed25519 or P-256")
        }
    }

    /// The algorithm.
    public var algorithm: MessageSignatureAlgorithm {
        switch value {
        case .ed25519: .ed25519
        case .ecdsaP256: .ecdsaP256
        case .hmacSHA256: .hmacSHA256
        }
    }

    /// The key that verifies the signatures of this one.
    public var verificationKey: MessageVerificationKey {
        switch value {
        case .ed25519(let key): MessageVerificationKey(.ed25519(key.publicKey))
        case .ecdsaP256(let key): MessageVerificationKey(.ecdsaP256(key.publicKey))
        case .hmacSHA256(let key): MessageVerificationKey(.hmacSHA256(key))
        }
    }

    func signature(of text: String) throws -> Data {
        let bytes = Data(text.utf8)
        switch value {
        case .ed25519(let key): return Data(try key.signature(for: bytes))
        case .ecdsaP256(let key): return try key.signature(for: bytes).rawRepresentation
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

/// A public key, or a secret, that verifies signatures.
public struct MessageVerificationKey: Sendable {
    enum Value: Sendable {
        case ed25519(Curve25519.Signing.PublicKey)
        case ecdsaP256(P256.Signing.PublicKey)
        case hmacSHA256(SymmetricKey)
    }

    private let value: Value

    init(_ value: Value) { self.value = value }

    /// Creates a key from its bytes.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm.
    ///   - bytes: For Ed25519 32 bytes; for P-256 64 bytes, or 65 that begin with 4; for HMAC a secret of at least 16
    ///     bytes.
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
            case .hmacSHA256: value = .hmacSHA256(try MessageKeyText.secret(bytes))
            }
        } catch {
            throw MessageSignatureError(.malformed, "the bytes are not a public key for \(algorithm.rawValue)")
        }
    }

    /// Creates a key from PEM text: `PUBLIC KEY` of Ed25519 or P-256.
    ///
    /// - Parameter text: The text.
    /// - Throws: ``MessageSignatureError`` if it is not such a key.
    public init(pem text: String) throws {
        if let bytes = MessageKeyText.ed25519(text, isPrivate: false) {
            try self.init(.ed25519, bytes: bytes)
        } else if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            self.init(.ecdsaP256(key))
        } else {
            throw MessageSignatureError(.malformed, "the text is not a PEM public key of Ed25519 or P-256")
        }
    }

    /// The algorithm.
    public var algorithm: MessageSignatureAlgorithm {
        switch value {
        case .ed25519: .ed25519
        case .ecdsaP256: .ecdsaP256
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

/// The forms of keys that the cryptography library does not parse.
enum MessageKeyText {
    private static let minimumSecretBytes = 16
    private static let maximumTextBytes = 16 * 1024

    static func secret(_ bytes: Data) throws(MessageSignatureError) -> SymmetricKey {
        guard bytes.count >= minimumSecretBytes else {
            throw MessageSignatureError(.malformed, "the secret has fewer than \(minimumSecretBytes) bytes")
        }
        return SymmetricKey(data: bytes)
    }

    /// Returns the bytes of an Ed25519 key in PEM (RFC 8410); `nil` for any other text.
    static func ed25519(_ text: String, isPrivate: Bool) -> Data? {
        guard text.utf8.count <= maximumTextBytes else { return nil }
        let label = isPrivate ? "PRIVATE KEY" : "PUBLIC KEY"
        guard let start = text.firstRange(of: "-----BEGIN \(label)-----") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.firstRange(of: "-----END \(label)-----") else { return nil }
        guard let der = Data(base64Encoded: String(rest[..<end.lowerBound].filter { !$0.isWhitespace })) else {
            return nil
        }
        // The structures have a fixed length, so the key follows a fixed beginning.
        let head: [UInt8] =
            isPrivate
            ? [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
            : [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
        guard der.count == head.count + 32, der.starts(with: head) else { return nil }
        return Data(der.suffix(32))
    }
}
