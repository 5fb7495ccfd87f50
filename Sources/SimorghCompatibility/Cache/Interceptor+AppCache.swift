// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension Interceptor {
    /// Answers a call from an application cache, if it has the response.
    ///
    /// The call itself stores new responses, once they have been decoded.
    ///
    /// - Parameters:
    ///   - ticket: The call's application cache ticket.
    ///   - addsCredentialsLater: True if credentials are added by a later step, so that only a named partition can be
    ///     used.
    ///   - hasNetworkInterceptors: True if there are network interceptors, which may change the credentials seen here.
    ///   - cookies: The store from which a later step adds cookies.
    ///   - time: The clock that determines which cookies have expired.
    /// - Returns: The interceptor.
    package static func appCache(
        _ ticket: AppCacheTicket, addsCredentialsLater: Bool, hasNetworkInterceptors: Bool = false,
        cookies: (any CookieStore)? = nil, time: TimeSource = .system
    ) -> Interceptor {
        Interceptor { request, next in
            let partition = ticket.cache.configuration.partition
            // The request carries credentials that are not in its header fields here.
            let hasHiddenCredentials = addsCredentialsLater || request.options.tls.identifies
            guard request.head.method == .get, ticket.level != .none,
                !(hasHiddenCredentials && partition == .credentials),
                !request.options.tls.isUnverified, request.isNamedByURL, !request.head.headerFields.contains(.range),
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
            let requestFields = ticket.name == nil ? request.head.headerFields : nil
            if ticket.purpose == .locate {
                ticket.note(key, isHit: false, moment: ticket.cache.moment(key), request: requestFields)
                throw CancellationError()
            }
            let found = await ticket.cache.found(key, level: ticket.level, for: requestFields)
            // Taken after the lookup: a removal during the lookup must not prevent storing the response to a request
            // sent later.
            let moment = ticket.cache.moment(key)
            ticket.note(key, isHit: found != nil, moment: moment, request: requestFields)
            if let found, !found.isStale { return answer(found, to: request, isStale: false) }
            guard ticket.purpose == .answer else { throw CancellationError() }
            do {
                var outgoing = request
                // With a stale entry as fallback, fail at once if there is no network.
                if found != nil { outgoing.options.waitsForNetwork = false }
                let response = try await next(outgoing)
                if response.isSharedResponse {
                    // Another caller's request fetched this, perhaps before this call began; that caller stores it.
                    ticket.forget()
                } else if hasNetworkInterceptors, response.cacheReport?.isHit != true,
                    !partition.knows(request, as: response.sentHeaderFields)
                {
                    // Only a network interceptor knows whose credentials this response belongs to.
                    ticket.forget()
                } else {
                    ticket.note(key, isHit: false, moment: moment, request: requestFields)
                }
                return response
            } catch let error as TransportError {
                guard let found, error.isServerUnreachable else { throw error }
                return answer(found, to: request, isStale: true)
            }
        }
    }

    /// Answers a call from the application cache, if the call has a ticket.
    static func appCache(_ configuration: APIClient.Configuration) -> Interceptor? {
        configuration.appCacheTicket.map {
            .appCache(
                $0, addsCredentialsLater: configuration.addsCredentialsBelowCache,
                hasNetworkInterceptors: !configuration.networkInterceptors.isEmpty, cookies: configuration.cookies,
                time: configuration.time)
        }
    }

    private static func answer(
        _ found: AppCache.Found, to request: TransportRequest, isStale: Bool
    ) -> TransportResponse {
        // Its cookies were stored when it first arrived.
        var response = TransportResponse(
            head: HTTPResponse(
                status: HTTPResponse.Status(code: found.response.status), headerFields: found.response.fields),
            body: ResponseBody(found.body))
        response.attempts = 0
        let report = CacheReport(isStale: isStale, detail: "application")
        response.head.headerFields.append(HTTPField(name: CacheFields.cacheStatus, value: report.description))
        response.cacheReport = report
        if let call = request.options.call {
            call.report { .cache(CacheEvent(report, request: request, callID: call.id, showing: $0)) }
        }
        return response
    }
}

extension TransportRequest {
    /// The request's content negotiation fields, which select a response of the URL.
    fileprivate var selection: String {
        let names: [HTTPField.Name] = [.accept, .acceptLanguage]
        guard names.contains(where: { head.headerFields.contains($0) }) else { return "" }
        return names.map { head.headerFields[$0] ?? "" }.joined(separator: "\n")
    }
}

extension CachePartition {
    /// Returns the text of the partition in keys, including the cookies that identify the user.
    fileprivate func text(
        for request: TransportRequest, withCookiesOf store: (any CookieStore)?, at time: TimeSource
    ) async -> String {
        let text = text(for: request)
        guard case .credentials = self else { return text }
        var cookies = request.head.headerFields[fields: .cookie].map(\.exactText).joined(separator: "; ")
        if let store, let origin = try? CookieOrigin(request) {
            let stored = await store.withJar { jar in
                jar.header(for: origin, isSafe: true, isCrossSite: false, without: [], at: time.now)
            }
            cookies += "\n" + HTTPField.exactText(of: stored ?? [])
        }
        guard !cookies.isEmpty, cookies != "\n" else { return text }
        return text + ";" + CacheVary.hashed(cookies)
    }
}
