// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The properties of a request that matter to the cache.
package struct CacheRequest: Sendable, Equatable {
    package var method: String
    /// The URL, without a fragment.
    package var url: String
    /// The header fields, without those that the transport adds.
    package var fields: HTTPFields
    /// The partition of the request.
    package var partition: String
    /// True if the transport decompresses the body.
    package var isDecoded: Bool
    package var strategy: CacheStrategy

    package init(
        method: String = "GET", url: String, fields: HTTPFields = HTTPFields(), partition: String = "",
        isDecoded: Bool = true, strategy: CacheStrategy = .useProtocolCachePolicy
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.partition = partition
        self.isDecoded = isDecoded
        self.strategy = strategy
    }

    /// The fields as the server gets them, with a placeholder for the encodings that the transport requests.
    package var sentHeaderFields: HTTPFields {
        guard isDecoded, !fields.contains(.acceptEncoding) else { return fields }
        return fields + [HTTPField(name: .acceptEncoding, value: "simorgh")]
    }

    /// The caching directives of the request; `Pragma: no-cache` counts if there is no `Cache-Control`.
    package var control: CacheControl {
        guard !fields.contains(.cacheControl), fields.contains(CacheFields.pragma),
            FieldList.members(CacheFields.pragma, of: fields).contains(where: { $0.lowercased() == "no-cache" })
        else { return CacheControl(fields) }
        return CacheControl([.cacheControl: "no-cache"])
    }

    /// True if a stored response can answer the request.
    package var isCacheable: Bool { method == "HEAD" || isRead }

    /// True if the response is the complete representation: the method is GET or QUERY.
    package var isRead: Bool { method == "GET" || method == "QUERY" }

    /// Returns true if a stored response matches the request, fresh or not.
    package func matches(_ stored: StoredResponse) -> Bool {
        stored.url == url && stored.partition == partition
            && (stored.isDecoded == isDecoded || !stored.facts.isEncoded)
            && (stored.selectors.isEmpty || CacheVary.matches(stored.selectors, request: sentHeaderFields))
    }

    /// Returns the index of the most recent matching response (RFC 9111, section 4).
    package func best(of stored: [StoredResponse], now: Int64) -> Int? {
        func dates(_ index: Int) -> (Int64, Int64) {
            (
                stored[index].facts.date.value(now: now) ?? stored[index].responseTime,
                stored[index].responseTime
            )
        }
        // Usually there is one.
        if stored.count == 1 { return matches(stored[0]) ? 0 : nil }
        return stored.indices.filter { matches(stored[$0]) }.max { dates($0) < dates($1) }
    }
}
