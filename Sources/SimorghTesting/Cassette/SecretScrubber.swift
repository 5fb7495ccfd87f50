// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Takes secrets out of what is kept of an exchange, the same way each time, so that what is left can be compared.
package struct SecretScrubber: Sendable {
    /// What stands where a secret was.
    package static let mark = "[hidden]"
    /// A name that has one of these in it, its punctuation aside, is one of a secret.
    private static let telling = [
        "token", "secret", "password", "passwd", "passphrase", "apikey", "accesskey", "privatekey", "credential",
        "signature", "session", "authorization", "cookie", "jwt", "dpop", "otp",
    ]
    /// These are secrets in a query or a form; in JSON they are as often the number of an error or the key of a table.
    private static let whole: Set<String> = ["auth", "key", "pwd", "pass", "sig", "pin", "code", "nonce", "cnonce"]

    private let names: Set<String>

    /// Creates a scrubber.
    ///
    /// - Parameter names: More names of secrets: of fields, of query items, of members in JSON.
    package init(names: Set<String> = []) { self.names = Set(names.map(Self.plain)) }

    /// Whether a name is one of a secret.
    ///
    /// - Parameters:
    ///   - name: The name of a field, an item or a member.
    ///   - isItem: Whether it is one of an item of a query or a form.
    /// - Returns: Whether what it names is to be hidden.
    package func isSecret(_ name: String, isItem: Bool = false) -> Bool {
        let plain = Self.plain(name)
        if names.contains(plain) || Self.telling.contains(where: { plain.contains($0) }) { return true }
        return isItem && Self.whole.contains(plain)
    }

    /// A header field's value as it may be kept.
    package func value(_ field: HTTPField) -> String {
        let name = field.name.canonicalName
        // Those of CORS speak of credentials and hold none.
        if name.hasPrefix("access-control-") { return field.value }
        if ["location", "content-location", "referer"].contains(name) { return url(field.value) }
        if isSecret(name) { return Self.hidden(field.value) }
        return Redaction.shown(field)
    }

    /// A URL without its user's name and password, and without the values of secret items in its query and fragment.
    package func url(_ url: String) -> String {
        let url = ShownURL.withoutCredentials(url)
        guard let mark = url.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return url }
        let parts = url[url.index(after: mark)...].split(separator: "#", omittingEmptySubsequences: false)
        return url[...mark] + parts.map { items(String($0)) }.joined(separator: "#")
    }

    /// `a=1&token=2` with its secrets hidden.
    package func items(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { item -> String in
                guard let equals = item.firstIndex(of: "="),
                    isSecret(PercentEncoding.decodedText(item[..<equals]), isItem: true)
                else {
                    return String(item)
                }
                return "\(item[..<equals])=\(Self.mark)"
            }
            .joined(separator: "&")
    }

    /// A body with its secrets hidden, where its media type is one that names things.
    package func body(_ body: Data, contentType: String?) -> Data {
        let type = contentType?.lowercased() ?? ""
        if type.contains("x-www-form-urlencoded"), let text = String(validating: body, as: UTF8.self) {
            return Data(items(text).utf8)
        }
        guard type.contains("json") || type.isEmpty, let json = try? JSON(parsing: body) else { return body }
        let scrubbed = self.json(json)
        // What has no secret stays as it was written.
        guard scrubbed != json, let bytes = try? scrubbed.data() else { return body }
        return bytes
    }

    /// Hides these texts wherever they stand, such as a token that the server says back.
    package static func hide(_ secrets: Set<String>, in text: String) -> String {
        // The longest first: one may be in another.
        secrets.sorted { $0.count > $1.count }.reduce(text) { text, secret in
            text.contains(secret)
                ? text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: mark) : text
        }
    }

    /// The secrets themselves that a request's fields and query hold: what is to be hidden wherever it stands.
    package func secrets(in head: HTTPRequest) -> Set<String> {
        var found: Set<String> = []
        for field in head.headerFields where value(field) != field.value && isSecret(field.name.canonicalName) {
            // Of `Bearer abc` the token, of `a=b; c=d` each value.
            for part in field.value.split(whereSeparator: { " ;,".contains($0) }) {
                let value = part.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
                if value.count >= 8 { found.insert(value) }
            }
        }
        for item in FormURLEncoded.parse(Target(head.path ?? "/").query ?? "") where isSecret(item.name, isItem: true) {
            if item.value.count >= 8 { found.insert(item.value) }
        }
        return found
    }

    private func json(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map { self.json($0) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        // A secret is a text or a number, and stays one; an object under such a name is looked into.
                        switch value {
                        case .string: (name, isSecret(name) ? .string(Self.mark) : value)
                        case .number: (name, isSecret(name) ? .number(0) : value)
                        default: (name, self.json(value))
                        }
                    }))
        default: json
        }
    }

    private static func hidden(_ value: String) -> String {
        let scheme = value.prefix { $0 != " " }
        let isScheme = ["basic", "bearer", "digest", "negotiate"].contains(scheme.lowercased())
        return isScheme && scheme.count < value.count ? "\(scheme) \(mark)" : mark
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
}
