// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// The method by which a client proves its identity to the authorization server.
public struct OAuthClientAuthentication: Sendable {
    enum Method: Sendable {
        case none
        case basic(secret: String)
        case post(secret: String)
        case assertion(JWTSigningKey, audience: String?)
        case mutualTLS(TLSIdentity)
    }

    let method: Method

    private init(_ method: Method) { self.method = method }

    /// No proof, for a public client such as a program that users install.
    public static let none = OAuthClientAuthentication(.none)

    /// The client secret in `Authorization: Basic` (`client_secret_basic`).
    ///
    /// - Parameter secret: The secret.
    /// - Returns: The authentication.
    public static func basic(secret: String) -> OAuthClientAuthentication { .init(.basic(secret: secret)) }

    /// The client secret as a field of the form (`client_secret_post`).
    ///
    /// - Parameter secret: The secret.
    /// - Returns: The authentication.
    public static func post(secret: String) -> OAuthClientAuthentication { .init(.post(secret: secret)) }

    /// A signed assertion (`private_key_jwt`, RFC 7523), valid for one request and two minutes.
    ///
    /// - Parameters:
    ///   - key: The private key of the client.
    ///   - audience: The name by which the server knows itself; `nil` for its issuer, or for the URL of the endpoint if
    ///     the issuer is unknown.
    /// - Returns: The authentication.
    public static func privateKeyJWT(_ key: JWTSigningKey, audience: String? = nil) -> OAuthClientAuthentication {
        .init(.assertion(key, audience: audience))
    }

    /// The certificate of the TLS connection (`tls_client_auth` and `self_signed_tls_client_auth`, RFC 8705).
    ///
    /// Requests go to ``OAuthServer/mutualTLSEndpoints`` if the server has them.
    ///
    /// - Parameter identity: The certificate with its key. Give it to the client of the API, too, if the tokens are
    ///   bound to it.
    /// - Returns: The authentication.
    public static func mutualTLS(_ identity: TLSIdentity) -> OAuthClientAuthentication { .init(.mutualTLS(identity)) }
}

extension OAuthClientAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the method, without the secret.
    public var description: String {
        switch method {
        case .none: "none"
        case .basic: "client_secret_basic"
        case .post: "client_secret_post"
        case .assertion: "private_key_jwt"
        case .mutualTLS: "tls_client_auth"
        }
    }

    /// The name of the method, without the secret.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
