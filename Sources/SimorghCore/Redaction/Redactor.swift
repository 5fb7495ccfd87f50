// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The redactor of one request.
///
/// It applies the rules, and also removes the secrets of the request wherever they occur again, for example in the body
/// of a server that echoes the request.
package struct Redactor: Sendable {
    /// The shortest secret to search for, in bytes: a shorter one can be any word.
    private static let minimumSecretLength = 6
    /// The shortest user name of a URL without a password to search for: a shorter one can be any name.
    private static let minimumUserLength = 20
    /// The largest number of secrets of a request.
    ///
    /// The longest ones are used.
    private static let maximumSecrets = 256
    /// The limits for secrets of a response, of which the shortest ones are used: number, length of each, total length.
    private static let maximumResponseSecrets = 256
    private static let maximumResponseSecretLength = 1024
    private static let maximumResponseSecretBytes = 4096
    /// The number of bytes to scan beyond the displayed part, for a secret that begins before the cut.
    package static let margin = 4096

    package let rules: RedactionRules
    private var marked: Set<HTTPField.Name>
    private var items: Set<String> = []
    /// The search for the secrets of the request and of its response.
    private var search = SecretSearch()
    private let finder: any SecretFinder
    /// The fields that were searched last, with their redacted values.
    private var searched: (fields: HTTPFields, values: [String]) = ([:], [])

    package init(
        _ rules: RedactionRules, marked: Set<HTTPField.Name> = [], finder: any SecretFinder = StructuralSecretFinder()
    ) {
        self.rules = rules
        self.marked = marked
        self.finder = finder
    }

    package init(
        _ rules: RedactionRules, request: TransportRequest, finder: any SecretFinder = StructuralSecretFinder()
    ) {
        self.init(rules, finder: finder)
        guard rules.isOn else {
            searched = (request.head.headerFields, request.head.headerFields.map(\.value))
            return
        }
        if !request.options.userInfo.isEmpty {
            marked = request.options.userInfo[CredentialFields.self]
            items = request.options.userInfo[SecretQueryItems.self]
        }
        var found: Set<String> = []
        collect(request.head.headerFields, into: &found)
        if let path = request.head.path { collect(target: path, into: &found) }
        if let body = request.body.bytes, !body.isEmpty {
            let type = request.head.headerFields[.contentType] ?? request.body.contentType
            found.formUnion(SensitiveValues.found(in: body, type: type) { rules.isSecret($0, inQuery: $1) })
            if body.count <= SensitiveValues.maximumBodyLength,
                RedactedBody.Kind(type: type, start: body.prefix(512)) == .form
            {
                collect(form: String(decoding: body, as: UTF8.self)[...], into: &found)
            }
        }
        if !found.isEmpty { search = finder.search(for: Self.sought(found)) }
    }

    /// Creates a redactor for a URL without other secrets.
    package init(_ rules: RedactionRules, url: String) {
        self.init(rules)
        guard rules.isOn else { return }
        var found: Set<String> = []
        collect(target: url, into: &found)
        collect(userOf: url, into: &found)
        if !found.isEmpty { search = finder.search(for: Self.sought(found)) }
    }

    /// Returns the secrets to search for, the longest first.
    private static func sought(_ found: Set<String>) -> [String] {
        let secrets = found.filter { $0.utf8.count >= minimumSecretLength }
        return Array(secrets.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }.prefix(maximumSecrets))
    }

    /// Returns a redactor that also knows the secrets of a response, such as its cookies.
    ///
    /// At most 256 of these are searched for, the shortest ones, of at most 4 KiB together. The fields themselves are
    /// still redacted by their names.
    package func adding(_ response: HTTPResponse) -> Redactor {
        var copy = self
        var found: Set<String> = []
        copy.collect(response.headerFields, into: &found)
        guard !found.isEmpty else { return copy }
        // Each secret costs a search in all output, so a server must not decide how many there are.
        let new = found.subtracting(search.secrets)
            .filter { $0.utf8.count >= Self.minimumSecretLength && $0.utf8.count <= Self.maximumResponseSecretLength }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        var sought: [String] = []
        var left = Self.maximumResponseSecretBytes
        for secret in new.prefix(Self.maximumResponseSecrets) where secret.utf8.count <= left {
            left -= secret.utf8.count
            sought.append(secret)
        }
        if !sought.isEmpty { copy.search = finder.search(for: search.secrets + sought) }
        return copy
    }

    /// Returns a redactor that also knows the secrets of another request.
    package func adding(_ request: TransportRequest) -> Redactor {
        guard rules.isOn else { return self }
        let other = Redactor(rules, request: request, finder: finder)
        var copy = self
        copy.marked.formUnion(other.marked)
        copy.items.formUnion(other.items)
        copy.search = finder.search(for: Self.sought(Set(search.secrets).union(other.search.secrets)))
        return copy
    }

    /// Returns the secrets in header fields, each in the encodings in which it can occur again.
    package func secrets(in fields: HTTPFields) -> Set<String> {
        var found: Set<String> = []
        for field in fields { _ = collect(field, into: &found) }
        return found
    }

    /// Returns the redacted value of a field.
    package func field(_ field: HTTPField) -> String { scrubbed(rules.shown(field, marked: marked, finder: finder)) }

    /// Returns the names and redacted values of fields, in order.
    package func fields(_ fields: HTTPFields) -> [(name: String, value: String)] {
        fields.map { ($0.name.rawName, field($0)) }
    }

    /// Returns the redacted fields.
    package func shown(_ fields: HTTPFields) -> HTTPFields {
        guard rules.isOn else { return fields }
        return replaced(fields, by: fields.map { rules.shown($0, marked: marked, finder: finder) })
    }

    /// The redacted fields of the request or the response that the redactor was made from last.
    ///
    /// Performance: their values were already searched and are not searched again.
    package var shownFields: HTTPFields { replaced(searched.fields, by: searched.values) }

    private func replaced(_ fields: HTTPFields, by values: [String]) -> HTTPFields {
        var shown = fields
        for (index, value) in zip(fields.indices, values) {
            let (field, value) = (fields[index], scrubbed(value))
            // Performance: creating a field validates its value, so unchanged fields are kept.
            if value != field.value { shown[index] = HTTPField(name: field.name, value: value) }
        }
        return shown
    }

    /// Returns a text without the secrets of the request.
    package func plain(_ text: String) -> String { scrubbed(text) }

    /// Returns a redactor that also knows the secrets of a head as it was sent.
    package func adding(_ sent: WireRecord.SentHead) -> Redactor {
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil, headerFields: sent.fields)
        var request = TransportRequest(head: head)
        request.options.userInfo = sent.userInfo
        return adding(request)
    }

    /// Returns a URL without its query, as in events.
    package func urlWithoutQuery(_ url: String) -> String { scrubbed(Redaction.shown(url: url, by: rules)) }

    /// Returns a redacted URL.
    package func url(_ url: String) -> String { scrubbed(rules.shown(url: url, items: items, finder: finder)) }

    /// Returns a redacted text.
    ///
    /// JSON in the text stays valid JSON.
    package func text(_ text: String) -> String { json(text.utf8) }

    /// Returns a redacted form or query.
    package func form(_ text: String) -> String { scrubbed(rules.shown(form: text[...], items: items, finder: finder)) }

    /// Returns a redacted JSON text.
    package func json(_ bytes: some Sequence<UInt8>) -> String {
        guard rules.isOn else { return String(decoding: Array(bytes), as: UTF8.self) }
        var scan = JSONRedactor(rules)
        return text(afterJSON: String(decoding: scan.mask(bytes), as: UTF8.self))
    }

    /// Returns a redacted text whose JSON has already been redacted.
    package func text(afterJSON text: String) -> String {
        search.hidden(in: finder.shown(text, by: rules, afterJSON: true), numbersAs: "\"\(RedactionRules.mask)\"")
    }

    /// Returns a redacted body.
    ///
    /// - Parameters:
    ///   - bytes: The body, or its beginning.
    ///   - type: Its media type.
    ///   - size: The size of the whole body, in bytes.
    ///   - limit: The largest part to show, in bytes.
    /// - Returns: The text, or the type and size if the body is not text.
    package func body(_ bytes: Data, type: String?, size: Int64? = nil, upTo limit: Int) -> RedactedBody {
        let size = size ?? Int64(bytes.count)
        let kind = RedactedBody.Kind(type: type, start: bytes.prefix(512))
        let start = bytes.prefix(limit + Self.margin)
        let shown: String
        switch kind {
        case .binary: return .opaque(RedactedBody.description(of: type, size: size))
        case .json: shown = json(start)
        case .form: shown = form(String(decoding: start, as: UTF8.self))
        case .text: shown = text(String(decoding: start, as: UTF8.self))
        }
        guard size > Int64(limit) else { return .text(shown, kind, more: 0) }
        let cut = String(decoding: shown.utf8.prefix(limit), as: UTF8.self)
        return .text(cut, kind, more: max(0, size - Int64(limit)))
    }

    private func scrubbed(_ text: String) -> String { search.hidden(in: text) }

    private mutating func collect(_ fields: HTTPFields, into found: inout Set<String>) {
        searched = (fields, rules.isOn ? fields.map { collect($0, into: &found) } : fields.map(\.value))
    }

    /// Collects the secrets of a field.
    ///
    /// - Returns: The redacted value of the field.
    private func collect(_ field: HTTPField, into found: inout Set<String>) -> String {
        let value = field.value
        let kind = Redaction.kind(of: field.name)
        // The user info of a URL is removed without a mask, so it is not found below.
        if kind == .url { collect(userOf: value, into: &found) }
        let shown = rules.shown(field, marked: marked, kind: kind, finder: finder)
        guard shown != value, shown.contains(RedactionRules.mask) else { return shown }
        found.insert(value)
        switch field.name.canonicalName {
        case "cookie", "set-cookie":
            // In `Set-Cookie` the first pair is the cookie, and the rest are its attributes.
            let isSet = field.name.canonicalName == "set-cookie"
            let pairs = value.cut(at: ";", keepsEmpty: false)
            for pair in pairs.prefix(isSet ? 1 : .max) {
                guard let content = pair.halves(at: "=")?.behind else { continue }
                let cookie = String(content.drop { $0 == " " })
                // If the cookie is searched for, the whole field need not be.
                if isSet, cookie.utf8.count >= Self.minimumSecretLength { found.remove(value) }
                found.insert(cookie)
            }
        case "sec-websocket-protocol":
            for (item, left) in zip(value.cut(at: ","), shown.cut(at: ",")) where left.hasSuffix(RedactionRules.mask) {
                found.insert(item.filter { $0 != " " && $0 != "\t" })
            }
        case _ where kind == .url: collect(target: value, into: &found)
        default:
            if shown.hasSuffix(RedactionRules.mask) { collect(credential: value, into: &found) }
            found.formUnion(finder.secrets(in: value, by: rules))
        }
        return shown
    }

    /// Collects the token of `Bearer abc`, and also the password of `Basic abc`.
    private func collect(credential value: String, into found: inout Set<String>) {
        guard let blank = value.firstIndex(of: " ") else { return }
        let credential = String(value[value.index(after: blank)...])
        found.insert(credential)
        guard value[..<blank].lowercased() == "basic", let plain = Data(base64Encoded: credential) else { return }
        let pair = String(decoding: plain, as: UTF8.self)
        found.insert(pair)
        if let password = pair[...].halves(at: ":")?.behind { found.insert(String(password)) }
    }

    /// Collects the password of a URL or a reference `//user@host`.
    ///
    /// Without a password, it collects a user name that is long enough to be a token.
    private func collect(userOf url: String, into found: inout Set<String>) {
        let parts = url.split(separator: "://", maxSplits: 1)
        if parts.count == 2 { collect(userBefore: parts[1], into: &found) }
        if url.utf8.starts(with: "//".utf8) { collect(userBefore: Substring(url.utf8.dropFirst(2)), into: &found) }
    }

    /// Collects the same from the part after the slashes.
    private func collect(userBefore rest: Substring, into found: inout Set<String>) {
        let authority = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
        guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return }
        let user = authority[..<at]
        let halves = user.halves(at: ":") ?? (before: user, behind: "")
        let secret = halves.behind.isEmpty ? halves.before : halves.behind
        guard !halves.behind.isEmpty || secret.utf8.count >= Self.minimumUserLength else { return }
        found.insert(String(secret))
        found.insert(PercentEncoding.decodedText(secret))
    }

    private func collect(target: String, into found: inout Set<String>) {
        var values: [Substring] = []
        let path = Substring(target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        _ = PathRedactor.shown(
            path, where: { rules.isSecret($0, inQuery: true) }, found: { values.append($0) })
        for value in values {
            found.insert(String(value))
            found.insert(PercentEncoding.decodedText(value))
        }
        guard let behind = target[...].halves(at: "?")?.behind else { return }
        collect(form: behind.halves(at: "#")?.before ?? behind, into: &found)
    }

    /// Collects the secrets in the items of a query or form.
    private func collect(form: Substring, into found: inout Set<String>) {
        for item in form.cut(at: "&") {
            let shown = rules.shown(form: item, items: items, finder: finder)
            guard shown.hasSuffix(RedactionRules.mask), shown != item else { continue }
            let halves = item.halves(at: "=") ?? (before: "", behind: item)
            // The whole item can be redacted, for example if it has no name.
            guard shown == RedactionRules.mask else {
                collect(hidden: halves.behind, into: &found)
                continue
            }
            collect(hidden: item, into: &found)
            // The name of such an item can still be sensitive.
            if rules.isSecret(PercentEncoding.decodedItem(halves.before.utf8), inQuery: true) {
                collect(hidden: halves.behind, into: &found)
            }
        }
    }

    /// Collects a redacted part of an item, and further secrets in it if it is a URL.
    private func collect(hidden value: Substring, into found: inout Set<String>) {
        let plain = PercentEncoding.decodedText(value)
        found.formUnion([String(value), plain])
        for reading in Set(finder.readings(of: value.utf8) + [plain]) {
            found.formUnion(finder.secrets(in: reading, by: rules))
            found.formUnion(SensitiveValues.found(inJSON: reading) { rules.isSecret($0, inQuery: $1) })
            collect(userOf: reading, into: &found)
        }
    }
}
