// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

extension Interceptor {
    /// Returns a step that follows redirects; `nil` if the policy follows none.
    static func redirects(_ configuration: APIClient.Configuration) -> Interceptor? {
        let (policy, time, security) = (
            configuration.redirects, configuration.time, configuration.transportSecurity
        )
        guard policy.follows else { return nil }
        return Interceptor(isPlain: policy.decide == nil, isTransparentToCacheHits: true) { request, next in
            let response = try await next(request)
            // The only cost of a response that is not a redirect.
            guard RedirectStateMachine.isRedirect(response.head.status.code) else { return response }
            return try await RedirectExchange(
                policy, security: security, request: request, response: response, time: time
            ).follow(next)
        }
    }
}

/// The redirects of one call.
struct RedirectExchange {
    private var machine: RedirectStateMachine
    private let security: (any TransportSecurityPolicy)?
    private let decide: (@Sendable (RedirectProposal) async throws -> RedirectDecision)?
    private var request: TransportRequest
    private var response: TransportResponse
    private var attempts: Int
    private let time: TimeSource
    /// The deadline of all requests together; `nil` if the call's context has one, or there is no limit.
    private let deadline: Deadline?

    init(
        _ policy: RedirectPolicy, security: (any TransportSecurityPolicy)? = nil, request: TransportRequest,
        response: TransportResponse, time: TimeSource
    ) {
        machine = RedirectStateMachine(policy, security: security)
        self.security = security
        decide = policy.decide
        self.request = request
        self.response = response
        self.time = time
        attempts = response.attempts
        // The clock is first read here: the response reports how long the first request took.
        deadline =
            request.options.call == nil
            ? request.options.timeouts.total.map { time.deadline(after: $0 - (response.timings.total ?? .zero)) } : nil
    }

    consuming func follow(_ next: Interceptor.Next) async throws -> TransportResponse {
        let total = request.options.timeouts.total
        while let proposal = try proposal() {
            guard let chosen = try await choose(proposal) else { break }
            await response.finish(time)
            // Releasing the body ends its exchange.
            response.body = .empty
            let redirected = request
            request = chosen
            redirected.noteRedirect(to: request)
            request.options.userInfo[RedirectTrail.self].append(proposal.redirection.from)
            let redirection = machine.followed(proposal, with: chosen)
            if let call = request.options.call {
                call.report {
                    .redirected(RedirectEvent(redirection, of: redirected, callID: call.id, showing: $0))
                }
            }
            if let deadline { request.options.timeouts.total = deadline.remaining }
            do {
                response = try await next(request)
            } catch let error as TransportError {
                throw filled(error, total: total)
            }
            attempts += response.attempts
        }
        response.attempts = attempts
        response.redirects = machine.history + response.redirects
        return response
    }

    private func proposal() throws -> RedirectProposal? {
        switch machine.decision(on: response.head, to: request) {
        case .stay: return nil
        case .follow(let proposal): return proposal
        case .refuse(let failure): throw filled(failure.transportError, total: nil, isAnswered: true)
        }
    }

    /// Returns the request to send for a proposal; `nil` to return the redirect as the response.
    private func choose(_ proposal: RedirectProposal) async throws -> TransportRequest? {
        guard let decide else { return proposal.request }
        switch try await decide(proposal) {
        case .follow: return proposal.request
        case .change(var request):
            // A request that was built anew becomes part of the same call.
            request.join(self.request)
            return security?.upgraded(request) ?? request
        case .stop: return nil
        }
    }

    /// Adds the URL and method of the failed request, which differs from the first request of the call.
    private func filled(_ error: TransportError, total: Duration?, isAnswered: Bool = false) -> TransportError {
        var error = error.exceeding(deadline == nil ? nil : total)
        // The first request was processed: sending it again would process it twice.
        error.requestMayHaveBeenSent = true
        if error.url.isEmpty {
            error.method = request.head.method.rawValue
            error.url = request.shownURL
        }
        error.attempts = isAnswered ? attempts : attempts + error.attempts
        return error
    }
}
