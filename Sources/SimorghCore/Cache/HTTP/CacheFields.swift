// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// Which header fields of a response a cache keeps (RFC 9111, sections 3.1 and 3.2).
package enum CacheFields {
    /// `Cache-Status` of RFC 9211.
    package static let cacheStatus = HTTPField.Name.known("Cache-Status")
    /// Names what a response is part of, so that all of it can be purged at once.
    package static let cacheTag = HTTPField.Name.known("Cache-Tag")
    package static let pragma = HTTPField.Name.known("Pragma")
    package static let contentRange = HTTPField.Name.known("Content-Range")

    /// Fields that concern one connection, or a proxy, and not the response.
    private static let hopByHop: Set<HTTPField.Name> = Set(
        [
            "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
            "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        ].map { HTTPField.Name.known($0) })

    /// What describes the stored body, which a 304 does not change.
    private static let ofTheBody: Set<HTTPField.Name> = [.contentLength, .contentEncoding, .contentType, contentRange]

    /// The fields to keep of a response.
    ///
    /// - Parameters:
    ///   - fields: All of them.
    ///   - control: What the response says of caching; fields that it wants validated each time are not kept.
    /// - Returns: The fields.
    package static func kept(_ fields: HTTPFields, _ control: CacheControl) -> HTTPFields {
        kept(fields, without: dropped(fields, control))
    }

    /// Up to so many names are looked for one by one; a server may name thousands.
    private static let fewNames = 8

    /// The fields that have none of some names, in their order.
    static func kept(_ fields: HTTPFields, without dropped: [HTTPField.Name]) -> HTTPFields {
        guard dropped.count <= fewNames else {
            let names = Set(dropped)
            return HTTPFields(fields.filter { !names.contains($0.name) })
        }
        var kept = fields
        // For a few names. To append the others to new fields, one by one, costs several times as much.
        for name in dropped { kept[name] = nil }
        return kept
    }

    /// The names of the fields of a response that are not kept.
    static func dropped(_ fields: HTTPFields, _ control: CacheControl) -> [HTTPField.Name] {
        var others = control.fieldsNotCached
        // Most servers say keep-alive, and that field is dropped anyway.
        if fields.has(.connection), fields.only(.connection) != "keep-alive" {
            others += FieldList.names(.connection, of: fields)
        }
        let names = others.count > fewNames ? Set(others) : []
        var dropped: [HTTPField.Name] = []
        for index in fields.indices {
            let name = fields[index].name
            let isNamed = names.isEmpty ? others.contains(name) : names.contains(name)
            if isNamed || isHopByHop(name) { dropped.append(name) }
        }
        return dropped
    }

    /// The lengths of those names: by them most others are told apart, without a hash.
    private static let lengths = hopByHop.reduce(UInt64(0)) { $0 | 1 << UInt64($1.canonicalName.utf8.count) }

    private static func isHopByHop(_ name: HTTPField.Name) -> Bool {
        let length = name.canonicalName.utf8.count
        return length < 64 && lengths & (1 << UInt64(length)) != 0 && hopByHop.contains(name)
    }

    /// The stored fields after a response without a body said that they still hold, or how they changed.
    ///
    /// - Parameters:
    ///   - stored: The fields that were kept.
    ///   - news: The fields of the 304, or of the answer to a HEAD.
    /// - Returns: The fields to keep from now on.
    package static func merged(_ stored: HTTPFields, with news: HTTPFields) -> HTTPFields {
        let news = kept(news, CacheControl(news)).filter { !ofTheBody.contains($0.name) }
        var replaced = Set(news.map(\.name))
        // Both tell when the response was made: without new ones, that was when this answer came.
        replaced.formUnion([.age, .date])
        var merged = HTTPFields()
        for field in stored where !replaced.contains(field.name) { merged.append(field) }
        for field in news { merged.append(field) }
        return merged
    }
}
