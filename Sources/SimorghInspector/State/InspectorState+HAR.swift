// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghSupport

extension InspectorState {
    /// Creates the state for a HAR file, whose secrets are redacted by the rules.
    ///
    /// - Parameters:
    ///   - document: The file.
    ///   - rules: The redaction rules.
    ///   - limits: The bounds. If the file has more entries, the last ones are kept.
    package init(_ document: HARDocument, redacting rules: RedactionRules, limits: Limits = Limits()) {
        self.init(limits)
        let dates = document.log.entries.map { HARDocument.Entry.date(of: $0.startedDateTime) }
        let first = dates.compactMap(\.self).min() ?? Date(timeIntervalSince1970: 0)
        var comparisons = HARDocument.Entry.maximumFileComparisons
        var kept: [(entry: HARDocument.Entry, date: Date)] = []
        var size = 0
        // The last ones first, so that no entry is redacted in vain.
        for (entry, date) in zip(document.log.entries, dates).suffix(max(1, limits.calls)).reversed() {
            let shown = entry.redacted(by: rules, upTo: limits.body, comparisons: &comparisons)
            size += shown.cost
            guard size <= limits.bytes || kept.isEmpty else { break }
            kept.append((shown, date ?? first))
        }
        omit(dates.count - kept.count)
        for (entry, date) in kept.reversed() {
            append(entry, start: .seconds(date.timeIntervalSince(first)), date: date)
        }
    }

    private mutating func append(_ entry: HARDocument.Entry, start: Duration, date: Date) {
        begin(
            nil, client: "", method: entry.request.method, url: entry.request.url, at: start, date: date,
            replay: .impossible("a file has no client to send it"))
        update(number: total) { call in
            let duration = Duration(clampingSeconds: entry.time / 1000)
            let attempt = InspectedAttempt(
                number: 1, start: start, exchange: FileExchange(entry: entry), duration: duration)
            _ = call.append(attempt, cost: entry.cost)
            call.duration = duration
            call.sentBytes = max(0, entry.request.bodySize)
            call.receivedBytes = max(0, entry.response.bodySize, entry.response.content.size)
            let type = entry.response.content.mimeType.prefix { $0 != ";" && $0 != " " }
            call.mediaType = type.isEmpty || type == "x-unknown" ? nil : String(type.prefix(100)).lowercased()
            if entry.response.status > 0 {
                (call.status, call.stage) = (entry.response.status, .done)
            } else {
                (call.stage, call.failure) = (.failed, entry.comment ?? "there was no response")
            }
        }
    }
}

extension HARDocument.Entry {
    /// The comment for a body in Base64, whose secrets cannot be found.
    private static let opaque = "not shown because it is not text"

    /// The comment for the bodies of an entry whose secrets are not searched for.
    private static let unsearched = "not shown because the search for its secrets takes too long"

    /// The comment for a body that is cut.
    private static let beginning = "only the beginning of the body is kept"

    /// The largest number of header fields, cookies or items of a query or form to keep of each list.
    private static let maximumRecords = 1000
    /// The largest size of a list of header fields, of cookies or of query items, in bytes.
    private static let maximumRecordBytes = 256 * 1024
    /// The largest part of a URL, a name, a value or the comment of an entry to keep, in bytes.
    private static let maximumValueBytes = 64 * 1024
    /// The largest part of a method, a version, a media type and the like to keep, in bytes.
    private static let maximumWordBytes = 1024
    /// The largest number of bytes to compare in the search for the secrets of an entry.
    private static let maximumComparisons = 8_000_000
    /// The largest number of bytes to compare in the searches for the secrets of a file: a few seconds.
    fileprivate static let maximumFileComparisons = 2_000_000_000

    /// The approximate size in memory, in bytes.
    fileprivate var cost: Int {
        var records = request.headers + response.headers + request.queryString + request.cookies + response.cookies
        records += request.postData?.params ?? []
        let texts: [String?] = [
            request.postData?.text, request.postData?.comment, response.content.text, response.content.comment,
            response.redirectURL, comment,
        ]
        let size = texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        return records.reduce(size) { $0 + $1.size }
    }

