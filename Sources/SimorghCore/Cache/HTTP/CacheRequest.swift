// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A request, as far as a cache looks at it.
package struct CacheRequest: Sendable, Equatable {
    package var method: String
    /// The URL, without a fragment.
    package var url: String
    /// The fields, without what the transport adds.
    package var fields: HTTPFields
    /// Whose request it is.
    package var partition: String
    /// Whether the transport undoes the coding of the body.
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

    /// The fields as the server gets them: what the transport asks for by itself is one way of asking, too.
    package var sentFields: HTTPFields {
        guard isDecoded, !fields.has(.acceptEncoding) else { return fields }
        return fields + [HTTPField(name: .acceptEncoding, value: "simorgh")]
    }

    /// What the request says of caching; `Pragma: no-cache` counts where there is no `Cache-Control`.
    package var control: CacheControl {
        guard !fields.has(.cacheControl), fields.has(CacheFields.pragma),
            FieldList.members(CacheFields.pragma, of: fields).contains(where: { $0.lowercased() == "no-cache" })
        else { return CacheControl(fields) }
        return CacheControl([.cacheControl: "no-cache"])
    }

    /// Whether its answer can be one that is stored, or made of one that is.
    package var isCacheable: Bool { method == "GET" || method == "HEAD" }

    /// Whether a stored response fits the request; whether it is fresh is another question.
    package func matches(_ stored: StoredResponse) -> Bool {
        stored.url == url && stored.partition == partition
            && (stored.isDecoded == isDecoded || !stored.facts.isEncoded)
            && (stored.selectors.isEmpty || CacheVary.matches(stored.selectors, request: sentFields))
    }

    /// The stored response for the request: of several that fit, the one that was made last (RFC 9111, section 4).
    package func best(of stored: [StoredResponse], now: Int64) -> Int? {
        func made(_ index: Int) -> (Int64, Int64) {
            (
                stored[index].facts.date.value(now: now) ?? stored[index].responseTime,
                stored[index].responseTime
            )
        }
        // Mostly there is one.
        if stored.count == 1 { return matches(stored[0]) ? 0 : nil }
        return stored.indices.filter { matches(stored[$0]) }.max { made($0) < made($1) }
    }
}
