// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// The way of a request from the call to the wire, in order.
///
/// A request is *described* before it enters (URL, head, body), and its response *validated and decoded* after it has
/// left: see ``Call``. Only the steps that are on are part of the chain; it is folded once for each configuration.
package struct Pipeline: Sendable {
    /// The user's own steps, the first outermost.
    package var interceptors: [Interceptor] = []
    /// What accompanies a call; part of the user's own steps, the innermost of them.
    package var plugins: [any Plugin] = []
    /// The field in which a call gets an identifier.
    package var requestIDHeader: String?
    /// Whether a call may be answered from a cache.
    package var cacheStrategy = CacheStrategy.useProtocolCachePolicy
    /// The call's way into the application's cache; `nil` for none.
    package var appCache: AppCacheTicket?
    /// Keeps responses; `nil` keeps none.
    package var cache: HTTPCache?
    /// Who stops the line, and how often a request goes again for it; `nil` for nobody.
    package var line: LineRules?
    /// Who sends the requests; `nil` gives none a credential.
    package var authentication: Authentication?
    /// Header fields for the requests that do not set them.
    package var defaultHeaders: [String: String] = [:]
    /// When a request that failed is sent again; `nil` for never.
    package var retry: RetryPolicy?
    /// Changes a request before it is sent again.
    package var modifyRetry: (@Sendable (RetryAttempt) async throws -> TransportRequest)?
    /// Whether identical safe requests share one exchange.
    package var coalescesRequests = false
    /// Which requests wait for a way to the internet, and who knows of it; `nil` for none.
    package var offlineQueue: (rules: OfflineQueue, monitor: NetworkMonitor)?
    /// When a slow request is sent once more; `nil` for never.
    package var hedging: Hedging?
    /// When an origin that fails is left alone; `nil` for never.
    package var circuitBreaker: CircuitBreaker?
    /// How many requests a host gets; `nil` for any number.
    package var rateLimit: RateLimit?
    /// Which redirects are followed; `nil` follows none.
    package var redirects: RedirectPolicy?
    /// Where cookies are kept; `nil` keeps none.
    package var cookies: (any CookieStore)?
    /// Whether somebody is told what the steps decide.
    package var isObserved = false
    /// The user's own steps around each attempt on the wire, the first outermost.
    package var networkInterceptors: [Interceptor] = []
    /// Where steps that wait take the time from.
    package var time = TimeSource.system
    /// Where steps that scatter their waits take chance from.
    package var random = RandomSource.system

    package init() {}

    /// The steps that are on, the first outermost: the table of contents of a call.
    private func steps(_ state: ChainState) -> [Interceptor] {
        var steps: [Interceptor] = []
        let word = wordOfSending
        for step in interceptors {
            // The step above may have made another request, or one that says something else.
            if let word { steps.append(word) }
            steps.append(step.inCall)
        }
        if !plugins.isEmpty { steps.append(.plugins(plugins)) }
        if let requestIDHeader { steps.append(.requestID(requestIDHeader)) }
        if let word, line != nil || authentication != nil { steps.append(word) }
        // What sends nothing has nothing to wait for.
        if let line, !sendsNothing {
            steps.append(.stopTheLine(line, gate: state.value(for: "line") { LineGate() }, time: time))
        }
        if !passing.isEmpty, !isPlain { steps.append(.gathering) }
        if let authentication, !authentication.isPerAttempt { steps.append(authentication.step()) }
        // Before retry and redirects: they may hold a credential, and must not be added again for another origin.
        // Of a plain chain these and the redirects are its end.
        if !defaultHeaders.isEmpty, !isPlain { steps.append(.defaultFields(defaultHeaders)) }
        // Below what tells whose call it is, and above what only a request that is sent needs.
        if let appCache {
            steps.append(
                .appCache(
                    appCache, isAnonymous: authentication?.isPerAttempt == true,
                    hasStepsBelow: !networkInterceptors.isEmpty, cookies: cookies, time: time))
        }
        if let retry { steps.append(.retry(retry, state, time, random, modify: modifyRetry)) }
        if let redirects, !isPlain { steps.append(.redirects(redirects, time: time)) }
        if let cookies { steps.append(.cookies(cookies, time: time)) }
        if let cache {
            // A credential that is added below tells the cache nothing of whose answers it keeps.
            steps.append(
                .cache(
                    cache, cacheStrategy, isAnonymous: authentication?.isPerAttempt == true,
                    hasStepsBelow: !networkInterceptors.isEmpty, cookies: cookies, time: time))
        } else if let step = Interceptor.cacheStrategy(cacheStrategy) {
            steps.append(step)
        }
        // Whose credential is for one attempt has none yet by which two users' requests could be told apart.
        if coalescesRequests, authentication?.isPerAttempt != true {
            // Steps of the user's own, below, may differ from view to view.
            steps.append(
                .coalescing(
                    networkInterceptors.isEmpty ? state : ChainState(), time, following: redirects, above: cache))
        }
        if let offlineQueue { steps.append(.offlineQueue(offlineQueue.rules, offlineQueue.monitor, state, time)) }
        if let hedging { steps.append(.hedging(hedging, time)) }
        if let authentication, authentication.isPerAttempt { steps.append(authentication.step()) }
        if let circuitBreaker { steps.append(.circuitBreaker(circuitBreaker, state, time)) }
        if let rateLimit { steps.append(.rateLimit(rateLimit, state, time)) }
        return steps
    }

    /// The statuses whose responses a step may follow with another request: their bodies are not waited for.
    ///
    /// A decider and a function that changes the next request look at the body of a refusal, so they are given it.
    private var passing: Set<Int> {
        var passing: Set<Int> = []
        if redirects != nil { passing.formUnion(RedirectMachine.statuses) }
        if let retry, retry.decider == nil, modifyRetry == nil { passing.formUnion(retry.retryableStatusCodes) }
        if authentication != nil { passing.insert(401) }
        if hedging != nil { passing.formUnion(RetryPolicy().retryableStatusCodes) }
        // What stale-if-error answers (RFC 5861, section 4).
        if cache != nil { passing.formUnion([500, 502, 503, 504]) }
        return passing
    }

    /// Whether only a cache may answer: the strategy says so, or the call is about what the application's cache has.
    private var sendsNothing: Bool {
        cacheStrategy == .returnCacheDataDontLoad || (appCache?.purpose ?? .answer) != .answer
    }

    /// Tells the step below whether only a cache may answer; `nil` where there is none.
    private var wordOfSending: Interceptor? {
        if sendsNothing { return Interceptor.sendingNothing }
        return cache == nil ? nil : Interceptor.onlyIfCached(defaultHeaders)
    }

    /// Whether no step may wait or answer by itself, so that a call needs no context.
    ///
    /// A redirect may send again, and yet is no reason for one: each of its requests is with the transport, which hears of
    /// a cancellation, and the time that the first took is known from its answer.
    package var isPlain: Bool {
        interceptors.isEmpty && plugins.isEmpty && networkInterceptors.isEmpty && line == nil && authentication == nil
            && redirects?.decide == nil && cookies == nil && cache == nil && appCache == nil && !isObserved
            && retry == nil && !coalescesRequests && offlineQueue == nil && hedging == nil && circuitBreaker == nil
            && rateLimit == nil
    }

    /// The steps around a transport, as one function.
    ///
    /// - Parameters:
    ///   - transport: What sends each attempt.
    ///   - state: What the steps remember from call to call.
    /// - Returns: The function.
    package func around(_ transport: any Transport, state: ChainState = ChainState()) -> Interceptor.Next {
        let steps = steps(state)
        guard !isPlain else { return steps.around(plainEnd(transport)) }
        // A step may wait where no transport hears of a cancellation, and send never or again.
        let isNoted = (cache != nil || appCache != nil) && !networkInterceptors.isEmpty
        let passing = passing
        let chain = (steps + [.attempt] + networkInterceptors.map(\.inCall)).around { request in
            var response: TransportResponse
            if request.options.progress == nil {
                response = try await transport.send(request)
            } else {
                response = try await transport.send(request.metered)
            }
            let status = response.head.status.code
            if status >= 300, !passing.contains(status) { response = try await response.gathered(for: request) }
            if isNoted { response.sentFields = request.head.headerFields }
            request.options.call?.countAnswer()
            return response
        }
        let cached = cachedAnswer
        return { request in
            if let response = try cached?(request) { return response }
            guard let scope = request.options.scope else { return try await chain(request) }
            return try await scope.run { try await chain(request) }
        }
    }
}

