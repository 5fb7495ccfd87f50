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
        var dropped = hopByHop.union(control.fieldsNotCached)
        if fields.has(.connection) { dropped.formUnion(FieldList.names(.connection, of: fields)) }
        var kept = HTTPFields()
        for field in fields where !dropped.contains(field.name) { kept.append(field) }
        return kept
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
