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
        let dates = document.log.entries.map { Self.date($0.startedDateTime) }
        let first = dates.compactMap(\.self).min() ?? Date(timeIntervalSince1970: 0)
        for (entry, date) in zip(document.log.entries, dates).suffix(max(1, limits.calls)) {
            let date = date ?? first
            append(entry.redacted(by: rules), start: .seconds(date.timeIntervalSince(first)), date: date)
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

    /// Returns a date of a HAR file, with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
    }
}

extension HARDocument.Entry {
    /// The approximate size in memory, in bytes.
    fileprivate var cost: Int {
        let records = request.headers + response.headers + request.queryString + request.cookies + response.cookies
        return records.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
            + (request.postData?.text.utf8.count ?? 0) + (response.content.text?.utf8.count ?? 0)
    }

    /// Returns the entry without the secrets that the rules name, because other programs write them into their files.
    package func redacted(by rules: RedactionRules) -> Self {
        guard rules.isOn else { return self }
        // With all secrets of the request, so that they are found where they occur again.
        var described = TransportRequest(head: .get)
        described.head.path = TransportRequest.target(of: request.url)
        described.head.headerFields = HTTPFields(records: request.headers)
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
        }
        copy.response.headers = response.headers.map { redactor.record($0) }
        copy.response.cookies = response.cookies.map { HARDocument.Record(name: $0.name, value: RedactionRules.mask) }
        copy.response.redirectURL = redactor.url(response.redirectURL)
        if response.content.encoding == nil {
            copy.response.content.text = response.content.text.map { redactor.text($0) }
        }
        copy.comment = comment.map { redactor.text($0) }
        return copy
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
