// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// Validators and conditional requests (RFC 9110, section 13, and RFC 9111, section 4.3).
package enum CacheValidators {
    /// Conditions that a caller may set; with one, a response may not describe the whole resource.
    static let conditions: [HTTPField.Name] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]

    /// Returns true if a request has conditions of its own.
    package static func isConditional(_ request: HTTPFields) -> Bool {
        request.contains { conditions.contains($0.name) }
    }

    /// Returns the fields that validate a stored response; empty if it has no validator.
    package static func conditionFields(for stored: StoredResponse) -> [HTTPField] {
        var conditionFields: [HTTPField] = []
        if let tag = tag(stored.fields) { conditionFields.append(HTTPField(name: .ifNoneMatch, value: tag)) }
        if hasDate(stored), let date = stored.fields.only(.lastModified) {
            conditionFields.append(HTTPField(name: .ifModifiedSince, value: date))
        }
        return conditionFields
    }

    /// Returns true if a stored response has a validator.
    package static func hasValidator(_ stored: StoredResponse) -> Bool { hasDate(stored) || tag(stored.fields) != nil }

    private static func hasDate(_ stored: StoredResponse) -> Bool {
        stored.facts.lastModified.value(now: stored.responseTime) != nil
    }

    /// Returns the entity tag of a response; a tag without quotes is kept, since some servers compare it like that.
    package static func tag(_ fields: HTTPFields) -> String? {
        guard let line = fields.only(.eTag) else { return nil }
        let tag = line.trimmingBlanks
        // A response field may have control characters, but a request field may not.
        return tag.isEmpty || !tag.utf8.allSatisfy(HeaderRules.isValueByte) ? nil : String(tag)
    }

    /// Returns true for a strong entity tag.
    package static func isStrong(_ tag: String) -> Bool { tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.count >= 2 }

    /// Returns true if two entity tags match by weak comparison.
    package static func matchesWeakly(_ one: String, with other: String) -> Bool { opaque(one) == opaque(other) }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Returns true if the caller already has a stored response; `nil` if the request has no such condition.
    package static func isNotModified(_ stored: StoredResponse, request: HTTPFields, now: Int64) -> Bool? {
        if request.contains(.ifNoneMatch) {
            let requested = FieldList.members(.ifNoneMatch, of: request)
            guard let tag = tag(stored.fields) else { return requested == ["*"] }
            return requested == ["*"] || requested.contains { matchesWeakly($0, with: tag) }
        }
        guard request.contains(.ifModifiedSince) else { return nil }
        guard let since = CacheDate(.ifModifiedSince, of: request).value(now: now) else { return nil }
        // Without `Last-Modified`, the response may have changed as late as it was generated.
        let changed =
            stored.facts.lastModified.value(now: now)
            ?? stored.facts.date.value(now: now) ?? stored.responseTime
        return changed <= since
    }

    /// Returns true if a 304 to the cache's own conditions refers to a stored response (RFC 9111, section 4.3.4).
    package static func agree(_ stored: HTTPFields, with answer: HTTPFields) -> Bool {
        guard let newTag = tag(answer) else { return true }
        guard let tag = tag(stored) else { return !isStrong(newTag) }
        return isStrong(newTag) ? newTag == tag : matchesWeakly(newTag, with: tag)
    }

    /// Returns true if a 304 to the caller's own conditions also confirms a stored response.
    package static func confirms(_ stored: StoredResponse, request: HTTPFields, answer: HTTPFields) -> Bool {
        if let tag = tag(stored.fields), isStrong(tag) {
            if let newTag = self.tag(answer) { return newTag == tag }
            return FieldList.members(.ifNoneMatch, of: request) == [tag]
        }
        let changed = stored.fields[values: .lastModified]
        guard changed.count == 1, !request.contains(.ifNoneMatch) else { return false }
        return request[values: .ifModifiedSince] == changed
            && (!answer.contains(.lastModified) || answer[values: .lastModified] == changed)
    }

    /// Returns true if `If-Range` allows a range of a stored response; only a strong entity tag is sufficient.
    package static func allowsRange(_ stored: StoredResponse, request: HTTPFields) -> Bool? {
        guard request.contains(.ifRange) else { return true }
        let requested = request[values: .ifRange]
        guard requested.count == 1, isStrong(requested[0]), let tag = tag(stored.fields) else { return nil }
        return requested[0] == tag
    }
}
