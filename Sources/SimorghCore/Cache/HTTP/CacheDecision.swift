// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

/// The decision about a request, given the stored responses (RFC 9111, section 4).
///
/// A pure function: it reads neither files nor the clock. ``CacheUpdateDecision`` handles the server's response.
package enum CacheDecision: Sendable, Equatable {
    /// The reason why there is no response.
    package enum Refusal: Sendable, Equatable {
        /// The request has `only-if-cached`; it gets a 504.
        case onlyIfCached
        /// The strategy forbids asking the server; the call fails.
        case strategy
    }

    case reply(CachedReply)
    case forward(ForwardedRequest)
    case refuse(Refusal)

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - stored: The stored responses for its URL.
    ///   - now: The current time, in milliseconds since 1970.
    ///   - rules: The rules of the cache.
    package init(_ request: CacheRequest, stored: [StoredResponse], now: Int64, rules: CacheRules) {
        let control = request.control
        guard request.isCacheable else {
            self =
                request.strategy == .returnCacheDataDontLoad ? .refuse(.strategy) : .forward(ForwardedRequest(.method))
            return
        }
        let index = request.strategy == .reloadIgnoringLocalCacheData ? nil : request.best(of: stored, now: now)
        let isPast = control.noStore || request.fields.contains(.ifMatch) || request.fields.contains(.ifUnmodifiedSince)
        guard !isPast, let index else {
            self = Self.miss(request, control: control, isStored: !stored.isEmpty, isPast: isPast)
            return
        }
        let evaluation = CacheEvaluation(
            request: request, control: control, stored: stored[index], index: index, now: now, rules: rules)
        self = evaluation.decision
    }

    /// Decides about a request without a usable stored response.
    private static func miss(
        _ request: CacheRequest, control: CacheControl, isStored: Bool, isPast: Bool
    ) -> CacheDecision {
        if request.strategy == .returnCacheDataDontLoad { return .refuse(.strategy) }
        if control.onlyIfCached { return .refuse(.onlyIfCached) }
        if isPast { return .forward(ForwardedRequest(.bypass, mayStore: false)) }
        var forward: ForwardedRequest
        switch request.strategy {
        case .reloadIgnoringLocalCacheData: forward = ForwardedRequest(isStored ? .request : .uriMiss)
        default:
            let reason: CacheReport.Forward = isStored ? .varyMiss : .uriMiss
            forward = ForwardedRequest(request.fields.contains(.range) && !isStored ? .partial : reason)
        }
        forward.adds = adds(for: request)
        return .forward(forward)
    }

    /// Returns the fields that express a strategy to other caches, unless the request has `Cache-Control`.
    fileprivate static func adds(for request: CacheRequest) -> [HTTPField] {
        guard !request.fields.contains(.cacheControl) else { return [] }
        switch request.strategy {
        case .reloadIgnoringLocalCacheData: return [HTTPField(name: .cacheControl, value: "no-cache")]
        case .reloadRevalidatingCacheData: return [HTTPField(name: .cacheControl, value: "max-age=0")]
        default: return []
        }
    }
}

/// A request with its matching stored response.
private struct CacheEvaluation {
    let request: CacheRequest
    let control: CacheControl
    let stored: StoredResponse
    let index: Int
    let freshness: CacheFreshness
    let response: CacheControl
    let now: Int64
    let rules: CacheRules

    init(
        request: CacheRequest, control: CacheControl, stored: StoredResponse, index: Int, now: Int64, rules: CacheRules
    ) {
        (self.request, self.control, self.stored, self.index) = (request, control, stored, index)
        (self.now, self.rules) = (now, rules)
        freshness = CacheFreshness(stored, now: now, rules: rules)
        response = stored.control
    }

    var decision: CacheDecision {
        if isUsable, let reply = reply(detail: nil) { return .reply(reply) }
        if request.strategy == .returnCacheDataDontLoad { return .refuse(.strategy) }
        if control.onlyIfCached { return .refuse(.onlyIfCached) }
        if mayServeWhileRevalidating, var reply = reply(detail: "stale-while-revalidate") {
            reply.refresh = forward
            return .reply(reply)
        }
        return .forward(forward)
    }

