// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import CryptoExtras
import SimorghCore
public import SimorghSupport

/// A private key that signs JSON web tokens (RFC 7515).
public struct JWTSigningKey: Sendable {
    /// A larger RSA key would need seconds for each signature.
    private static let maximumRSABits = 8192
    /// The largest signature, in bytes.
    private static let maximumSignatureBytes = 4 * 1024

    /// The name of the algorithm, such as `ES256`.
    public let algorithm: String
    /// The identifier of the key; `nil` if the server knows only one.
    public let keyID: String?
    private let sign: @Sendable (Data) async throws -> Data

    /// Creates a key that is kept elsewhere, such as in a hardware module or a key service.
    ///
    /// - Parameters:
    ///   - algorithm: The name of the algorithm, such as `ES256`.
    ///   - keyID: The identifier of the key.
    ///   - sign: Signs bytes, and returns the signature in the form of RFC 7518: for ES256, two numbers of 32 bytes.
    public init(algorithm: String, keyID: String? = nil, sign: @escaping @Sendable (Data) async throws -> Data) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.sign = sign
    }

    /// Creates a key on the curve P-256 (ES256).
    ///
    /// - Parameters:
    ///   - pem: The private key in PEM, of PKCS #8 or SEC 1.
    ///   - keyID: The identifier of the key.
    /// - Returns: The key.
    /// - Throws: ``OAuthError`` if the text is not such a key.
    public static func es256(pem: String, keyID: String? = nil) throws -> JWTSigningKey {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { throw unreadable("P-256") }
        return JWTSigningKey(algorithm: "ES256", keyID: keyID) { try key.signature(for: $0).rawRepresentation }
    }

    /// Creates a key on the curve Ed25519 (EdDSA).
    ///
    /// - Parameters:
    ///   - pem: The private key in PEM, of PKCS #8.
    ///   - keyID: The identifier of the key.
    /// - Returns: The key.
    /// - Throws: ``OAuthError`` if the text is not such a key.
    public static func edDSA(pem: String, keyID: String? = nil) throws -> JWTSigningKey {
        guard let bytes = PEMKey.ed25519(pem, isPrivate: true),
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        else { throw unreadable("Ed25519") }
        return JWTSigningKey(algorithm: "EdDSA", keyID: keyID) { try key.signature(for: $0) }
    }

    /// Creates an RSA key of 2048 to 8192 bits (RS256).
    ///
    /// - Parameters:
    ///   - pem: The private key in PEM, of PKCS #8 or PKCS #1.
    ///   - keyID: The identifier of the key.
    /// - Returns: The key.
    /// - Throws: ``OAuthError`` if the text is not such a key.
    public static func rs256(pem: String, keyID: String? = nil) throws -> JWTSigningKey {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem), key.keySizeInBits <= maximumRSABits else {
            throw unreadable("RSA, of 2048 to 8192 bits")
        }
        return JWTSigningKey(algorithm: "RS256", keyID: keyID) {
            try key.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    private static func unreadable(_ kind: String) -> OAuthError {
        OAuthError(.signingFailed, message: "the text is not a private key in PEM (\(kind))")
    }

    /// Returns a signed token.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - header: The header, without the algorithm and the identifier of the key.
    /// - Returns: The token in its compact form.
    /// - Throws: An error without the key.
    func token(_ claims: [String: JSON], header: [String: JSON]) async throws(OAuthError) -> String {
        var header = header
        header["alg"] = .string(algorithm)
        if let keyID { header["kid"] = .string(keyID) }
        do {
            let input = try Base64URL.signingInput(header: header, claims: claims)
            let signature = try await sign(Data(input.utf8))
            guard (1...Self.maximumSignatureBytes).contains(signature.count) else {
                throw OAuthError(.signingFailed, message: "the signature is empty, or longer than 4 KiB")
            }
            return input + "." + Base64URL.text(signature)
        } catch let error as OAuthError {
            throw error
        } catch {
            throw OAuthError(.signingFailed, message: "the token could not be signed", underlying: error)
        }
    }
}

extension JWTSigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The algorithm, without the key.
    public var description: String { "\(algorithm) key" }

    /// The algorithm, without the key.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
