// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// Takes secrets out of what is kept of an exchange, the same way each time, so that what is left can be compared.
///
/// It knows the names that logs know, and shows more of the rest than they do: what a URL, a form and JSON are made of
/// stays.
struct SecretScrubber: Sendable {
    /// Shorter secrets are not looked for elsewhere: they may be any word.
    private static let shortest = 8
    /// What stands for a secret, as it stands in a URL or a form.
    private static let escapedMask = "%5Bhidden%5D"
    /// The ways in which a client may write a mask that it sends in a URL, or in a URL in one.
    private static let escapedMasks = ["", "25", "2525"].flatMap { again in
        ["%\(again)5Bhidden%\(again)5D", "%\(again)5bhidden%\(again)5d"]
    }
    /// What is looked at in the place of what was hidden before: a secret of any kind may have stood there.
    private static let unmasked = "H1dden0000"

    private let rules: RedactionRules
    private let finder = DeepFinder()

    /// Creates a scrubber.
    ///
    /// - Parameter names: More names of secrets: of fields, of query items, of members in JSON.
    init(names: Set<String> = []) {
        var rules = RedactionRules()
        rules.names = names
        self.rules = rules
    }

    private func isSecret(_ name: some Sequence<UInt8>, inQuery: Bool = false) -> Bool {
        let name = Array(name)
        return rules.isSecret(own: SecretNames.plain(name)) || SecretNames.tellsWhenKept(name, inQuery: inQuery)
    }

    /// Whether all that an object of this name holds is a secret; a session or a key may be what an answer is about.
    private func holdsSecrets(_ name: String) -> Bool {
        let plain = SecretNames.plain(name.utf8)
        return rules.isSecret(own: plain) || SecretNames.tellsInText(plain)
    }

    /// A header field's value as it may be kept.
    func value(_ field: HTTPField) -> String {
        let name = field.name.canonicalName
        // Those of CORS speak of credentials and hold none.
        if name.hasPrefix("access-control-") { return field.value }
        let kind = Redaction.kind(of: field.name)
        if kind == .place { return url(field.value) }
        if isSecret(name.utf8) { return Redaction.masked(field.value) }
        return Redaction.shown(field, of: kind, marked: [], by: rules, finder: finder)
    }

    /// A URL without its user's name and password, and without the values of secret items in its query and fragment.
    func url(_ url: String) -> String {
        // A client that plays a secret back which it was given hidden escapes it.
        let url = Self.withPlainMasks(ShownURL.withoutCredentials(url))
        let mark = url.utf8.firstIndex { "?#".utf8.contains($0) } ?? url.endIndex
        let path = SecretPath.shown(url[..<mark]) { isSecret($0, inQuery: true) }
        guard mark < url.endIndex else { return path }
        let start = url.utf8.index(after: mark)
        let parts = url[start...].cut(at: "#")
        return "\(path)\(url[mark..<start])" + parts.map { items($0) }.joined(separator: "#")
    }

    /// `a=1&token=2` with its secrets hidden.
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

