// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One exchange of a cassette, its secrets taken out.
struct CassetteEntry: Sendable {
    let question: CassetteQuestion
    let status: Int
    let responseHeaders: HTTPFields
    let responseBody: Data
    let started: String
    let duration: Double

    /// Keeps an exchange.
    init(
        _ request: RecordedRequest, _ response: TransportResponse, _ responseBody: Data, started: Date,
        duration: Duration, _ scrubber: SecretScrubber, minted: Set<String>
    ) {
        let secrets = scrubber.secrets(
            in: request.head.headerFields, url: request.url, body: request.body, type: request.header(.contentType),
            minted: minted)
        question = CassetteQuestion(request, scrubber, minted: minted)
        status = response.head.status.code
        var fields = HTTPFields()
        for field in response.head.headerFields {
            // The body was decompressed and is kept whole.
            if [.contentEncoding, .contentLength, .transferEncoding, .connection].contains(field.name) { continue }
            let value = secrets.hidden(in: scrubber.value(field))
            fields.append(HTTPField(name: field.name, value: value))
        }
        responseHeaders = fields
        self.responseBody = scrubber.body(
            responseBody, contentType: response.head.headerFields[.contentType], hiding: secrets)
        self.started = started.formatted(.iso8601)
        self.duration = duration / .milliseconds(1)
    }

    /// Reads one of a file.
    init(_ entry: HARDocument.Entry, _ scrubber: SecretScrubber) throws {
        let response = entry.response
        question = try CassetteQuestion(entry.request, scrubber)
        status = response.status
        guard (100...999).contains(status) else { throw Cassette.Unreadable("\(status) is no status") }
        responseHeaders = CassetteText.fields(response.headers)
        responseBody = try CassetteText.bytes(response.content.text, response.content.encoding)
        started = entry.startedDateTime
        duration = entry.time
    }

    /// The entry as it is written.
    var file: HARDocument.Entry {
        let (text, encoding) = CassetteText.text(responseBody)
        let size = Int64(responseBody.count)
        let content = HARDocument.Content(
            size: size, mimeType: responseHeaders[.contentType] ?? "", text: text, encoding: encoding)
        let response = HARDocument.Response(
            status: status, statusText: HTTPResponse.Status(code: status).reasonPhrase, httpVersion: "HTTP/1.1",
            headers: CassetteText.records(responseHeaders), content: content,
            redirectURL: responseHeaders[.location] ?? "", bodySize: size)
        return HARDocument.Entry(
            startedDateTime: started, time: duration, request: question.file, response: response,
            timings: HARDocument.Timings(send: 0, wait: duration, receive: 0))
    }

    /// The answer, as a script gives it.
    var answer: StubResponse {
        StubResponse(
            status: HTTPResponse.Status(code: status), headerFields: responseHeaders, body: responseBody)
    }

    var name: String { "\(question.method) \(question.url)" }
}
