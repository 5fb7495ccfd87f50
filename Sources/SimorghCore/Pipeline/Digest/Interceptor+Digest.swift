// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

extension Authentication {
    /// A name and a password that never leave this machine: each request proves them by a hash (RFC 7616).
    ///
    /// The first request to a server is refused and sent again with the answer to its challenge; later ones bring theirs
    /// at once. A body that cannot be sent again leaves the first one refused. Of several challenges the strongest is
    /// answered: SHA-256, MD5, with sessions, `auth` and `auth-int`.
    ///
    /// An answer is for one request: each retry, redirect to the same origin and hedged attempt has its own, and
    /// ``APIClient/Configuration/Resilience/coalescesRequests`` has no effect.
    ///
    /// - Parameters:
    ///   - username: The name.
    ///   - password: The password.
    /// - Returns: The authentication; clients that share it share what is known of servers.
    public static func digest(username: String, password: String) -> Authentication {
        let step = Interceptor.digest(username: username, password: password)
        return Authentication("digest", isPerAttempt: true, owner: { username }) { step }
    }
}

extension Interceptor {
    /// Answers the challenges of Digest (RFC 7616), for requests without an `Authorization` of their own.
    ///
    /// - Parameters:
    ///   - username: The name; one with a line break makes every request fail.
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
        let flow = DigestFlow(username: username, password: password, newNonce: newNonce)
        return Interceptor { request, next in
            guard request.options.allowsAuthentication, !request.head.headerFields.has(.authorization),
                let origin = WebOrigin(request.head)
            else { return try await next(request) }
            return try await flow.send(request, to: origin, next)
        }
    }
}

/// A name, a password, and what is known of servers.
private final class DigestFlow: Sendable {
    /// How often a request is sent again: for the challenge, and for a nonce that was too old by then.
    private static let maximumAnswers = 2

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
        _ request: TransportRequest, to origin: WebOrigin, _ next: Interceptor.Next
    ) async throws -> TransportResponse {
        try HeaderRules.check(value: username, of: "Authorization")
        let target = request.head.path ?? "/"
        var use: DigestSessions.Use?
        // An answer that covers the body reads it, so one that can be read once waits for a challenge it cannot answer.
        if let known = sessions.withLock({ $0.use(for: target, at: origin, newNonce: newNonce) }),
            known.challenge.quality != .authInt || request.body.replayability != .once
        {
            use = known
        }
        var answers = 0
        while true {
            var response = try await next(try await answering(use, request, target))
            response.attempts += answers
            guard response.isFromOrigin(of: request.head) else { return response }
            guard response.head.status == .unauthorized else {
                if let use { note(response, use, origin) }
                return response
            }
            let fields = response.head.headerFields[values: .wwwAuthenticate]
            let challenge = DigestChallenge.strongest(AuthenticationChallenge.parse(fields), origin: origin)
            if let use, challenge?.isStale != true {
                sessions.withLock { $0.forget(use.challenge, at: origin) }
                // A fresh answer that is refused is a wrong name or password; a remembered one may be out of date.
                if answers > 0 || challenge?.nonce == use.challenge.nonce { return response }
            }
            guard let challenge, answers < Self.maximumAnswers,
                response.allowsReplay(of: request, isTurnedAway: true)
            else {
                return response
            }
            // Read to its end, so that the next request can have the connection, and let go of.
            await response.finish(request.options.call?.time ?? .system)
            response.body = .empty
            answers += 1
            use = sessions.withLock { $0.use(challenge, at: origin, newNonce: newNonce) }
        }
    }

    private func answering(
        _ use: DigestSessions.Use?, _ request: TransportRequest, _ target: String
    ) async throws -> TransportRequest {
        guard let use else { return request }
        let answer = DigestAnswer(
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

    /// Takes the nonce that a server wants to see next.
    private func note(_ response: TransportResponse, _ use: DigestSessions.Use, _ origin: WebOrigin) {
        guard let name = HTTPField.Name("Authentication-Info"), let info = response.head.headerFields[name],
            let next = AuthenticationChallenge.parameters(info)["nextnonce"], !next.isEmpty
        else { return }
        sessions.withLock { $0.replace(use.challenge.nonce, with: next, at: origin, newNonce: newNonce) }
    }
}