    /// An item with a mask for each token that tells by how it looks: a mask is all that is there of one that is played back.
    private static func withoutTokens(_ item: Substring) -> String {
        guard item.contains("eyJ") else { return String(item) }
        let bytes = Array(item.utf8)
        var shown: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, SecretText.isWord(bytes[index]) { index += 1 }
            if SecretText.isToken(bytes[start..<index]) {
                shown += RedactionRules.mask.utf8
                continue
            }
            if index == start { index = end(ofOtherAt: start, in: bytes) }
            shown += bytes[start..<index]
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Where a byte of no word ends: an escape with its digits, however often it was escaped again.
    private static func end(ofOtherAt place: Int, in bytes: [UInt8]) -> Int {
        guard bytes[place] == UInt8(ascii: "%") else { return place + 1 }
        var end = place + 1
        while bytes[end...].starts(with: "25".utf8) { end += 2 }
        // Behind an escaped percent sign, and one that begins no escape, the next word may stand at once.
        let digits = bytes[end...].prefix(2)
        return digits.count == 2 && digits.allSatisfy { PercentEncoding.hexValue($0) != nil } ? end + 2 : end
    }

    /// An item whose value is an object or a list of JSON: all of it stays that is no secret, as requests may differ in it
    /// alone.
    private func json(in item: Substring) -> String? {
        guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = item.utf8[..<equals]
        let value = Data(PercentEncoding.decodedItem(item.utf8[item.utf8.index(after: equals)...]))
        guard let first = value.first, "{[".utf8.contains(first), let json = try? JSON(parsing: value),
            !isSecret(PercentEncoding.decodedItem(name), inQuery: true), !holdsSecret(name)
        else { return nil }
        // Names are hidden last: what one tells of its value it tells as it was sent.
        let masked = withoutEscapedSecrets(self.json(json))
        guard let written = masked == json ? value : (try? masked.data()) else { return nil }
        let text = String(decoding: written, as: UTF8.self)
        let shown = finder.shown(text, rules) { isSecret($0, inQuery: true) }
        guard masked != json || shown != text || text.contains(RedactionRules.mask) else { return String(item) }
        // What is played back has its masks already, and its members in an order of its own.
        guard let sorted = try? JSON(parsing: Data(shown.utf8)).data() else { return nil }
        let escaped = PercentEncoding.encoded(String(decoding: sorted, as: UTF8.self), keeping: .unreserved)
        return "\(item[..<equals])=" + escaped.replacing(Self.escapedMask, with: RedactionRules.mask)
    }

    /// JSON with a mask for each text, and each name, that holds a secret once its escapes are undone, as an escaped URL
    /// may: what is looked for in JSON has none.
    private func withoutEscapedSecrets(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): .string(withoutEscapedSecrets(in: text))
        case .array(let elements): .array(elements.map { withoutEscapedSecrets($0) })
        case .object(let members):
            .object(
                // Of names that are one now each run takes the same value: they have no order.
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

    /// Whether there is a secret in an item, or in a half of one, as a URL in a URL may hold it, or JSON.
    private func holdsSecret(_ item: Substring.UTF8View) -> Bool {
        finder.isRead(item) { reading in
            // What is played back has masks where what was recorded had secrets: both are hidden alike.
            if reading == RedactionRules.mask { return true }
            let text = reading.replacing(RedactionRules.mask, with: Self.unmasked)
            var scan = SecretJSON(where: { isSecret($0) })
            let shown = String(decoding: scan.mask(text.utf8), as: UTF8.self)
            return shown != text || finder.shown(text, rules, isSecretItem: { isSecret($0, inQuery: true) }) != text
        }
    }

    /// A body with its secrets hidden: those that stand under telling names, and these, wherever they stand; of a
    /// multipart body part by part.
    func body(_ body: Data, contentType: String?, hiding secrets: SecretSearch) -> Data {
        let type = contentType ?? ""
        if let boundary = try? MultipartParser.boundary(of: type) {
            return multipart(body, boundary, hiding: secrets)
        }
        return single(body, type: type.lowercased(), hiding: secrets)
    }

    /// The secrets themselves that a request holds: what is to be hidden wherever it stands.
    ///
    /// - Parameters:
    ///   - fields: Its header fields.
    ///   - url: Its URL.
    ///   - body: Its body.
    ///   - type: The body's media type.
    ///   - minted: What answers before gave to be sent.
    /// - Returns: The secrets, to be looked for.
    func secrets(in fields: HTTPFields, url: String, body: Data, type: String?, minted: Set<String>) -> SecretSearch {
        var found = minted.union(Self.credentials(in: fields, rules))
        for field in fields where isSecret(field.name.canonicalName.utf8) { found.insert(field.value) }
        for item in FormURLEncoded.parse(Target(url).query ?? "") where isSecret(item.name.utf8, inQuery: true) {
            found.insert(item.value)
        }
        var forms = [Target(url).query ?? ""]
        if body.count <= SecretValues.longestBody, Self.isForm(body, type: type?.lowercased() ?? "") {
            forms.append(String(decoding: body, as: UTF8.self))
        }
        for item in forms.flatMap({ $0.cut(at: "&") }) where items(item) != item {
            // A URL in a URL, and a token of no telling name.
            for reading in finder.readings(of: item.utf8) {
                found.formUnion(finder.secrets(in: reading, rules) { isSecret($0, inQuery: true) })
            }
            for reading in finder.readings(of: (item.halves(at: "=")?.behind ?? item).utf8) {
                found.formUnion(SecretValues.found(inJSON: reading) { isSecret($0, inQuery: $1) })
            }
        }
        found.formUnion(SecretValues.found(in: body, type: type) { isSecret($0, inQuery: $1) })
        let path = url.prefix { !"?#".contains($0) }
        var values: [Substring] = []
        _ = SecretPath.shown(
            path, where: { isSecret($0, inQuery: true) }, found: { values.append($0) })
        for value in values {
            found.insert(String(value))
            found.insert(PercentEncoding.decodedText(value))
        }
        return finder.search(
            for: found.filter { $0.utf8.count >= Self.shortest && !$0.contains(RedactionRules.mask) }.sorted())
    }

    /// The secrets that an answer gives its caller to be sent later.
    ///
    /// - Parameters:
    ///   - fields: Its header fields.
    ///   - body: Its body.
    /// - Returns: Those that look like secrets. A number is none, as it is kept as another number.
    func minted(in fields: HTTPFields, body: Data) -> Set<String> {
        let values = SecretValues.found(in: body, type: fields[.contentType]) { isSecret($0, inQuery: $1) }
        return Self.credentials(in: fields, rules).union(values).filter { value in
            let digits = value.utf8.filter(\.isASCIIDigit).count
            let size = value.utf8.count
            return size >= Self.shortest && digits < size && (digits > 0 || size >= 20)
        }
    }

    private static func credentials(in fields: HTTPFields, _ rules: RedactionRules) -> Set<String> {
        // What a URL in a field is about is kept, as it is in a URL that is asked for.
        let names: Set<String> = ["link", "refresh"]
        let kept = fields.filter {
            Redaction.kind(of: $0.name) != .place && !names.contains($0.name.canonicalName)
        }
        return Redactor(rules, finder: DeepFinder()).secrets(in: HTTPFields(kept))
    }

    // MARK: Bodies

    private func multipart(_ body: Data, _ boundary: String, hiding secrets: SecretSearch) -> Data {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter has no line before it.
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
        let shown = scrubbed(text, body, type: type)
        let hidden = secrets.hidden(in: shown)
        guard hidden != text else { return body }
        let isJSON = type.contains("json") || type.contains("event-stream") || Self.isJSON(shown)
        guard hidden != shown, isJSON else { return Data(hidden.utf8) }
        // JSON of the same shape: a number stays one.
        return Data(secrets.hidden(in: shown, numbersAs: "0").utf8)
    }

    private static func isJSON(_ text: String) -> Bool { (try? JSON(parsing: Data(text.utf8))) != nil }

    private static func isForm(_ body: Data, type: String) -> Bool {
        type.contains("x-www-form-urlencoded") && ShownBody.Kind(type, body.prefix(512)) != .json
    }

    private func scrubbed(_ text: String, _ body: Data, type: String) -> String {
        if Self.isForm(body, type: type) { return items(Self.withPlainMasks(text)[...]) }
        if ["image/", "audio/", "video/", "font/"].contains(where: { type.hasPrefix($0) }) { return text }
        var shown = text
        if let json = try? JSON(parsing: body) {
            let scrubbed = self.json(json)
            // What has no secret stays as it was written.
            if scrubbed != json, let bytes = try? scrubbed.data() { shown = String(decoding: bytes, as: UTF8.self) }
        } else {
            shown = lines(text)
        }
        return finder.shown(shown, rules) { isSecret($0, inQuery: true) }
    }

    /// Text whose lines may hold JSON, as those of a stream of events do.
    private func lines(_ text: String) -> String {
        // One scan over the others: a name may stand on one, and its value on the next.
        var scan = SecretJSON(where: { isSecret($0) })
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

    /// JSON of the same shape: a secret is a text or a number, or some in a list, and stays one; an object is looked into,
    /// and of one that holds nothing else all is hidden.
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
