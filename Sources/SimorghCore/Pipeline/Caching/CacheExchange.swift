// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// The handling of one request by the cache.
struct CacheExchange: Sendable {
    /// A stored response with its parsed metadata.
    struct Found: Sendable {
        let blob: StoredBlob
        var response: StoredResponse
    }

    let cache: HTTPCache
    var request: TransportRequest
    let time: TimeSource
    var hasNetworkInterceptors = false
    var cookies: (any CookieStore)?
    let lookup: CacheLookup

    private var seen: CacheRequest { lookup.seen }
    private var key: CacheKey { lookup.key }
    private var group: BlobGroup { key.group }
    private var now: Int64 { time.milliseconds }

    func answer(_ next: @escaping Interceptor.Next) async throws -> TransportResponse {
        var found: [Found] = []
        if seen.isCacheable {
            found = Self.parsed(await blobs())
            // A cancelled lookup returns nothing, so an empty result is not a miss.
            if found.isEmpty { try Task.checkCancellation() }
        }
        while true {
            switch CacheDecision(seen, stored: found.map { $0.response }, now: now, rules: cache.rules) {
            case .reply(let reply):
                guard let response = try await served(reply, from: found[reply.index]) else {
                    // A cancelled read is not evidence of corruption.
                    try Task.checkCancellation()
                    // Treats a corrupt entry as a miss.
                    found.remove(at: reply.index)
                    continue
                }
                if let forward = reply.refresh { refresh(forward, found: found, next: next) }
                return response
            case .refuse(let refusal): return try refused(refusal)
            case .forward(let forward): return try await fetched(forward, found: found, next: next)
            }
        }
    }

    /// Returns the blobs stored under the request's key, with their bytes if they are the complete response.
    private func blobs() async -> [StoredBlob] {
        guard let store = cache.blobStore, case .collected(let limit) = request.options.delivery else {
            return await cache.store.blobs(in: group)
        }
        return await store.blobs(in: group) { [seen, now, rules = cache.rules] blob in
            guard blob.length <= limit, let response = ParsedStoredResponse.response(of: blob),
                case .reply(let reply) = CacheDecision(seen, stored: [response], now: now, rules: rules)
            else { return false }
            return reply.shape == .whole
        }
    }

    /// Returns the blobs that can be parsed as stored responses.
    private static func parsed(_ blobs: [StoredBlob]) -> [Found] {
        blobs.compactMap { blob in ParsedStoredResponse.response(of: blob).map { Found(blob: blob, response: $0) } }
    }

    // MARK: From the store

    /// Returns the response for a stored response; `nil` if its body cannot be read.
    private func served(_ reply: CachedReply, from found: Found) async throws -> TransportResponse? {
        let (head, octets) = reply.headAndRange(of: found.response, length: found.blob.length)
        let body: ResponseBody
        switch delivery(of: found.response, octets) {
        case .collected(let limit):
            guard octets.count <= limit else {
                throw TransportError(
                    .dataLengthExceedsMaximum, phase: .body,
                    message: "the body is larger than the limit of \(limit) bytes", requestMayHaveBeenSent: false)
            }
            guard let bytes = try await bytes(of: found.blob, in: octets) else { return nil }
            body = ResponseBody(bytes)
        case .streamed:
            // Checked before the first byte is delivered: afterwards the request cannot be sent to the server instead.
            if !octets.isEmpty, let check = found.blob.check, await !check() { return nil }
            body = found.blob.responseBody(octets)
        }
        reply.report.notify(request.options.call, of: request)
        return reply.response(head: head, body: body)
    }

    /// Returns the delivery mode: a large body of a redirect or an error is streamed, since the limit applies to
    /// successes.
    private func delivery(of response: StoredResponse, _ octets: Range<Int64>) -> TransportOptions.Delivery {
        guard case .collected(let limit) = request.options.delivery, octets.count > limit else {
            return request.options.delivery
        }
        return request.options.delivery(of: response.status, hasBody: true)
    }

    private func bytes(of blob: StoredBlob, in octets: Range<Int64>) async throws -> Data? {
        do {
            return try await blob.bytes(octets)
        } catch is BlobDamagedError {
            return nil
        }
    }

