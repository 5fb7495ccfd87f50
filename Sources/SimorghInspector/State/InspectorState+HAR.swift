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
        let kept = zip(document.log.entries, dates).suffix(max(1, limits.calls))
        omit(dates.count - kept.count)
        for (entry, date) in kept {
            let date = date ?? first
            let shown = entry.redacted(by: rules, upTo: limits.body)
            append(shown, start: .seconds(date.timeIntervalSince(first)), date: date)
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

    /// The comment for a body that is cut.
    private static let beginning = "only the beginning of the body is kept"

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
    /// - Returns: The redacted entry.
    package func redacted(by rules: RedactionRules, upTo limit: Int) -> Self {
        // Redaction takes time, so the bodies are cut before, and a secret may begin before the cut.
        guard rules.isOn else { return cut(to: limit) }
        return cut(to: limit + Redactor.margin).redacted(by: rules).cut(to: limit)
    }

    /// Returns the entry with at most some bytes of each body.
    private func cut(to limit: Int) -> Self {
        func shorten(_ text: inout String, comment: inout String?) {
            let count = text.utf8.count
            guard count > limit else { return }
            text = String(decoding: text.utf8.prefix(limit), as: UTF8.self)
            comment = Self.beginning
        }
        var copy = self
        if var postData = request.postData {
            if postData.text.isEmpty, let params = postData.params {
                var size = 0
                let kept = params.prefix { record in
                    size += record.size
                    return size <= limit
                }
                postData.params = Array(kept)
                if kept.count < params.count { postData.comment = Self.beginning }
            } else {
                // The text has the same values.
                postData.params = nil
            }
            shorten(&postData.text, comment: &postData.comment)
            copy.request.postData = postData
        }
        if var text = response.content.text {
            shorten(&text, comment: &copy.response.content.comment)
            copy.response.content.text = text
        }
        return copy
    }

    private func redacted(by rules: RedactionRules) -> Self {
        // With all secrets of the request, so that they are found where they occur again.
        var described = TransportRequest(head: .get)
        described.head.path = TransportRequest.target(of: request.url)
        described.head.headerFields = HTTPFields(records: request.headers)
        // The user and the password of the URL are found in a field that is a URL.
        described.head.headerFields.append(HTTPField(name: .referer, value: request.url))
        described.body = request.postData.map { .text($0.text, contentType: $0.mimeType) } ?? .empty
        let redactor = Redactor(rules, request: described).adding(
            HTTPResponse(status: .ok, headerFields: HTTPFields(records: response.headers)))
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
