// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// Steps that another module adds to those of the core; each returns `nil` if the configuration turns it off.
package struct AdditionalSteps: Sendable {
    package typealias Make = @Sendable (APIClient.Configuration, PipelineState) -> Interceptor?

    /// Steps inside the user's interceptors and outside the core's own steps.
    package var outer: [Make] = []
    /// A step that may answer a request after its default fields have been added.
    package var belowDefaultFields: Make?
    /// True if that step answers every request itself, so that no other step sends or waits.
    package var answersEveryRequest = false
}

/// The steps between a call and its transport, in order.
///
/// A request is described (URL, head, body) before it enters the pipeline, and its response is validated and decoded
/// after it has left: see ``Call``. The steps are composed once per configuration, and only those that are on.
package struct Pipeline: Sendable {
    /// Sends a request through the steps to the transport.
    package let send: Interceptor.Next
    /// Answers a request from the cache's memory; `nil` if there is no cache, or if an outer step must see every call.
    ///
    /// A call that waits for nothing needs neither a context nor a cancellable task.
    let answerFromMemory: (@Sendable (TransportRequest) throws -> TransportResponse?)?
    /// True if a call needs no ``CallContext``, because no step waits or answers by itself.
    ///
    /// A redirect sends another request, but the transport observes cancellation, and the response reports its
    /// duration.
    package let isPlain: Bool

    /// Returns the steps that are on, the first outermost.
    ///
    /// Each step returns `nil` if the configuration turns it off.
    private static func steps(
        _ c: APIClient.Configuration, defaults: DefaultFields, state: PipelineState, transport: any Transport
    ) -> [Interceptor] {
        let added = c.addedSteps
        let steps: [Interceptor?] =
            added.outer.map { $0(c, state) } + [
                .requestID(c),
                .collectingErrorBodies(c),
                .authentication(c, isPerAttempt: false),
                // Above retry and redirects: a default field may hold a credential, which must not be sent to another
                // origin.
                .defaultFields(defaults),
                // Below the step that adds the user's credentials, above those that only a request to the server needs.
                added.belowDefaultFields.flatMap { $0(c, state) },
                .retry(c, state: state),
                .redirects(c),
                .cookies(c),
                .cache(c),
                .coalescing(c, state: state),
                .offlineQueue(c, state: state, transport: transport),
                .hedging(c),
                // Above all steps that use the origin or sign the URL.
                .secureURL(c),
                .authentication(c, isPerAttempt: true),
                .circuitBreaker(c, state: state),
                .rateLimit(c, state: state),
                // Below the waits: a signature has the date of its moment.
                .authentication(c, isPerAttempt: true, isSignature: true),
                .attempt,
            ]
        return c.interceptors.map(\.inCall) + steps.compactMap { $0 } + c.networkInterceptors.map(\.inCall)
            // The only step that must see the request exactly as it is sent.
            + [.transportSecurity(c)].compactMap { $0 }
    }

    /// Creates a pipeline around a transport.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which says which steps are on.
    ///   - transport: Sends each attempt.
    ///   - state: The state that the steps share between calls.
    package init(_ configuration: APIClient.Configuration, transport: any Transport, state: PipelineState) {
        let defaults = DefaultFields(configuration)
        let steps = Self.steps(configuration, defaults: defaults, state: state, transport: transport)
        isPlain = steps.allSatisfy(\.isPlain)
        answerFromMemory = Self.answerFromMemory(steps, defaults: defaults)
        let chain = steps.around(Self.end(configuration, transport: transport))
        let gate = ObjectIdentifier(state.gate)
        let outermost = [gate]
        let scoped: Interceptor.Next = { request in
            // A step may wait, and send later or never, while no transport observes a cancellation.
            guard let scope = request.options.scope else { return try await chain(request) }
            return try await scope.run {
                // A call of a step, such as the refresh of a token, is part of this call.
                let inside = DrainGate.runningGates
                guard !inside.contains(gate) else { return try await chain(request) }
                let gates = inside.isEmpty ? outermost : inside + outermost
                return try await DrainGate.$runningGates.withValue(gates) { try await chain(request) }
            }
        }
        // Plain steps wait only for the transport, which observes cancellation, whether the call is observed or not.
        send = isPlain ? Self.plain(configuration, defaults: defaults, transport: transport, watched: chain) : scoped
    }

    /// Returns the end of the pipeline, which calls the transport and adds the details that the steps above need.
    private static func end(_ c: APIClient.Configuration, transport: any Transport) -> Interceptor.Next {
        let followed = c.followedStatuses
        // Only steps below the cache send other fields than the cache has seen.
        let recordsSentFields =
            (c.caching.httpCache != nil || c.addedSteps.belowDefaultFields != nil) && !c.networkInterceptors.isEmpty
        return { request in
            var response: TransportResponse
            if request.options.progress == nil {
                response = try await transport.send(request)
            } else {
                response = try await transport.send(request.reportingProgress)
            }
            let status = response.head.status.code
            if status >= 300, !followed.contains(status) {
                response = try await response.collectingErrorBody(for: request)
            }
            if recordsSentFields { response.sentHeaderFields = request.head.headerFields }
            request.options.call?.countResponse()
            return response
        }
    }

    /// Returns the steps of a plain pipeline as one function, which copies the request once instead of once per step.
    ///
    /// - Parameters:
    ///   - c: The configuration, which says which redirects are followed.
    ///   - defaults: The default fields.
    ///   - transport: Sends each request.
    ///   - watched: The composed steps, which report events; used for a call that is observed.
    /// - Returns: The function.
    private static func plain(
        _ c: APIClient.Configuration, defaults: DefaultFields, transport: any Transport,
        watched: @escaping Interceptor.Next
    ) -> Interceptor.Next {
        let (redirects, time) = (c.redirects.follows ? c.redirects : nil, c.time)
        return { request in
            if ObserverSet.isPossible, request.options.call != nil { return try await watched(request) }
            var request = request
            try defaults.add(to: &request)
            let response: TransportResponse
            if request.options.progress == nil {
                response = try await transport.send(request)
            } else {
                response = try await transport.send(request.reportingProgress)
            }
            guard response.head.status.code >= 300 else { return response }
            guard let redirects, RedirectStateMachine.isRedirect(response.head.status.code) else {
                return try await response.collectingErrorBody(for: request)
            }
            return try await RedirectExchange(redirects, request: request, response: response, time: time).follow {
                next in
                let response = try await transport.send(next.reportingProgress)
                guard !RedirectStateMachine.isRedirect(response.head.status.code) else { return response }
                return try await response.collectingErrorBody(for: next)
            }.collectingErrorBody(for: request)
        }
    }

    private static func answerFromMemory(
        _ steps: [Interceptor], defaults: DefaultFields
    ) -> (@Sendable (TransportRequest) throws -> TransportResponse?)? {
        guard let answer = steps.first(where: { !$0.isTransparentToCacheHits })?.answerFromMemory else { return nil }
        return { request in
            guard request.options.scope?.isCancelled != true else { return nil }
            // Copies only the header fields, since the request is large.
            var fields = request.head.headerFields
            try defaults.add(to: &fields)
            return answer(request, fields)
        }
    }
}