    private func refused(_ refusal: CacheDecision.Refusal) throws -> TransportResponse {
        switch refusal {
        case .strategy:
            throw TransportError(
                .cannotLoadFromNetwork, phase: .total,
                message: "the cache strategy forbids using the network, and no usable response is stored",
                requestMayHaveBeenSent: false)
        case .onlyIfCached:
            return reported(Self.onlyIfCached(), with: Self.refusal)
        }
    }

    private static let refusal = CacheReport(detail: "only-if-cached", isRefused: true)

    /// Returns the response to an `only-if-cached` request without a stored response.
    static func onlyIfCached() -> TransportResponse {
        var response = TransportResponse(head: HTTPResponse(status: .gatewayTimeout))
        response.attempts = 0
        response.cacheReport = refusal
        return response
    }

    /// Invalidates stored responses after a successful unsafe request that the cache does not handle itself.
    static func invalidate(_ cache: HTTPCache, after request: TransportRequest, response: TransportResponse) async {
        guard !RequestMethod(rawValue: request.head.method.rawValue).isSafe,
            (200...399).contains(response.head.status.code), let url = CacheKey.normalized(request.urlString)
        else { return }
        for url in CacheUpdateDecision.invalidated(by: url, response.head.headerFields) {
            await cache.store.remove(family: CacheKey(partition: "", url: url).group.family)
        }
    }

    /// Returns the response with a report of the cache's part in it.
    private func reported(_ response: TransportResponse, with report: CacheReport) -> TransportResponse {
        var response = response
        note(report, in: &response)
        return response
    }

    private func note(_ report: CacheReport, in response: inout TransportResponse) {
        response.head.headerFields.append(report.field)
        response.cacheReport = report
        report.notify(request.options.call, of: request)
    }

    // MARK: From the server

    private func fetched(
        _ forward: ForwardedRequest, found: [Found], next: Interceptor.Next
    ) async throws -> TransportResponse {
        var outgoing = request
        for field in forward.adds { outgoing.head.headerFields.append(field) }
        // A stale response may be used if the server is unreachable, so the request does not wait for the network.
        if forward.mayUseStale { outgoing.options.waitsForNetwork = false }
        let about = forward.index.map { found[$0] }
        let moment = cache.store.moment(of: group.family)
        let sent = now
        let response: TransportResponse
        do {
            response = try await next(outgoing)
        } catch {
            guard let about, (error as? TransportError)?.isServerUnreachable == true,
                let reply = CachedReply.afterFailure(
                    of: forward, request: seen, stored: about.response, status: nil, now: now, rules: cache.rules),
                let response = try await served(reply, from: about)
            else { throw error }
            return response
        }
        var forward = forward
        if hasNetworkInterceptors && !isAsSeen(response, to: outgoing) || response.isBodyTruncated {
            forward.mayStore = false
        }
        let decision = CacheUpdateDecision(
            response.head, to: forward, request: seen, about: about?.response, sent: sent, now: now, rules: cache.rules)
        for url in decision.invalidated {
            // A change of a resource invalidates it in all partitions.
            await cache.store.remove(family: CacheKey(partition: "", url: url).group.family)
        }
        return try await stored(response, decision: decision, about: about, since: moment, next: next)
    }

    /// Returns true if the fields that select a response were sent as the cache saw them: credentials and `Vary`
    /// fields.
    private func isAsSeen(_ response: TransportResponse, to outgoing: TransportRequest) -> Bool {
        guard let sent = response.sentHeaderFields else { return false }
        var names: Set<HTTPField.Name> = [.cookie, .range, .ifNoneMatch, .ifModifiedSince]
        if response.head.headerFields.contains(.vary) {
            names.formUnion(FieldList.names(.vary, of: response.head.headerFields))
        }
        let before = outgoing.head.headerFields
        guard names.allSatisfy({ sent[values: $0] == before[values: $0] }) else { return false }
        return cache.configuration.partition.knows(outgoing, as: sent)
    }

