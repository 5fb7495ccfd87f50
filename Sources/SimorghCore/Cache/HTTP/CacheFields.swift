// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// The rules for storing header fields of a response (RFC 9111, sections 3.1 and 3.2).
package enum CacheFields {
    /// `Cache-Status` (RFC 9211).
    package static let cacheStatus = HTTPField.Name.known("Cache-Status")
    /// `Cache-Tag`, whose tags allow related responses to be removed together.
    package static let cacheTag = HTTPField.Name.known("Cache-Tag")
    package static let pragma = HTTPField.Name.known("Pragma")
    package static let contentRange = HTTPField.Name.known("Content-Range")

    /// Fields that concern one connection or a proxy, and not the response.
    private static let hopByHop: Set<HTTPField.Name> = Set(
        [
            "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
            "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        ].map { HTTPField.Name.known($0) })

    /// Fields that describe the stored body, which a 304 does not change.
    private static let bodyFields: Set<HTTPField.Name> = [.contentLength, .contentEncoding, .contentType, contentRange]

    /// Returns the fields of a response to store.
    ///
    /// - Parameters:
    ///   - fields: All fields.
    ///   - control: The response's directives; the fields of `no-cache` are not stored.
    /// - Returns: The fields to store.
    package static func kept(_ fields: HTTPFields, control: CacheControl) -> HTTPFields {
        kept(fields, without: dropped(fields, control: control))
    }

    /// The maximum number of names for a linear search; a server may list thousands.
    private static let maximumLinearNames = 8

    /// Returns the fields without those of some names, in order.
    static func kept(_ fields: HTTPFields, without dropped: [HTTPField.Name]) -> HTTPFields {
        guard dropped.count <= maximumLinearNames else {
            let names = Set(dropped)
            return HTTPFields(fields.filter { !names.contains($0.name) })
        }
        var kept = fields
        // For a few names this costs a fraction of appending the other fields to a new collection.
        for name in dropped { kept[name] = nil }
        return kept
    }

    /// Returns the names of the fields that are not stored.
    static func dropped(_ fields: HTTPFields, control: CacheControl) -> [HTTPField.Name] {
        var others = control.fieldsNotCached
        // Most servers send `keep-alive`, and that field is dropped anyway.
        if fields.contains(.connection), fields.only(.connection) != "keep-alive" {
            others += FieldList.names(.connection, of: fields)
        }
        let names = others.count > maximumLinearNames ? Set(others) : []
        var dropped: [HTTPField.Name] = []
        for index in fields.indices {
            let name = fields[index].name
            let isNamed = names.isEmpty ? others.contains(name) : names.contains(name)
            if isNamed || isHopByHop(name) { dropped.append(name) }
        }
        return dropped
    }

    /// The lengths of those names, as a bit set: they exclude most other names without hashing.
    private static let lengths = hopByHop.reduce(UInt64(0)) { $0 | 1 << UInt64($1.canonicalName.utf8.count) }

    private static func isHopByHop(_ name: HTTPField.Name) -> Bool {
        let length = name.canonicalName.utf8.count
        return length < 64 && lengths & (1 << UInt64(length)) != 0 && hopByHop.contains(name)
    }

    /// Returns the stored fields, updated with those of a response without a body.
    ///
    /// - Parameters:
    ///   - stored: The stored fields.
    ///   - newFields: The fields of the 304, or of the response to a HEAD.
    /// - Returns: The fields to store from now on.
    package static func merged(_ stored: HTTPFields, with newFields: HTTPFields) -> HTTPFields {
        let newFields = kept(newFields, control: CacheControl(newFields)).filter { !bodyFields.contains($0.name) }
        var replaced = Set(newFields.map(\.name))
        // Both describe when the response was generated; if they are missing now, that is the time of the new response.
        replaced.formUnion([.age, .date])
        var merged = HTTPFields()
        for field in stored where !replaced.contains(field.name) { merged.append(field) }
        for field in newFields { merged.append(field) }
        return merged
    }
}