extension Pipeline {
    /// True if no step above the cache has to see a call that the cache answers.
    private var mayAnswerAtOnce: Bool {
        interceptors.isEmpty && plugins.isEmpty && requestIDHeader == nil && line == nil && authentication == nil
            && appCache == nil && cookies == nil && cache != nil && cacheStrategy != .reloadIgnoringLocalCacheData
    }

    /// Answers a request from the memory of the cache; `nil` if a step above the cache has to see each call.
    ///
    /// A call that waits for nothing needs no task by which it could be cancelled: to begin one costs more than the hit.
    private var cachedAnswer: (@Sendable (TransportRequest) throws -> TransportResponse?)? {
        guard mayAnswerAtOnce, let answers = cache?.answers(cacheStrategy, time: time) else { return nil }
        let defaults = DefaultFields(defaultHeaders)
        return { request in
            guard request.options.scope?.isCancelled != true else { return nil }
            // Not a copy of the request, which is large.
            var fields = request.head.headerFields
            try defaults.add(to: &fields)
            return answers(request, fields)
        }
    }
}

extension Interceptor {
    /// Tells the steps that only a cache may answer.
    fileprivate static let sendingNothing = Interceptor { request, next in
        var request = request
        request.options.sendsNothing = true
        return try await next(request)
    }

