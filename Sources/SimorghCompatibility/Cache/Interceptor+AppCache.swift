// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension Interceptor {
    /// Answers a call from an application's cache, if its answer is there.
    ///
    /// New answers are kept by the call itself, once they have been decoded.
    ///
    /// - Parameters:
    ///   - ticket: The call's way into the cache.
    ///   - isAnonymous: Whether credentials are added below, so that only a named partition can be used.
    ///   - hasStepsBelow: Whether steps below may send other credentials than are seen here.
    ///   - cookies: Where cookies come from that are added below.
    ///   - time: Tells which of them are over.
    /// - Returns: The step.
    package static func appCache(
        _ ticket: AppCacheTicket, isAnonymous: Bool, hasStepsBelow: Bool = false, cookies: (any CookieStore)? = nil,
        time: TimeSource = .system
    ) -> Interceptor {
        Interceptor { request, next in
            let partition = ticket.cache.configuration.partition
            let isAnonymous = isAnonymous || request.options.tls.identifies
            guard request.head.method == .get, ticket.level != .none, !(isAnonymous && partition == .credentials),
                !request.options.tls.isUnverified, request.isNamedByURL, !request.head.headerFields.has(.range),
                let url = CacheKey.normalized(request.urlString)
            else {
                guard ticket.purpose == .answer else { throw CancellationError() }
                return try await next(request)
            }
            let owner =
                await partition.text(for: request, withCookiesOf: cookies, at: time) + request.surroundings
            let key = AppCacheKey(
                ticket.kind, partition: owner, name: ticket.name ?? url,
                selection: ticket.name == nil ? request.selection : "")
            let asked = ticket.name == nil ? request.head.headerFields : nil
            if ticket.purpose == .locate {
                ticket.note(key, isHit: false, ticket.cache.moment(key), asked)
                throw CancellationError()
            }
            let found = await ticket.cache.found(key, ticket.level, for: asked)
            // Not before that: what is forgotten meanwhile is no reason not to keep the answer to what is sent then.
            let moment = ticket.cache.moment(key)
            ticket.note(key, isHit: found != nil, moment, asked)
            if let found, !found.isStale { return answer(found, to: request, isStale: false) }
            guard ticket.purpose == .answer else { throw CancellationError() }
            do {
                var outgoing = request
                // What stands in for a server that is away does so at once when nobody is there.
                if found != nil { outgoing.options.waitsForNetwork = false }
                let response = try await next(outgoing)
                if response.isFollowing {
                    // It was asked for before this call perhaps came to be; whose request it was keeps it.
                    ticket.forget()
                } else if hasStepsBelow, response.cacheReport?.isHit != true,
                    !partition.knows(request, as: response.sentFields)
                {
                    // Whose answer it is, only a step below knows.
                    ticket.forget()
                } else {
                    ticket.note(key, isHit: false, moment, asked)
                }
                return response
            } catch let error as TransportError {
                guard let found, error.meansServerIsAway else { throw error }
                return answer(found, to: request, isStale: true)
            }
        }
    }

    /// Answers a call from the application's cache, if the call has a way into it.
    static func appCache(_ configuration: APIClient.Configuration) -> Interceptor? {
        configuration.appCacheTicket.map {
            .appCache(
                $0, isAnonymous: configuration.isAnonymousAbove,
                hasStepsBelow: !configuration.networkInterceptors.isEmpty, cookies: configuration.cookies,
                time: configuration.time)
        }
    }

    private static func answer(
        _ found: AppCache.Found, to request: TransportRequest, isStale: Bool
    ) -> TransportResponse {
        // Its cookies were set when it came.
        var response = TransportResponse(
            head: HTTPResponse(
                status: HTTPResponse.Status(code: found.response.status), headerFields: found.response.fields),
            body: ResponseBody(found.body))
        response.attempts = 0
        let report = CacheReport(isStale: isStale, detail: "application")
        response.head.headerFields.append(HTTPField(name: CacheFields.cacheStatus, value: report.description))
        response.cacheReport = report
        if let call = request.options.call {
            call.report { .cache(CacheEvent(report, request, callID: call.id, showing: $0)) }
        }
        return response
    }
}

extension TransportRequest {
    /// What the request says of the answer that it wants, besides its URL.
    fileprivate var selection: String {
        let names: [HTTPField.Name] = [.accept, .acceptLanguage]
        guard names.contains(where: { head.headerFields.has($0) }) else { return "" }
        return names.map { head.headerFields[$0] ?? "" }.joined(separator: "\n")
    }
}

extension CachePartition {
    /// The text for keys, with what cookies say of who asks.
    fileprivate func text(
        for request: TransportRequest, withCookiesOf store: (any CookieStore)?, at time: TimeSource
    ) async -> String {
        let text = text(for: request)
        guard case .credentials = self else { return text }
        var cookies = request.head.headerFields[fields: .cookie].map(\.exactText).joined(separator: "; ")
        if let store, let origin = try? CookieOrigin(request) {
            let kept = await store.withJar { jar in
                jar.header(for: origin, isSafe: true, isCrossSite: false, without: [], at: time.now)
            }
            cookies += "\n" + HTTPField.exactText(of: kept ?? [])
        }
        guard !cookies.isEmpty, cookies != "\n" else { return text }
        return text + ";" + CacheVary.hashed(cookies)
    }
}