    private func stored(
        _ response: TransportResponse, decision: CacheUpdateDecision, about: Found?, since moment: CacheMoment,
        next: Interceptor.Next
    ) async throws -> TransportResponse {
        var about = about
        switch decision.storing {
        case .nothing: break
        case .update(let updated):
            if let blob = about?.blob, !response.isSharedResponse {
                await cache.store.update(blob, metadata: updated.encoded)
            }
            about?.response = updated
        case .remove:
            if let blob = about?.blob { await cache.store.remove(blob.key) }
        // A shared response may be older than this request; the request that owns it stores it.
        case .store where response.isSharedResponse: break
        case .store(let kept): return await storing(response, as: kept, report: decision.report, since: moment)
        }
        guard let reply = decision.reply, let about else { return reported(response, with: decision.report) }
        guard var answer = try await served(reply, from: about) else {
            // The body that the server confirmed is corrupt, so it is fetched again.
            await response.finish(time)
            var forward = ForwardedRequest(.uriMiss)
            forward.mayStore = true
            return try await fetched(forward, found: [], next: next)
        }
        await response.finish(time)
        (answer.timings, answer.connection, answer.attempts) = (
            response.timings, response.connection, response.attempts
        )
        answer.sentHeaderFields = response.sentHeaderFields
        answer.receivedCookies = response.head.headerFields.filter { $0.name == .setCookie }
        return answer
    }

    /// Returns the response, which is stored while it is read.
    private func storing(
        _ response: TransportResponse, as kept: StoredResponse, report: CacheReport, since moment: CacheMoment
    ) async -> TransportResponse {
        let length = response.head.headerFields.only(.contentLength).flatMap { Int64($0) }
        let name = BlobKey(group, variant: CacheKey.variant(kept))
        var (response, report) = (response, report)
        report.isStored = false
        if let writer = await cache.write(kept, as: name, length: length, since: moment) {
            if let bytes = response.body.collectedBytes {
                if length == nil || length == Int64(bytes.count), bytes.isEmpty ? true : await writer.write(bytes) {
                    report.isStored = await writer.commit()
                }
            } else {
                response.body = ResponseBody(CacheTee(body: response.body, writer: writer, length: length))
                // A prediction, since the body has not arrived yet.
                report.isStored = true
            }
        } else {
            await cache.store.remove(name)
        }
        if !report.isStored { report.secondsToLive = nil }
        note(report, in: &response)
        return response
    }

    /// The time limit of a background refresh.
    private static let refreshTimeout = Duration.seconds(60)

    /// Fetches the response again in the background while the caller uses the stored one.
    private func refresh(_ forward: ForwardedRequest, found: [Found], next: @escaping Interceptor.Next) {
        var run = self
        run.request.options.scope = nil
        // Independent of the call, which has its response, and not observed. It keeps the base URL of the call, and
        // waits no longer than its own deadline.
        let call = request.options.call
        run.request.options.call = CallContext(
            deadline: time.deadline(after: Self.refreshTimeout), base: call?.base ?? .anywhere, time: time,
            random: call?.random ?? .system)
        run.request.options.progress = nil
        run.request.options.informational = nil
        run.request.options.delivery = .streamed
        // While offline the stored response is sufficient.
        run.request.options.waitsForNetwork = false
        run.request.options.timeouts.shorten(to: Self.refreshTimeout)
        let limit = max(cache.configuration.memoryCapacity, cache.configuration.diskCapacity)
        cache.refresh(key) { [run] in
            guard let response = try? await run.fetched(forward, found: found, next: next) else { return }
            // After a sign-out the cookies of the old session must not be restored.
            guard !Task.isCancelled else { return }
            if let cookies = run.cookies, let origin = try? CookieOrigin(run.request) {
                await cookies.store(cookiesOf: response, from: origin, at: run.time)
            }
            guard response.cacheReport?.isStored == true else { return }
            do {
                var count = 0
                for try await chunk in response.body {
                    count += chunk.count
                    // Too large to be stored.
                    if count > limit { break }
                }
            } catch {
                // The partial body is discarded, and the stored response remains.
            }
        }
    }
}

extension TransportError {
    /// True if the server is unreachable or does not send a valid response: a reason to use a stale response.
    ///
    /// A server that cannot be trusted (TLS) is not a reason.
    package var isServerUnreachable: Bool {
        let codes: [TransportError.Code] = [
            .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
            .notConnectedToInternet, .badServerResponse, .cannotParseResponse,
        ]
        return codes.contains(code)
    }
}
