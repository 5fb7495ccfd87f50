// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Takes secrets out of what is kept of an exchange, the same way each time, so that what is left can be compared.
///
/// It knows the names that logs know, and shows more of the rest than they do: what a URL, a form and JSON are made of stays.
struct SecretScrubber: Sendable {
    /// Shorter secrets are not looked for elsewhere: they may be any word.
    private static let shortest = 8

    private let rules: RedactionRules

    /// Creates a scrubber.
    ///
    /// - Parameter names: More names of secrets: of fields, of query items, of members in JSON.
    init(names: Set<String> = []) {
        var rules = RedactionRules()
        rules.names = names
        self.rules = rules
    }

    private func isSecret(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let plain = SecretNames.plain(name)
        return rules.isSecret(own: plain) || SecretNames.tellsWhenKept(plain, inQuery: inQuery)
    }

    /// A header field's value as it may be kept.
    func value(_ field: HTTPField) -> String {
        let name = field.name.canonicalName
        // Those of CORS speak of credentials and hold none.
        if name.hasPrefix("access-control-") { return field.value }
        if Redaction.places.contains(name) { return url(field.value) }
        return isSecret(name.utf8) ? Redaction.masked(field.value) : Redaction.shown(field)
    }

    /// A URL without its user's name and password, and without the values of secret items in its query and fragment.
    func url(_ url: String) -> String {
        let url = ShownURL.withoutCredentials(url)
        guard let mark = url.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return url }
        let parts = url[url.index(after: mark)...].split(separator: "#", omittingEmptySubsequences: false)
        return url[...mark] + parts.map { items($0) }.joined(separator: "#")
    }

    /// `a=1&token=2` with its secrets hidden.
    private func items(_ text: Substring) -> String {
        RedactionRules.hideItems(of: text) { isSecret($0, inQuery: true) }
    }

    /// A body with its secrets hidden: those that its media type names, and these, the longest first, wherever they stand.
    func body(_ body: Data, contentType: String?, hiding secrets: [String]) -> Data {
        let scrubbed = self.scrubbed(body, type: contentType?.lowercased() ?? "")
        guard let text = String(validating: scrubbed, as: UTF8.self) else { return scrubbed }
        return Data(Redactor.hide(secrets, in: text).utf8)
    }

    /// The secrets themselves that a request's fields and the query of its URL hold, the longest first: what is to be hidden
    /// wherever it stands.
    func secrets(in fields: HTTPFields, url: String) -> [String] {
        var found: Set<String> = []
        for field in fields where value(field) != field.value && isSecret(field.name.canonicalName.utf8) {
            // Of `Bearer abc` the token, of `a=b; c=d` each value.
            for part in field.value.split(whereSeparator: { " ;,".contains($0) }) {
                found.insert(part.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
            }
        }
        for item in FormURLEncoded.parse(Target(url).query ?? "") where isSecret(item.name.utf8, inQuery: true) {
            found.insert(item.value)
        }
        return found.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    }

    private func scrubbed(_ body: Data, type: String) -> Data {
        if type.contains("x-www-form-urlencoded"), let text = String(validating: body, as: UTF8.self) {
            return Data(items(text[...]).utf8)
        }
        guard type.contains("json") || type.isEmpty, let json = try? JSON(parsing: body) else { return body }
        let scrubbed = self.json(json)
        // What has no secret stays as it was written.
        guard scrubbed != json, let bytes = try? scrubbed.data() else { return body }
        return bytes
    }

    /// JSON of the same shape: a secret is a text or a number, or some in a list, and stays one; an object is looked into.
    private func json(_ json: JSON, isHidden: Bool = false) -> JSON {
        switch json {
        case .string where isHidden: .string(RedactionRules.mask)
        case .number where isHidden: .number(0)
        case .array(let elements): .array(elements.map { self.json($0, isHidden: isHidden) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, self.json(value, isHidden: isSecret(name.utf8)))
                    }))
        default: json
        }
    }
}
