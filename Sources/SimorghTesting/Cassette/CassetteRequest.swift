// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// A request in the form in which a cassette compares it, without secrets.
struct CassetteRequest: Sendable {
    let method: String
    let url: String
    let headers: [HARDocument.Record]
    /// The names of the cookies, with redacted values.
    ///
    /// They are written to the file, but not compared.
    let cookies: [HARDocument.Record]
    let body: Data
    let bodyType: String?

    /// Creates the comparable form of a request.
    init(_ request: RecordedRequest, scrubber: SecretScrubber, issuedSecrets: Set<String>) {
        self.init(
            method: request.method.rawValue, url: request.url, fields: request.head.headerFields, cookies: nil,
            body: request.body,
            bodyType: request.header(.contentType), scrubber: scrubber, issuedSecrets: issuedSecrets)
    }

    /// Creates the comparable form from a file, which may have been written when fewer secrets were known.
    init(_ request: HARDocument.Request, scrubber: SecretScrubber) throws {
        let body = request.postData
        self.init(
            method: request.method, url: request.url, fields: CassetteText.fields(request.headers),
            cookies: request.cookies,
            body: try CassetteText.bytes(body?.text, encoding: body?.encoding), bodyType: body?.mimeType,
            scrubber: scrubber, issuedSecrets: [])
    }

    private init(
        method: String, url: String, fields: HTTPFields, cookies: [HARDocument.Record]?, body: Data,
        bodyType: String?, scrubber: SecretScrubber, issuedSecrets: Set<String>
    ) {
        let secrets = scrubber.secrets(in: fields, url: url, body: body, type: bodyType, issuedSecrets: issuedSecrets)
        self.method = method
        // Redacted a second time, as happens when a file is read: text with masks may be redacted differently then.
        self.url = scrubber.url(secrets.hidden(in: scrubber.url(url)))
        headers = fields.map { field in
            let once = HTTPField(name: field.name, value: secrets.hidden(in: scrubber.value(field)))
            return HARDocument.Record(name: field.name.rawName, value: scrubber.value(once))
        }
        self.cookies = cookies ?? CassetteText.cookies(sentIn: fields, hiding: secrets)
        let once = scrubber.body(body, contentType: bodyType, hiding: secrets)
        self.body = once == body ? body : scrubber.body(once, contentType: bodyType, hiding: secrets)
        self.bodyType = bodyType
    }

    /// The request in the format of the file.
    var file: HARDocument.Request {
        let (text, encoding) = CassetteText.text(body)
        let data = HARDocument.PostData(mimeType: bodyType ?? "", text: text, encoding: encoding)
        let query = Target(url).query.map { FormURLEncoded.parse($0) } ?? []
        return HARDocument.Request(
            method: method, url: url, httpVersion: "HTTP/1.1", cookies: cookies, headers: headers,
            queryString: query.map { HARDocument.Record(name: $0.name, value: $0.value) },
            postData: body.isEmpty ? nil : data, bodySize: Int64(body.count))
    }

    /// Returns the differences from another request, one line each, the most important first; empty if they match.
    func differences(from other: CassetteRequest, rules: Cassette.Rules) -> [String] {
        var found: [String] = []
        if !Self.isSame(method, as: other.method) { found.append("the method is \(method), not \(other.method)") }
        let (mine, theirs) = (Target(url), Target(other.url))
        let (path, recorded) =
            rules.comparesOrigin ? (mine.path, theirs.path) : (Self.path(mine.path), Self.path(theirs.path))
        if !Self.isSame(path, as: recorded) { found.append("the URL is \(path), not \(recorded)") }
        let (items, others) = (Self.items(mine.query, rules: rules), Self.items(theirs.query, rules: rules))
        if items != others { found.append("the query is \(Self.text(items)), not \(Self.text(others))") }
        for name in rules.headers.sorted() {
            let (value, recorded) = (Self.value(of: name, in: headers), Self.value(of: name, in: other.headers))
            if !Self.isSame(value, as: recorded) {
                found.append("\(name) is \(value ?? "missing"), not \(recorded ?? "missing")")
            }
        }
        if rules.comparesBodies,
            !RequestBodyComparison.isEquivalent(body, type: bodyType, to: other.body, otherType: other.bodyType)
        {
            found.append("the body differs")
        }
        return found
    }

    private static func isSame(_ left: String?, as right: String?) -> Bool {
        RequestBodyComparison.isSame(left, as: right)
    }

    private static func path(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        return String(url[scheme.upperBound...].drop { $0 != "/" })
    }

    /// Returns the items to compare, sorted.
    private static func items(_ query: String?, rules: Cassette.Rules) -> [FormURLEncoded.Pair] {
        FormURLEncoded.pairs((query ?? "").utf8)
            .filter { !rules.ignoredQueryItems.contains(String(decoding: $0.name, as: UTF8.self)) }
            .sorted {
                $0.name == $1.name
                    ? $0.value.lexicographicallyPrecedes($1.value) : $0.name.lexicographicallyPrecedes($1.name)
            }
    }

    /// Returns the items for a message.
    ///
    /// Non-ASCII bytes are escaped, because different texts may look the same.
    private static func text(_ items: [FormURLEncoded.Pair]) -> String {
        items.map { "\(text($0.name))=\(text($0.value))" }.joined(separator: "&")
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes {
            if (0x20...0x7E).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(Hex.encoded([byte]).uppercased())"
            }
        }
        return text
    }

    private static func value(of name: String, in headers: [HARDocument.Record]) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