    /// Tells the steps whether only a cache may answer, as the request says, or the fields that it will get say for it.
    fileprivate static func onlyIfCached(_ defaults: [String: String]) -> Interceptor {
        var fields = HTTPFields()
        for (name, value) in defaults where HTTPField.Name(name) == HTTPField.Name.cacheControl {
            fields.append(HTTPField(name: .cacheControl, value: value))
        }
        let isDefault = CacheControl(fields).onlyIfCached
        return Interceptor { request, next in
            let own = request.head.headerFields
            let isSaid = own.has(.cacheControl) ? CacheControl(own).onlyIfCached : isDefault
            // With other methods no cache answers, and the server is asked.
            let sendsNothing = isSaid && (request.head.method == .get || request.head.method == .head)
            guard request.options.sendsNothing != sendsNothing else { return try await next(request) }
            var request = request
            request.options.sendsNothing = sendsNothing
            return try await next(request)
        }
    }

    /// Begins one attempt on the wire: counts it, and leaves it only what is left of the call's time.
    fileprivate static let attempt = Interceptor { request, next in
        guard let call = request.options.call else { return try await next(request) }
        call.countAttempt()
        let number = call.attempts
        var request = request
        // The call's own limit, if what is left of it is the attempt's.
        var limit: Duration?
        if let deadline = call.deadline {
            let remaining = deadline.remaining
            if remaining <= request.options.timeouts.total ?? deadline.limit {
                request.options.timeouts.total = remaining
                limit = deadline.limit
            }
        }
        guard call.isObserved else {
            do { return try await next(request) } catch let error as TransportError { throw error.exceeding(limit) }
        }
        let informational = request.options.informational
        request.options.informational = { [request] response in
            informational?(response)
            call.report { .interim(InterimEvent(response, to: request, callID: call.id, showing: $0)) }
        }
        call.watcher?.willSend(request, attempt: number)
        _ = request.options.watchWire()
        do {
            let response = try await next(request)
            call.report {
                .attempt(AttemptEvent(number, request, .success(response), callID: call.id, showing: $0))
            }
            if let ending = response.ending, response.body.collectedBytes == nil {
                let connection = response.connection
                ending.whenEnded { [request] timings, error in
                    call.report {
                        .bodyEnded(
                            BodyEndEvent(
                                number, request, connection, timings, error, callID: call.id, showing: $0))
                    }
                }
            }
            return call.watcher?.didReceive(response, to: request, attempt: number) ?? response
        } catch let thrown {
            let error = (thrown as? TransportError)?.exceeding(limit) ?? thrown
            call.report { .attempt(AttemptEvent(number, request, .failure(error), callID: call.id, showing: $0)) }
            call.watcher?.didFail(error, request, attempt: number)
            throw error
        }
    }
}
