// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Redacts secrets in recorded exchanges deterministically, so that the results can be compared.
///
/// It redacts the same names as logs do, but keeps more of the rest: the structure of URLs, forms and JSON remains.
struct SecretScrubber: Sendable {
    /// The minimum length of a secret to search for elsewhere; a shorter one may be any word.
    private static let minimumLength = 8
    /// The mask in its escaped form for URLs and forms.
    private static let escapedMask = "%5Bhidden%5D"
    /// The escaped forms of a mask that a client may send in a URL, or in a URL inside a URL.
    private static let escapedMasks = ["", "25", "2525"].flatMap { again in
        ["%\(again)5Bhidden%\(again)5D", "%\(again)5bhidden%\(again)5d"]
    }
    /// The text that replaces a mask for detection, since a mask may stand for a secret of any kind.
    private static let unmasked = "H1dden0000"

    private let rules: RedactionRules
    private let finder = NestedSecretFinder()

    /// Creates a scrubber.
    ///
    /// - Parameter names: Additional names of secrets: of fields, query items and JSON members.
    init(names: Set<String> = []) {
        var rules = RedactionRules()
        rules.names = names
        self.rules = rules
    }

    private func isSecret(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let name = Array(name)
        return rules.isSecret(own: SensitiveNames.plain(name))
            || SensitiveNames.isSensitiveInRecording(name, inQuery: inQuery)
    }

    /// Returns true if everything in an object of this name is a secret.
    ///
    /// A session or a key may be the subject of a response.
    private func holdsSecrets(_ name: String) -> Bool {
        let plain = SensitiveNames.plain(name.utf8)
        return rules.isSecret(own: plain) || SensitiveNames.isSensitiveInText(plain)
    }

    /// Returns a header field's value with secrets redacted.
    func value(_ field: HTTPField) -> String {
        let name = field.name.canonicalName
        // CORS fields name credentials, but contain none.
        if name.hasPrefix("access-control-") { return field.value }
        let kind = Redaction.kind(of: field.name)
        if kind == .url { return url(field.value) }
        if isSecret(name.utf8) { return Redaction.masked(field.value) }
        return Redaction.shown(field, of: kind, marked: [], by: rules, finder: finder)
    }

    /// Returns a URL without user info, and with the secret items of its query and fragment redacted.
    func url(_ url: String) -> String {
        // A client that sends back a redacted secret from a replayed response escapes the mask.
        let url = Self.withPlainMasks(RedactedURL.withoutCredentials(url))
        let mark = url.utf8.firstIndex { "?#".utf8.contains($0) } ?? url.endIndex
        let path = PathRedactor.shown(url[..<mark]) { isSecret($0, inQuery: true) }
        guard mark < url.endIndex else { return path }
        let start = url.utf8.index(after: mark)
        let parts = url[start...].cut(at: "#")
        return "\(path)\(url[mark..<start])" + parts.map { items($0) }.joined(separator: "#")
    }

    /// Redacts the secrets in `a=1&token=2`.
    private func items(_ text: Substring) -> String {
        text.cut(at: "&").map { item -> String in
            if let shown = json(in: item) { return shown }
            let item = Self.withoutTokens(item)
            return RedactionRules.hideItems(
                of: item[...], where: { isSecret($0, inQuery: true) }, orWhere: { holdsSecret($0) })
        }.joined(separator: "&")
    }

    private static func withPlainMasks(_ text: String) -> String {
        guard text.contains("hidden%") else { return text }
        return escapedMasks.reduce(text) { $0.replacing($1, with: RedactionRules.mask) }
    }

