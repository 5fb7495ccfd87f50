// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

/// The entries of a cache as JSON objects.
enum CacheRecord {
    /// Returns a response without its header fields, for `ls`.
    static func summary(of entry: HTTPCache.Entry) -> JSON { .object(members(of: entry)) }

    /// Returns a response with its header fields, for `show`: in order, because names may repeat, and with secrets
    /// redacted.
    static func whole(of entry: HTTPCache.Entry) -> JSON {
        let fields = Redactor(.standard).fields(entry.headers)
        var members = Self.members(of: entry)
        members["headers"] = .array(
            fields.map { field in .object(["name": .string(field.name), "value": .string(field.value)]) })
        return .object(members)
    }

    /// Returns named numbers.
    static func counts(_ counts: [String: Int64]) -> JSON { .object(counts.mapValues { .number(JSON.Number($0)) }) }

    private static func members(of entry: HTTPCache.Entry) -> [String: JSON] {
        [
            "url": .string(entry.url),
            "status": .number(JSON.Number(Int64(entry.statusCode))),
            "bytes": .number(JSON.Number(entry.length)),
            "time": .string(Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(entry.date)),
            "age": .number(JSON.Number(entry.age)),
            "secondsToLive": .number(JSON.Number(entry.secondsToLive)),
            "tags": .array(entry.tags.map { .string($0) }),
        ]
    }
}
#endif