    /// True if the response may be used without validation (RFC 9111, section 4).
    private var isUsable: Bool {
        switch request.strategy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad: return true
        case .reloadIgnoringLocalCacheData: return false
        case .reloadRevalidatingCacheData:
            guard response.isImmutable, freshness.isFresh else { return false }
        case .useProtocolCachePolicy: break
        }
        guard !response.noCache, !control.noCache, !stored.isInvalidated else { return false }
        if let limit = control.maxAge?.value(orIfInvalid: 0), limit == 0 || freshness.age > limit * 1000 {
            return false
        }
        if let minimum = control.minFresh?.value(orIfInvalid: CacheControl.maximumSeconds),
            freshness.lifetime - freshness.age < minimum * 1000
        {
            return false
        }
        if freshness.isFresh { return true }
        guard !response.mustRevalidate, let limit = control.maxStale else { return false }
        return limit == .max || freshness.staleness <= limit * 1000
    }

    /// True if neither the request nor the response forbids the use of a stale response.
    private var mayBeStale: Bool {
        request.strategy == .useProtocolCachePolicy && !response.noCache && !response.mustRevalidate
            && !stored.isInvalidated && !control.noCache
    }

    private var mayServeWhileRevalidating: Bool {
        guard mayBeStale, request.isRead, !request.fields.contains(.range),
            !CacheValidators.isConditional(request.fields), control.maxAge == nil, control.minFresh == nil,
            // A window of zero excludes even the moment at which the response becomes stale.
            let window = response.staleWhileRevalidate?.value(orIfInvalid: 0), window > 0
        else { return false }
        return freshness.staleness <= window * 1000
    }

    fileprivate var mayServeOnError: Bool {
        let windows = [response.staleIfError, control.staleIfError].map { ($0?.value(orIfInvalid: 0) ?? 0) * 1000 }
        return mayBeStale && freshness.staleness <= max(rules.staleIfError, windows[0], windows[1])
            && (rules.staleIfError > 0 || windows[0] > 0 || windows[1] > 0)
    }

    /// Returns the reply from the stored response; `nil` if only the server can answer.
    private func reply(detail: String?) -> CachedReply? {
        guard let shape else { return nil }
        let report = CacheReport(
            secondsToLive: freshness.secondsToLive, isStale: !freshness.isFresh, detail: detail)
        return CachedReply(index: index, shape: shape, age: freshness.ageSeconds, report: report)
    }

    private var shape: CachedReply.Shape? {
        // A condition applies to a successful response; any other stored response is returned as it is.
        guard (200...299).contains(stored.status) else { return request.method == "HEAD" ? .head : .whole }
        if CacheValidators.isNotModified(stored, request: request.fields, now: now) == true { return .notModified }
        guard request.isRead else { return .head }
        guard request.fields.contains(.range), stored.status == 200 else { return .whole }
        switch CacheValidators.allowsRange(stored, request: request.fields) {
        case nil: return nil
        case false?: return .whole
        case true?: return CacheRange(request.fields).map { .part($0) }
        }
    }

    /// The request to the server, with conditions for the stored response if possible.
    private var forward: ForwardedRequest {
        let isUnwanted = freshness.isFresh && !response.noCache && !stored.isInvalidated
        var forward = ForwardedRequest(isUnwanted ? .request : .stale, index: index)
        forward.mayUseStale = mayServeOnError && shape != nil
        forward.adds = CacheDecision.adds(for: request)
        guard request.isRead, !request.fields.contains(.range), !CacheValidators.isConditional(request.fields)
        else {
            return forward
        }
        let conditionFields = CacheValidators.conditionFields(for: stored)
        forward.adds += conditionFields
        forward.isOwnCondition = !conditionFields.isEmpty
        return forward
    }
}

extension CachedReply {
    /// Returns the reply from a stored response after a failure of the server.
    ///
    /// - Parameters:
    ///   - forward: The decision about the request that was sent.
    ///   - request: The request.
    ///   - stored: The stored response.
    ///   - status: The status code of the server's response, if there was one.
    ///   - now: The current time, in milliseconds since 1970.
    ///   - rules: The rules of the cache.
    /// - Returns: The reply; `nil` if the stored response must not be used.
    package static func afterFailure(
        of forward: ForwardedRequest, request: CacheRequest, stored: StoredResponse, status: Int?, now: Int64,
        rules: CacheRules
    ) -> CachedReply? {
        guard forward.mayUseStale, let index = forward.index else { return nil }
        let evaluation = CacheEvaluation(
            request: request, control: request.control, stored: stored, index: index, now: now, rules: rules)
        // The time for which the response may be used may have passed while the server failed.
        guard evaluation.mayServeOnError else { return nil }
        return evaluation.answer(forward, status: status, detail: "stale-if-error")
    }

    /// Returns the reply from a stored response after the server has confirmed it.
    package static func afterValidation(
        by forward: ForwardedRequest, request: CacheRequest, stored: StoredResponse, now: Int64, rules: CacheRules
    ) -> CachedReply? {
        guard let index = forward.index else { return nil }
        let evaluation = CacheEvaluation(
            request: request, control: request.control, stored: stored, index: index, now: now, rules: rules)
        return evaluation.answer(forward, status: 304, detail: nil)
    }
}

extension CacheEvaluation {
    fileprivate func answer(_ forward: ForwardedRequest, status: Int?, detail: String?) -> CachedReply? {
        guard var reply = reply(detail: detail) else { return nil }
        reply.report.forward = forward.reason
        reply.report.forwardStatus = status
        return reply
    }
}
