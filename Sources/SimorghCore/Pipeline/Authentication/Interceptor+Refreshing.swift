// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// The gate of those that wait for one refresh.
package typealias RefreshGate = EpochGate<Refreshed>

extension EpochGate where Value == Refreshed {
    /// A gate whose refresh goes on for half a minute when all who waited have left: a server that replaces tokens has
    /// perhaps replaced this one already, and a second refresh beside it would come with the old one.
    package static func forRefreshes() -> RefreshGate { RefreshGate(grace: .seconds(30)) }
}

extension Interceptor {
    /// Gives each request a credential; when one is refused, gets a new one, once for all who used it, and sends each of
    /// their requests again, once.
    ///
    /// - Parameters:
    ///   - tokens: Where credentials come from.
    ///   - gate: Where requests wait for a refresh.
    /// - Returns: The step.
    package static func refreshing(_ tokens: TokenRefresh, gate: RefreshGate) -> Interceptor {
        let flow = RefreshFlow(tokens: tokens, gate: gate)
        return Interceptor { request, next in
            // What the refresh itself sends goes without the token, which some servers refuse before they look at
            // anything else, and cannot wait for the refresh's end.
            guard request.options.allowsAuthentication, !gate.isInside else { return try await next(request) }
            return try await flow.send(request, next)
        }
    }
}

/// One request's way through a refresh.
private struct RefreshFlow: Sendable {
    let tokens: TokenRefresh
    let gate: RefreshGate

    func send(_ request: TransportRequest, _ next: Interceptor.Next) async throws -> TransportResponse {
        let own = request.head.headerFields[tokens.field]
        guard own == nil || !tokens.keepsOwn, !tokens.holdsToBase || request.isForBase else {
            return try await next(request)
        }
        var limit = WaitLimit(request)
        if request.isCacheOnly {
            // Whose answer is meant the credential of now tells, be it over: no server is to see it.
            return try await next(carrying(try await tokens.choose(own, limit), request))
        }
        let report = WaitReport(request, .tokenRefresh)
        defer { report?.end() }
        let passage = try await gate.pass(within: limit, telling: report)
        report?.end()
        if let outcome = passage.outcome { _ = try value(of: outcome) }
        var used = try await tokens.choose(own, limit)
        if tokens.isDue(used, at: request.now) {
            used = try await replaced(used, of: request, in: passage.epoch, within: limit, report)
            report?.end()
        }
        // Asked for after the credential: one that was replaced in between is seen by comparing, below.
        let epoch = gate.epoch
        var response = try await next(carrying(used, request))
        guard tokens.statusCodes.contains(response.head.status.code), response.isFromOrigin(of: request.head),
            response.allowsReplay(of: request, isTurnedAway: true)
        else { return response }
        limit?.isSent = true
        response = await response.held(request.options.call?.time ?? .system, upTo: request.options.heldBytes)
        guard let other = try await successor(of: used, request, own, epoch, limit, report) else { return response }
        report?.end()
        // Letting go of the body ends its exchange.
        response.body = .empty
        return try await next(carrying(other, request))
    }

    /// The credential to send a refused request with once more; `nil` to leave it refused.
    private func successor(
        of refused: Credential?, _ request: TransportRequest, _ own: String?, _ epoch: Int, _ limit: WaitLimit?,
        _ report: WaitReport?
    ) async throws -> Credential? {
        // It may have been replaced while the request was on its way.
        if let other = try await tokens.choose(own, limit), other != refused, !tokens.isEnding(other, at: request.now) {
            return other
        }
        let outcome = try await gate.outcome(refusedIn: epoch, within: limit, telling: report) { [tokens] in
            try await tokens.refresh(refused)
        }
        switch try value(of: outcome) {
        case .none: return nil
        case .credential(let credential):
            tokens.forget(refused)
            return credential
        case .renewed:
            // Never what another request's source gave: it may be another user's.
            guard let renewed = try await tokens.choose(own, limit), renewed != refused else { return nil }
            return renewed
        // For those who use it the old one is good; this one was refused.
        case .postponed(let error): throw TokenRefreshFailure(underlying: error)
        }
    }

    /// Another credential for one that ends.
    private func replaced(
        _ ending: Credential?, of request: TransportRequest, in epoch: Int, within limit: WaitLimit?,
        _ report: WaitReport?
    ) async throws -> Credential? {
        let outcome = try await gate.outcome(refusedIn: epoch, within: limit, telling: report) { [tokens] in
            do {
                let refreshed = try await tokens.refresh(ending)
                switch refreshed {
                // One that ends as soon as it is there would be replaced before every request.
                case .none: tokens.pause.begin(at: request.now)
                case .credential(let other) where tokens.isEnding(other, at: request.now):
                    tokens.pause.begin(at: request.now)
                case .credential, .renewed, .postponed: tokens.pause.end()
                }
                return refreshed
            } catch {
                tokens.pause.begin(at: request.now)
                // Until it really ends, the old one is as good as it was.
                guard ending?.hasEnded(at: request.now) == false else { throw error }
                return .postponed(error)
            }
        }
        if case .failure = outcome, ending?.hasEnded(at: request.now) == false {
            // Another's credential was refused, and could not be replaced.
            return ending
        }
        switch try value(of: outcome) {
        case .credential(let credential):
            tokens.forget(ending)
            return credential
        case .renewed, .none: return ending
        case .postponed(let error):
            guard ending?.hasEnded(at: request.now) == false else { throw TokenRefreshFailure(underlying: error) }
            return ending
        }
    }

    private func carrying(_ credential: Credential?, _ request: TransportRequest) throws -> TransportRequest {
        guard let credential else { return request }
        try HeaderRules.check(value: credential.value, of: tokens.field.rawName)
        var request = request
        request.head.headerFields[tokens.field] = credential.value
        request.markCredential(tokens.field)
        return request
    }

    private func value(of outcome: RefreshGate.Outcome) throws -> Refreshed {
        switch outcome {
        case .success(let refreshed): return refreshed
        case .failure(let error):
            // Who was cancelled hears so; who was not has a refresh that failed, also where somebody cancelled that.
            try Task.checkCancellation()
            throw TokenRefreshFailure(underlying: error)
        }
    }
}
