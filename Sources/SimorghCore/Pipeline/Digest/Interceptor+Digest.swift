// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

extension Authentication {
    /// Authenticates with a user name and a password that are never sent: each request proves them by a hash (RFC
    /// 7616).
    ///
    /// The first request to a server is rejected with a challenge and sent again with credentials; later requests send
    /// credentials at once. If the body cannot be sent again, the first request stays rejected. Of several challenges
    /// the strongest is used: SHA-256, then MD5, with session variants, `auth` and `auth-int`.
    ///
    /// Credentials are valid for one request: each retry, redirect to the same origin and hedged attempt has its own,
    /// and ``APIClient/Configuration/Resilience/coalescesRequests`` has no effect.
    ///
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    /// - Returns: The authentication. Clients that share it share the challenges of servers.
    public static func digest(username: String, password: String) -> Authentication {
        let step = Interceptor.digest(username: username, password: password)
        return Authentication("digest", isPerAttempt: true, owner: { username }) { step }
    }
}

extension Interceptor {
    /// Returns a step that responds to Digest challenges (RFC 7616), unless a request sets `Authorization`.
    ///
    /// - Parameters:
    ///   - username: The user name. A name with a line break makes every request fail.
    ///   - password: The password.
    /// - Returns: The step.
    package static func digest(username: String, password: String) -> Interceptor {
        digest(username: username, password: password) {
            var generator = SystemRandomNumberGenerator()
            return Hex.encoded((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
    }

    package static func digest(
        username: String, password: String, newNonce: @escaping @Sendable () -> String
    ) -> Interceptor {
        let authenticator = DigestAuthenticator(username: username, password: password, newNonce: newNonce)
        return Interceptor { request, next in
            guard request.options.allowsAuthentication, !request.head.headerFields.contains(.authorization),
                let origin = WebOrigin(request.head)
            else { return try await next(request) }
            return try await authenticator.send(request, to: origin, next: next)
        }
    }
}

/// A user name and password with the stored challenges of servers.
private final class DigestAuthenticator: Sendable {
    /// The maximum number of resends of a request: one for the challenge, one for a nonce that is stale by then.
    private static let maximumResends = 2

    private let username: String
    private let password: String
    private let newNonce: @Sendable () -> String
    private let sessions = Mutex(DigestSessions())

    init(username: String, password: String, newNonce: @escaping @Sendable () -> String) {
        self.username = username
        self.password = password
        self.newNonce = newNonce
    }

    func send(
        _ request: TransportRequest, to origin: WebOrigin, next: Interceptor.Next
    ) async throws -> TransportResponse {
        try HeaderRules.check(value: username, of: "Authorization")
        let target = request.head.path ?? "/"
        var use: DigestSessions.Use?
        // `auth-int` reads the body, so a body that can be read only once is sent without credentials.
        if let known = sessions.withLock({ $0.use(for: target, at: origin, newNonce: newNonce) }),
            known.challenge.quality != .authInt || request.body.replayability != .once
        {
            use = known
        }
        var resends = 0
        while true {
            var response = try await next(try await addingCredentials(for: use, to: request, target: target))
            response.attempts += resends
            guard response.isFromOrigin(of: request.head) else { return response }
            guard response.head.status == .unauthorized else {
                if let use { storeNextNonce(of: response, after: use, at: origin) }
                return response
            }
            let fields = response.head.headerFields[values: .wwwAuthenticate]
            let challenge = DigestChallenge.strongest(AuthenticationChallenge.parse(fields), origin: origin)
            if let use, challenge?.isStale != true {
                sessions.withLock { $0.forget(use.challenge, at: origin) }
                // Rejected new credentials mean a wrong user name or password; stored ones may only be outdated.
                if resends > 0 || challenge?.nonce == use.challenge.nonce { return response }
            }
            guard let challenge, resends < Self.maximumResends,
                response.allowsReplay(of: request, wasRejectedBeforeProcessing: true)
            else {
                return response
            }
            // Drains and releases the body, so that the next request can reuse the connection.
            await response.finish(request.options.call?.time ?? .system)
            response.body = .empty
            resends += 1
            use = sessions.withLock { $0.use(challenge, at: origin, newNonce: newNonce) }
        }
    }

    private func addingCredentials(
        for use: DigestSessions.Use?, to request: TransportRequest, target: String
    ) async throws -> TransportRequest {
        guard let use else { return request }
        let answer = DigestCredentials(
            username: username, password: password, challenge: use.challenge, count: use.count,
            clientNonce: use.clientNonce)
        let bodyHash =
            use.challenge.quality == .authInt ? try await hash(of: request.body, use.challenge.algorithm) : ""
        let value = answer.value(method: request.head.method.rawValue, target: target, bodyHash: bodyHash)
        var request = request
        request.head.headerFields[.authorization] = value
        return request
    }

    private func hash(of body: RequestBody, _ algorithm: DigestAlgorithm) async throws -> String {
        var hasher = DigestHasher(algorithm)
        if let bytes = body.bytes {
            hasher.update(bytes)
        } else if case .chunks(let makeIterator) = body.content {
            var iterator = makeIterator()
            while let chunk = try await iterator.next(isolation: nil) { hasher.update(chunk) }
        }
        return hasher.finalize()
    }

    /// Stores the nonce that the server sent for the next request.
    private func storeNextNonce(of response: TransportResponse, after use: DigestSessions.Use, at origin: WebOrigin) {
        guard let name = HTTPField.Name("Authentication-Info"), let info = response.head.headerFields[name],
            let next = AuthenticationChallenge.parameters(info)["nextnonce"], !next.isEmpty
        else { return }
        sessions.withLock { $0.replace(use.challenge.nonce, with: next, at: origin, newNonce: newNonce) }
    }
}
