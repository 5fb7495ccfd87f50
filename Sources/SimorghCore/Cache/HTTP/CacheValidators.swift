// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// Conditions on requests, and what a cache can say to them (RFC 9110, section 13, and RFC 9111, section 4.3).
package enum CacheValidators {
    /// Conditions that a caller may set of its own; with one, an answer may say nothing of the whole resource.
    private static let conditions: [HTTPField.Name] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]

    /// Whether a request has conditions of its own.
    package static func isConditional(_ request: HTTPFields) -> Bool {
        request.contains { conditions.contains($0.name) }
    }

    /// The fields that ask the server whether a stored response still holds; none where it has no validator.
    package static func questions(for stored: StoredResponse) -> [HTTPField] {
        var questions: [HTTPField] = []
        if let tag = tag(stored.fields) { questions.append(HTTPField(name: .ifNoneMatch, value: tag)) }
        if hasDate(stored), let date = stored.fields.only(.lastModified) {
            questions.append(HTTPField(name: .ifModifiedSince, value: date))
        }
        return questions
    }

    /// True if the server can be asked whether a stored response still holds.
    package static func canAsk(_ stored: StoredResponse) -> Bool { hasDate(stored) || tag(stored.fields) != nil }

    private static func hasDate(_ stored: StoredResponse) -> Bool {
        stored.facts.lastModified.value(now: stored.responseTime) != nil
    }

    /// The entity tag of a response; one without its quotes is taken as it is, for there are servers that compare it so.
    package static func tag(_ fields: HTTPFields) -> String? {
        guard let line = fields.only(.eTag) else { return nil }
        let tag = line.trimmingBlanks
        // A response may have control characters in a field, a request not.
        return tag.isEmpty || !tag.utf8.allSatisfy(HeaderRules.isValueByte) ? nil : String(tag)
    }

    /// Whether a tag is one that changes with every octet.
    package static func isStrong(_ tag: String) -> Bool { tag.utf8.first == UInt8(ascii: "\"") && tag.utf8.count >= 2 }

    /// Whether two tags name the same representation, octets aside.
    package static func matchesWeakly(_ one: String, _ other: String) -> Bool { opaque(one) == opaque(other) }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Whether a stored response is what the caller says it has already; `nil` where the caller does not ask.
    package static func isNotModified(_ stored: StoredResponse, request: HTTPFields, now: Int64) -> Bool? {
        if request.has(.ifNoneMatch) {
            let wanted = FieldList.members(.ifNoneMatch, of: request)
            guard let tag = tag(stored.fields) else { return wanted == ["*"] }
            return wanted == ["*"] || wanted.contains { matchesWeakly($0, tag) }
        }
        guard request.has(.ifModifiedSince) else { return nil }
        guard let since = CacheDate(.ifModifiedSince, of: request).value(now: now) else { return nil }
        // Without a date of its last change, the response can have changed as late as it was made.
        let changed =
            stored.facts.lastModified.value(now: now)
            ?? stored.facts.date.value(now: now) ?? stored.responseTime
        return changed <= since
    }

    /// Whether the answer "not modified" to the cache's own question is about a stored response (RFC 9111, section 4.3.4).
    package static func agree(_ stored: HTTPFields, _ answer: HTTPFields) -> Bool {
        guard let news = tag(answer) else { return true }
        guard let tag = tag(stored) else { return !isStrong(news) }
        return isStrong(news) ? news == tag : matchesWeakly(news, tag)
    }

    /// Whether the answer "not modified" to the caller's own condition also says that a stored response holds.
    package static func confirms(_ stored: StoredResponse, request: HTTPFields, answer: HTTPFields) -> Bool {
        if let tag = tag(stored.fields), isStrong(tag) {
            if let news = self.tag(answer) { return news == tag }
            return FieldList.members(.ifNoneMatch, of: request) == [tag]
        }
        let changed = stored.fields[values: .lastModified]
        guard changed.count == 1, !request.has(.ifNoneMatch) else { return false }
        return request[values: .ifModifiedSince] == changed
            && (!answer.has(.lastModified) || answer[values: .lastModified] == changed)
    }

    /// Whether a range may be cut from a stored response, as far as `If-Range` goes; only a strong tag is sure enough.
    package static func allowsRange(_ stored: StoredResponse, request: HTTPFields) -> Bool? {
        guard request.has(.ifRange) else { return true }
        let wanted = request[values: .ifRange]
        guard wanted.count == 1, isStrong(wanted[0]), let tag = tag(stored.fields) else { return nil }
        return wanted[0] == tag
    }
}
