// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension Authentication {
    /// Authenticates with a token that is refreshed shortly before it expires and when a server responds with 401.
    ///
    /// - Parameter token: The token. Clients that share it share its refreshes.
    /// - Returns: The authentication.
    public static func refreshing(_ token: RefreshingToken) -> Authentication {
        Authentication("refreshing bearer") {
            let current: @Sendable (WaitLimit?) async throws -> Credential? = { limit in
                try await token.current(within: limit).map { token throws(InvalidRequestError) in
                    try Credential(bearer: token)
                }
            }
            var tokens = TokenRefresh(choose: { _, limit in try await current(limit) }) { _ in
                try await token.renew().map { .credential(try Credential(bearer: $0)) } ?? .none
            }
            tokens.leeway = token.leeway
            tokens.pause = token.pause
            return .refreshing(tokens, gate: token.gate)
        }
    }
}

/// The gate at which requests wait for a token refresh.
package typealias RefreshGate = SingleFlight<RefreshResult>

extension SingleFlight where Value == RefreshResult {
    /// Creates a gate whose refresh continues for 30 seconds after its last waiter has left.
    ///
    /// A server with rotating tokens may already have replaced the token: a second refresh would send the old one.
    package static func forRefreshes() -> RefreshGate { RefreshGate(grace: .seconds(30)) }
}

extension Interceptor {
    /// Returns a step that adds a credential; if it is rejected, refreshes it and sends the request again, once.
    ///
    /// Requests that used the same credential share one refresh.
    ///
    /// - Parameters:
    ///   - tokens: The source of credentials.
    ///   - gate: The gate at which requests wait for a refresh.
    /// - Returns: The step.
    package static func refreshing(_ tokens: TokenRefresh, gate: RefreshGate) -> Interceptor {
        let exchange = RefreshExchange(tokens: tokens, gate: gate)
        return Interceptor { request, next in
            // The requests of the refresh itself are sent without the token, since some servers reject an expired token
            // before they process the request; they must not wait for their own refresh either.
            guard request.options.allowsAuthentication, !gate.isInside else { return try await next(request) }
            return try await exchange.send(request, next: next)
        }
    }
}

/// The handling of one request with refreshable credentials.
private struct RefreshExchange: Sendable {
    let tokens: TokenRefresh
    let gate: RefreshGate

    func send(_ request: TransportRequest, next: Interceptor.Next) async throws -> TransportResponse {
        let own = request.head.headerFields[tokens.field]
        guard own == nil || !tokens.keepsOwn, !tokens.restrictsToBaseURL || request.isForBase else {
            return try await next(request)
        }
        var limit = WaitLimit(request)
        if request.isCacheOnly {
            // The credential, even an expired one, only selects the cache partition: it is not sent to a server.
            return try await next(adding(try await tokens.choose(own, limit), to: request))
        }
        let report = WaitReport(request, cause: .tokenRefresh)
        defer { report?.end() }
        let admission = try await gate.pass(within: limit, report: report)
        report?.end()
        if let outcome = admission.outcome { _ = try value(of: outcome) }
        var used = try await tokens.choose(own, limit)
        if tokens.isDue(used, at: request.now) {
            used = try await replaced(used, of: request, in: admission.epoch, within: limit, report: report)
            report?.end()
        }
        // Read after the credential: a credential that was replaced in between is detected by comparison below.
        let epoch = gate.epoch
        var response = try await next(adding(used, to: request))
        guard tokens.statusCodes.contains(response.head.status.code), tokens.isRejection(response),
            response.isFromOrigin(of: request.head),
            response.allowsReplay(of: request, wasRejectedBeforeProcessing: true)
        else { return response }
        limit?.isSent = true
        response = await response.buffered(request.options.call?.time ?? .system, upTo: request.options.bufferingLimit)
        guard
            let other = try await successor(of: used, for: request, own: own, in: epoch, within: limit, report: report)
        else { return response }
        report?.end()
        // Releasing the body ends its exchange.
        response.body = .empty
        return try await next(adding(other, to: request))
    }

    /// Returns the credential with which to send a rejected request again; `nil` to return the rejection.
    private func successor(
        of refused: Credential?, for request: TransportRequest, own: String?, in epoch: Int, within limit: WaitLimit?,
        report: WaitReport?
    ) async throws -> Credential? {
        // The credential may have been replaced while the request was in flight.
        if let other = try await tokens.choose(own, limit), other != refused, !tokens.isEnding(other, at: request.now) {
            return other
        }
        let outcome = try await gate.outcome(refusedIn: epoch, within: limit, report: report) { [tokens] in
            try await tokens.refresh(refused)
        }
        switch try value(of: outcome) {
        case .none: return nil
        case .credential(let credential):
            tokens.forget(refused)
            return credential
        case .renewed:
            // Never the result of another request's source: it may belong to another user.
            guard let renewed = try await tokens.choose(own, limit), renewed != refused else { return nil }
            return renewed
        // The old credential is still good for other requests, but this request was rejected with it.
        case .postponed(let error): throw TokenRefreshError(underlying: error)
        }
    }

    /// Returns a replacement for a credential that is about to expire.
    private func replaced(
        _ ending: Credential?, of request: TransportRequest, in epoch: Int, within limit: WaitLimit?,
        report: WaitReport?
    ) async throws -> Credential? {
        let outcome = try await gate.outcome(refusedIn: epoch, within: limit, report: report) { [tokens] in
            do {
                let refreshed = try await tokens.refresh(ending)
                switch refreshed {
                // A new credential that is about to expire, too, would be replaced before every request.
                case .none: tokens.pause.begin(at: request.now)
                case .credential(let other) where tokens.isEnding(other, at: request.now):
                    tokens.pause.begin(at: request.now)
                case .credential, .renewed, .postponed: tokens.pause.end()
                }
                return refreshed
            } catch {
                tokens.pause.begin(at: request.now)
                // The old credential remains usable until it expires.
                guard ending?.hasEnded(at: request.now) == false else { throw error }
                return .postponed(error)
            }
        }
        if case .failure = outcome, ending?.hasEnded(at: request.now) == false {
            // The failed refresh was for a rejected credential of another request.
            return ending
        }
        switch try value(of: outcome) {
        case .credential(let credential):
            tokens.forget(ending)
            return credential
        case .renewed, .none: return ending
        case .postponed(let error):
            guard ending?.hasEnded(at: request.now) == false else { throw TokenRefreshError(underlying: error) }
            return ending
        }
    }

    private func adding(_ credential: Credential?, to request: TransportRequest) throws -> TransportRequest {
        guard let credential else { return request }
        try HeaderRules.check(value: credential.value, of: tokens.field.rawName)
        var request = request
        request.head.headerFields[tokens.field] = credential.value
        request.markCredential(tokens.field)
        return request
    }

    private func value(of outcome: RefreshGate.Outcome) throws -> RefreshResult {
        switch outcome {
        case .success(let refreshed): return refreshed
        case .failure(let error):
            // A cancelled task throws `CancellationError`. Any other task reports a failed refresh, even if the refresh
            // itself was cancelled.
            try Task.checkCancellation()
            throw TokenRefreshError(underlying: error)
        }
    }
}
