// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore
import SimorghSupport

extension Authentication {
    /// Authenticates each request with a token that is bound to a key, and with a proof of possession (RFC 9449).
    ///
    /// Every attempt has a proof of its own. A request that is rejected because the server wants a nonce is sent again,
    /// once, if its body allows it. The token is refreshed as by ``/SimorghCore/Authentication/refreshing(_:)``.
    ///
    /// ``OAuthClient/authentication(_:)`` uses the key of the token's client.
    ///
    /// - Parameters:
    ///   - token: The token, of a client with the same key.
    ///   - key: The key.
    /// - Returns: The authentication.
    public static func dpop(_ token: RefreshingToken, key: DPoPKey) -> Authentication {
        let prefix = "DPoP "
        let current: @Sendable (AccessToken) throws -> Credential = { token in
            try HeaderRules.check(value: token.value, of: "Authorization")
            return Credential(prefix + token.value, expiration: token.expiration)
        }
        return Authentication("DPoP", isPerAttempt: true) {
            var tokens = TokenRefresh(choose: { _, limit in try await token.current(within: limit).map(current) }) {
                _ in
                try await token.renew().map { .credential(try current($0)) } ?? .none
            }
            // The token is good: refreshing it would not help, and can rotate its refresh token.
            tokens.isRejection = { !DPoPKey.asksForNonce($0) }
            tokens.leeway = token.leeway
            tokens.pause = token.pause
            let refreshing = Interceptor.refreshing(tokens, gate: token.gate)
            return Interceptor { request, next in
                try await refreshing.handle(request) { request in
                    guard let value = request.head.headerFields[.authorization], value.hasPrefix(prefix) else {
                        return try await next(request)
                    }
                    return try await key.send(request, token: String(value.dropFirst(prefix.count)), next: next)
                }
            }
        }
    }
}

extension DPoPKey {
    /// Returns true if a response rejects the nonce of a proof (RFC 9449, section 9).
    fileprivate static func asksForNonce(_ response: TransportResponse) -> Bool {
        response.head.status == .unauthorized
            && response.head.headerFields[values: .wwwAuthenticate].contains { $0.contains("use_dpop_nonce") }
    }

    /// Sends a request with a proof, and again if the server asks for a nonce.
    fileprivate func send(
        _ request: TransportRequest, token: String, next: Interceptor.Next
    ) async throws -> TransportResponse {
        let url = request.urlString
        let used = nonce(for: url)
        var response = try await next(proven(request, token: token, nonce: used))
        guard response.isFromOrigin(of: request.head), let field = HTTPField.Name("DPoP-Nonce"),
            let nonce = response.head.headerFields[field]
        else { return response }
        keep(nonce: nonce, for: url)
        guard Self.asksForNonce(response), self.nonce(for: url) != used,
            response.allowsReplay(of: request, wasRejectedBeforeProcessing: true)
        else { return response }
        // Releasing the body ends its exchange.
        response.body = .empty
        return try await next(proven(request, token: token, nonce: self.nonce(for: url)))
    }

    private func proven(
        _ request: TransportRequest, token: String, nonce: String?
    ) throws(OAuthError) -> TransportRequest {
        guard let field = HTTPField.Name("DPoP") else { return request }
        var request = request
        let now = request.options.call?.time.now ?? TimeSource.system.now
        request.head.headerFields[field] = try proof(
            method: request.head.method.rawValue, url: request.urlString, at: now, nonce: nonce, token: token)
        return request
    }
}
