// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghSupport

/// An assertion about a user or a service, for ``OAuthGrant/jwtBearer(_:scopes:)`` (RFC 7523).
///
/// ```swift
/// let key = try JWTSigningKey.rs256(pem: pem, keyID: "2026")
/// let assertion = JWTAssertion(
///     issuer: "tour@birds.example.com", audience: "https://auth.example.com/token", claims: ["scope": "birds"])
/// let token = oauth.refreshingToken(grant: { .jwtBearer(try await assertion.signed(by: key)) })
/// ```
public struct JWTAssertion: Sendable {
    /// The party that signs.
    public var issuer: String
    /// The user or the service that the token is for.
    public var subject: String
    /// The name by which the server knows itself, often the URL of its token endpoint.
    public var audience: String
    /// The time for which the assertion is valid.
    ///
    /// Default: 2 minutes. From 1 second to 1 day.
    public var lifetime = Duration.seconds(120)
    /// The time by which the clock of the server may be behind.
    ///
    /// Default: 30 seconds, at most 1 hour. The assertion says that it was issued that much earlier.
    public var clockSkew = Duration.seconds(30)
    /// Further claims; they do not replace the others.
    public var claims: [String: JSON]

    /// Creates an assertion.
    ///
    /// - Parameters:
    ///   - issuer: The party that signs.
    ///   - subject: The user or the service that the token is for; `nil` for the issuer itself.
    ///   - audience: The name by which the server knows itself.
    ///   - claims: Further claims.
    public init(issuer: String, subject: String? = nil, audience: String, claims: [String: JSON] = [:]) {
        self.issuer = issuer
        self.subject = subject ?? issuer
        self.audience = audience
        self.claims = claims
    }

    /// Returns the signed assertion, with an identifier of its own.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - time: The clock. Default: the system's.
    /// - Returns: The assertion in its compact form.
    /// - Throws: ``OAuthError`` if the key could not sign, or if the lifetime or the clock skew is out of bounds.
    public func signed(by key: JWTSigningKey, time: TimeSource = .system) async throws -> String {
        try await text(key: key, at: time.now)
    }

    func text(key: JWTSigningKey, at now: Date) async throws(OAuthError) -> String {
        guard lifetime >= .seconds(1), lifetime <= .seconds(86_400), clockSkew >= .zero, clockSkew <= .seconds(3600)
        else {
            throw OAuthError(
                .signingFailed,
                message: "an assertion has a lifetime from 1 second to 1 day, and a clock skew of at most 1 hour")
        }
        let seconds = now.timeIntervalSince1970
        let own: [String: JSON] = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience),
            "iat": .number(.init((seconds - clockSkew / .seconds(1)).rounded(.down))),
            "exp": .number(.init((seconds + lifetime / .seconds(1)).rounded(.down))),
            "jti": .string(Base64URL.random()),
        ]
        return try await key.token(claims.merging(own) { $1 }, header: ["typ": "JWT"])
    }
}

/// The assertion by which a client proves its identity (RFC 7523, section 2.2).
enum ClientAssertion {
    static func text(
        client: String, audience: String, key: JWTSigningKey, at now: Date
    ) async throws(OAuthError) -> String {
        try await JWTAssertion(issuer: client, audience: audience).text(key: key, at: now)
    }
}
