// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

extension HARDocument.Request {
    init(_ request: TransportRequest, redactor: Redactor, upTo limit: Int) {
        let fields = request.head.headerFields
        self.init(
            method: request.head.method.rawValue, url: redactor.url(request.urlString), httpVersion: "HTTP/1.1",
            cookies: HARDocument.Record.cookies(sentIn: fields, redactor: redactor),
            headers: HARDocument.Record.of(fields, redactor: redactor),
            queryString: HARDocument.Record.items(request.head.path ?? "", redactor: redactor),
            postData: HARDocument.PostData(
                request.body, contentType: fields[.contentType], redactor: redactor, upTo: limit),
            bodySize: request.body.isEmpty ? 0 : request.body.length ?? -1)
    }
}

extension HARDocument.Request {
    /// Returns the same request with the header fields as they were sent.
    ///
    /// - Parameters:
    ///   - head: The head as it was sent.
    ///   - redactor: The redactor, which also knows the secrets of the head.
    /// - Returns: The request. With HTTP/2 the pseudo-header fields come first, as in the developer tools of browsers.
    func sent(_ head: WireRecord.SentHead, redactor: Redactor) -> Self {
        var request = self
        let pseudo = head.pseudoFields.map { name, value in
            // The path contains the query, whose secrets are found by name.
            HARDocument.Record(name: name, value: name == ":path" ? redactor.url(value) : redactor.plain(value))
        }
        request.headers = pseudo + HARDocument.Record.of(head.fields, redactor: redactor)
        request.cookies = HARDocument.Record.cookies(sentIn: head.fields, redactor: redactor)
        return request
    }
}

extension HARDocument.PostData {
    init?(_ body: RequestBody, contentType field: String?, redactor: Redactor, upTo limit: Int) {
        guard !body.isEmpty else { return nil }
        let type = field ?? body.contentType
        self.init(mimeType: type ?? "application/octet-stream", text: "")
        guard let bytes = body.bytes else {
            comment = "the body was streamed and is not recorded"
            return
        }
        switch redactor.body(bytes, type: type, upTo: limit) {
        case .text(let shown, let kind, let more):
            text = shown
            if kind == .form { params = HARDocument.Record.items("?\(shown)", redactor: redactor) }
            if more > 0 { comment = "\(more) bytes omitted" }
        case .opaque: comment = "not shown because it is not text"
        }
    }
}

extension HARDocument.Record {
    static func of(_ fields: HTTPFields, redactor: Redactor) -> [Self] {
        redactor.fields(fields).map { Self(name: $0.name, value: $0.value) }
    }

    /// Returns the query items of a request target, unescaped and redacted.
    static func items(_ target: String, redactor: Redactor) -> [Self] {
        guard let query = target[...].halves(at: "?")?.behind else { return [] }
        return redactor.form(String(query)).cut(at: "&", keepsEmpty: false).map { item in
            let halves = item.halves(at: "=")
            return Self(name: text(halves?.before ?? item), value: halves.map { text($0.behind) } ?? "")
        }
    }

    private static func text(_ escaped: Substring) -> String {
        String(decoding: PercentEncoding.decodedItem(escaped.utf8), as: UTF8.self)
    }

    /// Returns the cookies of a request.
    ///
    /// Their values are redacted unless redaction is off.
    package static func cookies(sentIn fields: HTTPFields, redactor: Redactor) -> [Self] {
        fields[values: .cookie].flatMap { $0.cut(at: ";") }.compactMap { Self(cookie: $0, redactor: redactor) }
    }

    /// Returns the cookies that a response sets.
    package static func cookies(setBy fields: HTTPFields, redactor: Redactor) -> [Self] {
        fields[values: .setCookie].compactMap { $0.cut(at: ";").first }
            .compactMap { Self(cookie: $0, redactor: redactor) }
    }

    private init?(cookie pair: Substring, redactor: Redactor) {
        // Split by bytes, since the name is shown and must not contain a part of the value.
        guard let (before, behind) = pair.halves(at: "=") else { return nil }
        name = String(before.drop { $0 == " " })
        value = redactor.rules.isOn ? RedactionRules.mask : String(behind)
    }
}

extension HARDocument.Timings {
    /// Creates the timings of an exchange.
    ///
    /// - Parameters:
    ///   - timings: The durations of the phases; `nil` if they are unknown.
    ///   - elapsed: The duration of the whole exchange.
    ///   - receive: The duration of the body, if it streamed.
    init(_ timings: ExchangeTimings?, elapsed: Duration, receive: Duration?) {
        guard let timings else {
            self.init(
                blocked: -1, dns: -1, connect: -1, send: 0, wait: Self.milliseconds(elapsed), receive: 0, ssl: -1)
            return
        }
        func phase(_ duration: Duration?) -> Double { duration.map(Self.milliseconds) ?? -1 }
        // Our `connect` includes DNS and not TLS; the `connect` of HAR includes TLS and not DNS.
        let connect = timings.connect.map { max(.zero, $0 - (timings.dns ?? .zero)) + (timings.tls ?? .zero) }
        let known = [timings.queue, timings.connect, timings.tls, timings.request, timings.body ?? receive]
        let rest = elapsed - known.reduce(.zero) { $0 + ($1 ?? .zero) }
        self.init(
            blocked: phase(timings.queue), dns: phase(timings.dns), connect: phase(connect),
            send: max(0, phase(timings.request)),
            wait: Self.milliseconds(timings.firstByte ?? max(.zero, rest)),
            receive: max(0, phase(timings.body ?? receive)), ssl: phase(timings.tls))
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000) / 1_000_000
    }
}