    /// Masks the tokens in an item that are recognized by their form.
    ///
    /// In a replay only their masks are present.
    private static func withoutTokens(_ item: Substring) -> String {
        guard item.contains("eyJ") else { return String(item) }
        let bytes = Array(item.utf8)
        var shown: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, TextRedactor.isWord(bytes[index]) { index += 1 }
            if TextRedactor.isToken(bytes[start..<index]) {
                shown += RedactionRules.mask.utf8
                continue
            }
            if index == start { index = end(ofOtherAt: start, in: bytes) }
            shown += bytes[start..<index]
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Returns the end of a byte that does not belong to a word.
    ///
    /// An escape, even if escaped repeatedly, includes its digits.
    private static func end(ofOtherAt index: Int, in bytes: [UInt8]) -> Int {
        guard bytes[index] == UInt8(ascii: "%") else { return index + 1 }
        var end = index + 1
        while bytes[end...].starts(with: "25".utf8) { end += 2 }
        // After an escaped percent sign, and after one that does not begin an escape, the next word may follow
        // immediately.
        let digits = bytes[end...].prefix(2)
        return digits.count == 2 && digits.allSatisfy { PercentEncoding.hexValue($0) != nil } ? end + 2 : end
    }

    /// Redacts an item whose value is a JSON object or list.
    ///
    /// Everything but secrets is kept, because requests may differ in nothing else. Returns `nil` for other items.
    private func json(in item: Substring) -> String? {
        guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = item.utf8[..<equals]
        let value = Data(PercentEncoding.decodedItem(item.utf8[item.utf8.index(after: equals)...]))
        guard let first = value.first, "{[".utf8.contains(first), let json = try? JSON(parsing: value),
            !isSecret(PercentEncoding.decodedItem(name), inQuery: true), !holdsSecret(name)
        else { return nil }
        // Names are redacted last, because detection of secret values needs the original names.
        let masked = withoutEscapedSecrets(self.json(json))
        guard let written = masked == json ? value : (try? masked.data()) else { return nil }
        let text = String(decoding: written, as: UTF8.self)
        let shown = finder.shown(text, by: rules) { isSecret($0, inQuery: true) }
        guard masked != json || shown != text || text.contains(RedactionRules.mask) else { return String(item) }
        // A replayed item already has its masks, and its members in another order.
        guard let sorted = try? JSON(parsing: Data(shown.utf8)).data() else { return nil }
        let escaped = PercentEncoding.encoded(String(decoding: sorted, as: UTF8.self), keeping: .unreserved)
        return "\(item[..<equals])=" + escaped.replacing(Self.escapedMask, with: RedactionRules.mask)
    }

    /// Masks each string and name of JSON that contains a secret after percent-decoding, such as one in an escaped URL.
    ///
    /// The search in JSON does not decode escapes.
    private func withoutEscapedSecrets(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): .string(withoutEscapedSecrets(in: text))
        case .array(let elements): .array(elements.map { withoutEscapedSecrets($0) })
        case .object(let members):
            .object(
                // If redacted names become equal, choose the value independently of the dictionary's order.
                Dictionary(
                    members.map { (withoutEscapedSecrets(in: $0), withoutEscapedSecrets($1)) },
                    uniquingKeysWith: { Self.written($0).lexicographicallyPrecedes(Self.written($1)) ? $0 : $1 }))
        default: json
        }
    }

    private static func written(_ json: JSON) -> Data { (try? json.data()) ?? Data() }

    private func withoutEscapedSecrets(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        let shown = Self.withoutTokens(text[...])
        return holdsSecret(shown[...].utf8) ? RedactionRules.mask : shown
    }

    /// Returns true if an item, or the name or value of one, contains a secret, such as a URL in a URL, or JSON.
    private func holdsSecret(_ item: Substring.UTF8View) -> Bool {
        finder.isRead(item) { reading in
            // A replayed item has masks where the recorded one had secrets: both are redacted alike.
            if reading == RedactionRules.mask { return true }
            let text = reading.replacing(RedactionRules.mask, with: Self.unmasked)
            var scan = JSONRedactor(where: { isSecret($0) })
            let shown = String(decoding: scan.mask(text.utf8), as: UTF8.self)
            return shown != text || finder.shown(text, by: rules, isSecretItem: { isSecret($0, inQuery: true) }) != text
        }
    }

    /// Returns a body with secrets redacted: the values of sensitive names, and all occurrences of the given secrets.
    ///
    /// A multipart body is processed part by part.
    func body(_ body: Data, contentType: String?, hiding secrets: SecretSearch) -> Data {
        let type = contentType ?? ""
        if let boundary = try? MultipartParser.boundary(of: type) {
            return multipart(body, boundary: boundary, hiding: secrets)
        }
        return single(body, type: type.lowercased(), hiding: secrets)
    }

    /// Returns the secrets of a request, which are redacted wherever they occur.
    ///
    /// - Parameters:
    ///   - fields: Its header fields.
    ///   - url: Its URL.
    ///   - body: Its body.
    ///   - type: The body's media type.
    ///   - issuedSecrets: The secrets in earlier responses.
    /// - Returns: A search for the secrets.
    func secrets(in fields: HTTPFields, url: String, body: Data, type: String?, issuedSecrets: Set<String>)
        -> SecretSearch
    {
        var found = issuedSecrets.union(Self.credentials(in: fields, rules))
        for field in fields where isSecret(field.name.canonicalName.utf8) { found.insert(field.value) }
        for item in FormURLEncoded.parse(Target(url).query ?? "") where isSecret(item.name.utf8, inQuery: true) {
            found.insert(item.value)
        }
        var forms = [Target(url).query ?? ""]
        if body.count <= SensitiveValues.maximumBodyLength, Self.isForm(body, type: type?.lowercased() ?? "") {
            forms.append(String(decoding: body, as: UTF8.self))
        }
        for item in forms.flatMap({ $0.cut(at: "&") }) where items(item) != item {
            // A URL in a URL, and a token without a sensitive name.
            for reading in finder.readings(of: item.utf8) {
                found.formUnion(finder.secrets(in: reading, by: rules) { isSecret($0, inQuery: true) })
            }
            for reading in finder.readings(of: (item.halves(at: "=")?.behind ?? item).utf8) {
                found.formUnion(SensitiveValues.found(inJSON: reading) { isSecret($0, inQuery: $1) })
            }
        }
        found.formUnion(SensitiveValues.found(in: body, type: type) { isSecret($0, inQuery: $1) })
        let path = url.prefix { !"?#".contains($0) }
        var values: [Substring] = []
        _ = PathRedactor.shown(
            path, where: { isSecret($0, inQuery: true) }, found: { values.append($0) })
        for value in values {
            found.insert(String(value))
            found.insert(PercentEncoding.decodedText(value))
        }
        return finder.search(
            for: found.filter { $0.utf8.count >= Self.minimumLength && !$0.contains(RedactionRules.mask) }.sorted())
    }

    /// Returns the secrets in a response that the client may send later.
    ///
    /// - Parameters:
    ///   - fields: Its header fields.
    ///   - body: Its body.
    /// - Returns: The values that look like secrets. A number is not one, because it is recorded as another number.
    func issuedSecrets(in fields: HTTPFields, body: Data) -> Set<String> {
        let values = SensitiveValues.found(in: body, type: fields[.contentType]) { isSecret($0, inQuery: $1) }
        return Self.credentials(in: fields, rules).union(values).filter { value in
            let digits = value.utf8.filter(\.isASCIIDigit).count
            let size = value.utf8.count
            return size >= Self.minimumLength && digits < size && (digits > 0 || size >= 20)
        }
    }

    private static func credentials(in fields: HTTPFields, _ rules: RedactionRules) -> Set<String> {
        // The contents of URLs in fields are kept, as in the URL of a request.
        let names: Set<String> = ["link", "refresh"]
        let remaining = fields.filter {
            Redaction.kind(of: $0.name) != .url && !names.contains($0.name.canonicalName)
        }
        return Redactor(rules, finder: NestedSecretFinder()).secrets(in: HTTPFields(remaining))
    }

    // MARK: Bodies

    private func multipart(_ body: Data, boundary: String, hiding secrets: SecretSearch) -> Data {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter is not preceded by a line ending.
        let pieces = ([0x0D, 0x0A] + Array(body)).pieces(separatedBy: delimiter)
        let shown = pieces.map { piece -> [UInt8] in
            let cuts = Array(piece).pieces(separatedBy: [0x0D, 0x0A, 0x0D, 0x0A], cuts: 1)
            guard cuts.count == 2 else { return Array(piece) }
            let head = try? MultipartParser.head(String(decoding: cuts[0].dropFirst(2), as: UTF8.self))
            var content = Data(cuts[1])
            if let name = head?.name, isSecret(name.utf8, inQuery: true) {
                content = Data(RedactionRules.mask.utf8)
            } else {
                content = single(content, type: head?.contentType?.lowercased() ?? "", hiding: secrets)
            }
            return Array(cuts[0]) + [0x0D, 0x0A, 0x0D, 0x0A] + Array(content)
        }
        return Data(Array(shown.joined(separator: delimiter)).dropFirst(2))
    }

    private func single(_ body: Data, type: String, hiding secrets: SecretSearch) -> Data {
        guard let text = String(validating: body, as: UTF8.self) else { return body }
        let shown = scrubbed(text, body: body, type: type)
        let hidden = secrets.hidden(in: shown)
        guard hidden != text else { return body }
        let isJSON = type.contains("json") || type.contains("event-stream") || Self.isJSON(shown)
        guard hidden != shown, isJSON else { return Data(hidden.utf8) }
        // Keeps the shape of JSON: a number remains a number.
        return Data(secrets.hidden(in: shown, numbersAs: "0").utf8)
    }

    private static func isJSON(_ text: String) -> Bool { (try? JSON(parsing: Data(text.utf8))) != nil }

    private static func isForm(_ body: Data, type: String) -> Bool {
        type.contains("x-www-form-urlencoded") && RedactedBody.Kind(type: type, start: body.prefix(512)) != .json
    }

    private func scrubbed(_ text: String, body: Data, type: String) -> String {
        if Self.isForm(body, type: type) { return items(Self.withPlainMasks(text)[...]) }
        if ["image/", "audio/", "video/", "font/"].contains(where: { type.hasPrefix($0) }) { return text }
        var shown = text
        if let json = try? JSON(parsing: body) {
            let scrubbed = self.json(json)
            // JSON without secrets keeps its layout.
            if scrubbed != json, let bytes = try? scrubbed.data() { shown = String(decoding: bytes, as: UTF8.self) }
        } else {
            shown = lines(text)
        }
        return finder.shown(shown, by: rules) { isSecret($0, inQuery: true) }
    }

    /// Redacts text whose lines may contain JSON, such as an event stream.
    private func lines(_ text: String) -> String {
        // The other lines share one scan: a name may be on one line, and its value on the next.
        var scan = JSONRedactor(where: { isSecret($0) })
        let lines = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> [UInt8] in
            if let start = line.firstIndex(where: { "{[".utf8.contains($0) }) {
                let end = line.last == 0x0D ? line.endIndex - 1 : line.endIndex
                if start < end, let json = try? JSON(parsing: Data(line[start..<end])) {
                    let scrubbed = self.json(json)
                    guard scrubbed != json, let bytes = try? scrubbed.data() else { return Array(line) }
                    return Array(line[..<start]) + Array(bytes) + Array(line[end...])
                }
            }
            var shown = scan.mask(Array(line) + [0x0A])
            if shown.last == 0x0A { shown.removeLast() }
            return shown
        }
        return String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
    }

    /// Redacts JSON and keeps its shape: a secret string or number, alone or in a list, keeps its type.
    ///
    /// Objects are redacted recursively; if an object holds only secrets, all of its values are.
    private func json(_ json: JSON, isHidden: Bool = false, isWhole: Bool = false) -> JSON {
        switch json {
        case .string where isHidden: .string(RedactionRules.mask)
        case .number where isHidden: .number(0)
        case .array(let elements):
            .array(elements.map { self.json($0, isHidden: isHidden, isWhole: isWhole) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (
                            name,
                            self.json(
                                value, isHidden: isWhole || isSecret(name.utf8),
                                isWhole: isWhole || isSecret(name.utf8) && holdsSecrets(name))
                        )
                    }))
        default: json
        }
    }
}
