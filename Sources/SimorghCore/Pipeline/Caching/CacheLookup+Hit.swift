// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension CacheLookup {
    /// Returns the response from memory; `nil` if it needs a disk, a server or another step.
    ///
    /// The response is the one that ``CacheExchange`` would return.
    func hit(
        in store: BlobStore, of cache: HTTPCache, for request: TransportRequest, _ fields: HTTPFields, now: Int64
    ) -> TransportResponse? {
        guard seen.isCacheable, let blobs = store.blobsInMemory(in: key.group), !blobs.isEmpty else { return nil }
        let stored = blobs.compactMap { ParsedStoredResponse.response(of: $0) }
        guard stored.count == blobs.count,
            case .reply(let reply) = CacheDecision(seen, stored: stored, now: now, rules: cache.rules),
            reply.refresh == nil, !RedirectStateMachine.isRedirect(stored[reply.index].status),
            case .bytes = blobs[reply.index].body
        else { return nil }
        let length = blobs[reply.index].length
        // A body over the limit fails in the pipeline, which reports the error.
        if case .collected(let limit) = request.options.delivery, length > limit { return nil }
        let (head, octets) = reply.headAndRange(of: stored[reply.index], length: length)
        return reply.response(head: head, body: blobs[reply.index].responseBody(octets))
    }
}

extension CachedReply {
    /// Creates the response of the cache.
    func response(head: HTTPResponse, body: ResponseBody) -> TransportResponse {
        TransportResponse(
            head: head, body: body, timings: ExchangeTimings(), connection: nil, ending: nil, attempts: 0,
            cacheReport: report, receivedCookies: [])
    }
}

extension CacheReport {
    /// The `Cache-Status` header field.
    var field: HTTPField { HTTPField(name: CacheFields.cacheStatus, value: description) }

    /// Reports to the observers of a call.
    func notify(_ call: CallContext?, of request: TransportRequest) {
        guard let call, call.isObserved else { return }
        call.report { .cache(CacheEvent(self, request: request, callID: call.id, showing: $0)) }
    }
}
