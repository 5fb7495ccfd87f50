// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// The gate of those that wait for one refresh.
package typealias RefreshGate = EpochGate<Refreshed>

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
        let limit = WaitLimit(request)
        let passage = try await gate.pass(within: limit)
        if let outcome = passage.outcome { _ = try value(of: outcome) }
        var used = try await tokens.choose(own)
        if tokens.isEnding(used, at: request.now) {
            used = try await replaced(used, of: request, in: passage.epoch, within: limit)
        }
        // Asked for after the credential: one that was replaced in between is seen by comparing, below.
        let epoch = gate.epoch
        let response = try await next(carrying(used, request))
        guard tokens.statusCodes.contains(response.head.status.code), response.isFromOrigin(of: request.head),
            response.allowsReplay(of: request, isTurnedAway: true)
        else { return response }
        return try await again(request, after: await response.held(), used, own, epoch, limit, next)
    }

    /// Sends a refused request once more, with a credential other than the refused one.
    private func again(
        _ request: TransportRequest, after response: TransportResponse, _ refused: Credential?, _ own: String?,
        _ epoch: Int, _ limit: WaitLimit?, _ next: Interceptor.Next
    ) async throws -> TransportResponse {
        // It may have been replaced while the request was on its way.
        if let other = try await tokens.choose(own), other != refused, !tokens.isEnding(other, at: request.now) {
            return try await next(carrying(other, request))
        }
        let outcome = try await gate.outcome(refusedIn: epoch, within: limit) { [tokens] in
            try await tokens.refresh(refused)
        }
        switch try value(of: outcome) {
        case .none: return response
        case .credential(let credential):
            tokens.forget(refused)
            return try await next(carrying(credential, request))
        case .renewed:
            // Never what another request's source gave: it may be another user's.
            guard let renewed = try await tokens.choose(own), renewed != refused else { return response }
            return try await next(carrying(renewed, request))
        }
    }

    /// Another credential for one that ends.
    private func replaced(
        _ ending: Credential?, of request: TransportRequest, in epoch: Int, within limit: WaitLimit?
    ) async throws -> Credential? {
        let outcome = try await gate.outcome(refusedIn: epoch, within: limit) { [tokens] in
            do {
                return try await tokens.refresh(ending)
            } catch {
                // Until it really ends, the old one is as good as it was.
                guard let expiration = ending?.expiration, request.now < expiration else { throw error }
                return .none
            }
        }
        guard case .credential(let credential) = try value(of: outcome) else { return ending }
        tokens.forget(ending)
        return credential
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
            try Task.checkCancellation()
            switch error {
            case is CancellationError: throw error
            case let error as NetworkError where error.isCancelled: throw CancellationError()
            case let error as TransportError where error.code == .cancelled: throw CancellationError()
            default: throw TokenRefreshFailure(underlying: error)
            }
        }
    }
}