    /// Returns the entry without the secrets that the rules name, because other programs write them into their files.
    ///
    /// - Parameters:
    ///   - rules: The redaction rules.
    ///   - limit: The largest part of each body to keep, in bytes.
    ///   - comparisons: The number of bytes that the searches for secrets can still compare. If they would compare more,
    ///     the bodies of the entry are not shown.
    /// - Returns: The redacted entry.
    fileprivate func redacted(by rules: RedactionRules, upTo limit: Int, comparisons: inout Int) -> Self {
        // Redaction takes time, so the texts are cut before, and a secret may begin before the cut.
        guard rules.isOn else { return cut(to: limit) }
        return cut(to: limit, margin: Redactor.margin).redacted(by: rules, comparisons: &comparisons).cut(to: limit)
    }

    /// Returns the entry with at most some bytes of each body, and with bounded lists, names, values and URLs.
    ///
    /// - Parameters:
    ///   - limit: The largest part of each body to keep, in bytes.
    ///   - margin: The number of bytes to keep beyond the limit of each text.
    /// - Returns: The bounded entry.
    private func cut(to limit: Int, margin: Int = 0) -> Self {
        let values = Self.maximumValueBytes + margin
        func bounded(_ records: [HARDocument.Record], upTo bytes: Int) -> [HARDocument.Record] {
            var size = 0
            return Array(
                records.prefix(Self.maximumRecords)
                    .map { HARDocument.Record(name: $0.name.start(values), value: $0.value.start(values)) }
                    .prefix { record in
                        size += record.size
                        return size <= bytes
                    })
        }
        func word(_ text: String) -> String { text.start(Self.maximumWordBytes) }
        let bodyLimit = limit + margin
        let listLimit = Self.maximumRecordBytes + margin
        var copy = self
        copy.startedDateTime = word(startedDateTime)
        copy.serverIPAddress = serverIPAddress.map(word)
        copy.connection = connection.map(word)
        copy.comment = comment?.start(values)
        copy.request.method = word(request.method)
        copy.request.httpVersion = word(request.httpVersion)
        copy.request.url = request.url.start(values)
        copy.request.headers = bounded(request.headers, upTo: listLimit)
        copy.request.cookies = bounded(request.cookies, upTo: listLimit)
        copy.request.queryString = bounded(request.queryString, upTo: listLimit)
        if var postData = request.postData {
            postData.mimeType = word(postData.mimeType)
            postData.encoding = postData.encoding.map(word)
            postData.comment = postData.comment.map(word)
            if postData.text.isEmpty, let params = postData.params {
                let kept = bounded(params, upTo: bodyLimit)
                postData.params = kept
                if kept.count < params.count { postData.comment = Self.beginning }
            } else {
                // The text has the same values.
                postData.params = nil
            }
            if postData.text.utf8.count > bodyLimit { postData.comment = Self.beginning }
            postData.text = postData.text.start(bodyLimit)
            copy.request.postData = postData
        }
        copy.response.statusText = word(response.statusText)
        copy.response.httpVersion = word(response.httpVersion)
        copy.response.redirectURL = response.redirectURL.start(values)
        copy.response.headers = bounded(response.headers, upTo: listLimit)
        copy.response.cookies = bounded(response.cookies, upTo: listLimit)
        var content = response.content
        content.mimeType = word(content.mimeType)
        content.encoding = content.encoding.map(word)
        content.comment = content.comment.map(word)
        if let text = content.text {
            if text.utf8.count > bodyLimit { content.comment = Self.beginning }
            content.text = text.start(bodyLimit)
        }
        copy.response.content = content
        return copy
    }

    /// The texts in which the secrets of the entry are searched for.
    private var texts: [String] {
        var records = request.headers + response.headers + request.queryString
        records += request.postData?.params ?? []
        let others: [String?] = [
            request.url, request.postData?.text, response.content.text, response.redirectURL, comment,
        ]
        return records.map(\.value) + others.compactMap(\.self)
    }

