// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import SimorghCore
public import SimorghSupport
import Synchronization

/// A key that proves possession of a token (DPoP, RFC 9449), on the curve P-256.
///
/// ```swift
/// let key = DPoPKey()
/// let oauth = try OAuthClient(id: "tour", server: server, proof: key, over: client)
/// let token = oauth.refreshingToken(.clientCredentials())
/// let signedIn = client.with { $0.authentication = .dpop(token, key: key) }
/// ```
/// A copy of a token is useless without the key. After a restart, a saved token and its refresh token need the same key:
/// store ``rawRepresentation`` beside them, as safely as a password. The client of the tokens and
/// ``/SimorghOAuth/SimorghCore/Authentication/dpop(_:key:)`` have to use the same key. The key keeps the nonces of at most 64 servers,
/// the latest ones.
public final class DPoPKey: Sendable {
    /// A kind of server, each of which has nonces of its own, even on one origin (RFC 9449, sections 8 and 9).
    package enum NonceRole: String, Sendable {
        case authorizationServer, resource
    }

    private static let maximumNonces = 64
    /// The longest accepted nonce, in bytes.
    private static let maximumNonceBytes = 1024

    private let key: P256.Signing.PrivateKey
    private let jwk: [String: JSON]
    /// The nonces by kind and origin of the server.
    private let nonces = Mutex(OriginLRU<String>(capacity: DPoPKey.maximumNonces))

    /// Creates a random key.
    public convenience init() { self.init(P256.Signing.PrivateKey()) }

    /// Creates a key from its bytes, such as for a refresh token of an earlier run.
    ///
    /// - Parameter rawRepresentation: The 32 bytes of ``rawRepresentation``.
    /// - Throws: ``OAuthError`` if the bytes are not a key.
    public convenience init(rawRepresentation: Data) throws {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: rawRepresentation) else {
            throw OAuthError(.signingFailed, message: "the bytes are not a private key of P-256")
        }
        self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        let point = key.publicKey.rawRepresentation
        jwk = [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.text(point.prefix(32))),
            "y": .string(Base64URL.text(point.suffix(32))),
        ]
    }

    /// The bytes of the private key, which must be stored as safely as a password.
    public var rawRepresentation: Data { key.rawRepresentation }

    /// The thumbprint of the public key (RFC 7638), by which servers name it.
    public var thumbprint: String {
        get throws { try Self.thumbprint(of: jwk) }
    }

    /// Returns the thumbprint of a public key.
    ///
    /// - Parameter jwk: The required members of the key, and no others.
    /// - Returns: The thumbprint.
    /// - Throws: An error if a member cannot be encoded.
    package static func thumbprint(of jwk: [String: JSON]) throws -> String {
        Base64URL.text(SHA256.hash(data: try JSON.object(jwk).data()))
    }

    /// Returns a proof for one request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: The URL; the proof leaves out its query and fragment.
    ///   - now: The current date.
    ///   - nonce: The nonce of the server.
    ///   - token: The access token that the request carries.
    /// - Returns: The value of the field `DPoP`.
    /// - Throws: An error if the key could not sign.
    package func proof(
        method: String, url: String, at now: Date, nonce: String?, token: String? = nil
    ) throws(OAuthError) -> String {
        var claims: [String: JSON] = [
            "jti": .string(Base64URL.random()), "htm": .string(method),
            "htu": .string(String(url.prefix { $0 != "?" && $0 != "#" })),
            "iat": .number(.init(now.timeIntervalSince1970.rounded(.down))),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        if let token { claims["ath"] = .string(Base64URL.text(SHA256.hash(data: Data(token.utf8)))) }
        do {
            let header: [String: JSON] = ["typ": "dpop+jwt", "alg": "ES256", "jwk": .object(jwk)]
            let input = try Base64URL.signingInput(header: header, claims: claims)
            let signature = try key.signature(for: Data(input.utf8)).rawRepresentation
            return input + "." + Base64URL.text(signature)
        } catch {
            throw OAuthError(.signingFailed, message: "the proof of possession could not be signed", underlying: error)
        }
    }

    private static func slot(_ url: String, _ role: NonceRole) -> String? {
        WebOrigin(url).map { "\(role.rawValue) \($0)" }
    }

    /// The nonce that the server of a URL sent last.
    package func nonce(for url: String, role: NonceRole = .resource) -> String? {
        guard let slot = Self.slot(url, role) else { return nil }
        return nonces.withLock { $0.peek(slot) }
    }

    /// Keeps a nonce; ignores one that a server must not send.
    package func keep(nonce: String, for url: String, role: NonceRole = .resource) {
        guard let slot = Self.slot(url, role), (1...Self.maximumNonceBytes).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        else { return }
        nonces.withLock { nonces in nonces.update(slot, default: { nonce }) { $0 = nonce } }
    }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
    /// A description without the key.
    public var description: String { "DPoP key" }

    /// An empty mirror, so that dumping a value does not reveal the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
