// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

/// The start of the cache tests' time: 1 January 2026, in milliseconds.
let cacheStart: Int64 = 1_767_225_600_000

extension StoredResponse {
    /// Creates a response to `https://a.example/x` received at ``cacheStart``, with the given fields.
    static func sample(
        _ fields: [(String, String)], status: Int = 200, request: [(String, String)] = [], isDecoded: Bool = true
    ) -> StoredResponse {
        let fields = HTTPFields.sample(fields)
        return StoredResponse(
            url: "https://a.example/x", partition: "", status: status, fields: fields,
            selectors: CacheVary.selectors(for: fields, control: CacheControl(fields), request: .sample(request)) ?? [],
            requestTime: cacheStart, responseTime: cacheStart, isDecoded: isDecoded)
    }
}

extension HTTPFields {
    /// Creates fields with the given names and values.
    static func sample(_ fields: [(String, String)]) -> HTTPFields {
        var result = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { result.append(HTTPField(name: name, value: value)) }
        }
        return result
    }
}

extension CacheRequest {
    static func sample(
        _ fields: [(String, String)] = [], method: String = "GET", strategy: CacheStrategy = .useProtocolCachePolicy
    ) -> CacheRequest {
        CacheRequest(method: method, url: "https://a.example/x", fields: .sample(fields), strategy: strategy)
    }
}

extension CacheDecision {
    /// The decision as a word: `hit`, `stale`, `304`, `206`, `head`, `refresh`, `ask` (conditional), `send`, `504`,
    /// `error`.
    var word: String {
        switch self {
        case .reply(let reply) where reply.refresh != nil: "refresh"
        case .reply(let reply):
            switch reply.shape {
            case .whole: reply.report.isStale ? "stale" : "hit"
            case .head: "head"
            case .notModified: "304"
            case .part: "206"
            }
        case .forward(let forward): forward.isOwnCondition ? "ask" : "send"
        case .refuse(.onlyIfCached): "504"
        case .refuse(.strategy): "error"
        }
    }
}