    /// Returns the entry with a comment in place of its bodies.
    private func withoutBodies(_ comment: String) -> Self {
        var copy = self
        if var postData = request.postData {
            (postData.text, postData.params, postData.encoding, postData.comment) = ("", nil, nil, comment)
            copy.request.postData = postData
        }
        if response.content.text != nil {
            (copy.response.content.text, copy.response.content.encoding) = (nil, nil)
            copy.response.content.comment = comment
        }
        return copy
    }

    private func redacted(by rules: RedactionRules, comparisons: inout Int) -> Self {
        // With all secrets of the request, so that they are found where they occur again.
        var described = TransportRequest(head: .get)
        described.head.path = TransportRequest.target(of: request.url)
        described.head.headerFields = HTTPFields(records: request.headers)
        // The user and the password of the URL are found in a field that is a URL.
        described.head.headerFields.append(HTTPField(name: .referer, value: request.url))
        described.body = request.postData.map { .text($0.text, contentType: $0.mimeType) } ?? .empty
        let limit = min(comparisons, Self.maximumComparisons)
        let finder = BoundedSecretFinder(searching: texts, upTo: limit)
        let redactor = Redactor(rules, request: described, finder: finder).adding(
            HTTPResponse(status: .ok, headerFields: HTTPFields(records: response.headers)))
        comparisons -= limit - finder.left
        let entry = finder.isComplete ? self : withoutBodies(Self.unsearched)
        return entry.redacted(by: redactor)
    }

    private func redacted(by redactor: Redactor) -> Self {
        var copy = self
        copy.request.url = redactor.url(request.url)
        copy.request.headers = request.headers.map { redactor.record($0) }
        copy.request.cookies = request.cookies.map { HARDocument.Record(name: $0.name, value: RedactionRules.mask) }
        copy.request.queryString = request.queryString.map { redactor.item($0) }
        if let postData = request.postData {
            let isForm = postData.mimeType.hasPrefix("application/x-www-form-urlencoded")
            copy.request.postData?.text = isForm ? redactor.form(postData.text) : redactor.text(postData.text)
            copy.request.postData?.params = postData.params?.map { redactor.item($0) }
            if postData.encoding != nil {
                copy.request.postData?.text = ""
                copy.request.postData?.encoding = nil
                copy.request.postData?.comment = Self.opaque
            }
        }
        copy.response.headers = response.headers.map { redactor.record($0) }
        copy.response.cookies = response.cookies.map { HARDocument.Record(name: $0.name, value: RedactionRules.mask) }
        copy.response.redirectURL = redactor.url(response.redirectURL)
        copy.response.content.text = response.content.text.map { redactor.text($0) }
        if response.content.encoding != nil {
            (copy.response.content.text, copy.response.content.encoding) = (nil, nil)
            copy.response.content.comment = Self.opaque
        }
        copy.comment = comment.map { redactor.text($0) }
        return copy
    }
}

extension HARDocument.Record {
    /// The approximate size in memory, in bytes.
    fileprivate var size: Int { name.utf8.count + value.utf8.count + 32 }
}

extension String {
    /// Returns the text, or its beginning if it is longer than some bytes.
    fileprivate func start(_ bytes: Int) -> String {
        utf8.count <= bytes ? self : String(decoding: utf8.prefix(bytes), as: UTF8.self)
    }
}

extension Redactor {
    /// Returns a redacted header field; an invalid one is hidden.
    fileprivate func record(_ record: HARDocument.Record) -> HARDocument.Record {
        // The pseudo-header fields of HTTP/2.
        if record.name.hasPrefix(":") {
            return HARDocument.Record(
                name: record.name, value: record.name == ":path" ? url(record.value) : record.value)
        }
        let field = HTTPField.Name(record.name).map { HTTPField(name: $0, value: record.value) }
        return HARDocument.Record(name: record.name, value: field.map(self.field) ?? RedactionRules.mask)
    }

    /// Returns a redacted query or form item.
    fileprivate func item(_ record: HARDocument.Record) -> HARDocument.Record {
        let isSecret = rules.isSecret(record.name.utf8, inQuery: true)
        return HARDocument.Record(name: record.name, value: isSecret ? RedactionRules.mask : text(record.value))
    }
}
