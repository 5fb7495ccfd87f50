// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghSupport

/// One exchange of a cassette, without secrets.
struct CassetteEntry: Sendable {
    let request: CassetteRequest
    let status: Int
    let responseHeaders: HTTPFields
    /// The names of the cookies that the response sets, with redacted values.
    let responseCookies: [HARDocument.Record]
    let responseBody: Data
    /// The index of the exchange among the recorded ones, by start time.
    let turn: Int
    let started: String
    let duration: Double

    /// Creates an entry for an exchange.
    init(
        _ request: RecordedRequest, response: TransportResponse, responseBody: Data, start: Cassette.Start,
        duration: Duration, scrubber: SecretScrubber, issuedSecrets: Set<String>
    ) {
        let secrets = scrubber.secrets(
            in: request.head.headerFields, url: request.url, body: request.body, type: request.header(.contentType),
            issuedSecrets: issuedSecrets)
        self.request = CassetteRequest(request, scrubber: scrubber, issuedSecrets: issuedSecrets)
        status = response.head.status.code
        let dropped = Self.dropped(method: request.method, status: status)
        var fields = HTTPFields()
        for field in response.head.headerFields where !dropped.contains(field.name) {
            let value = secrets.hidden(in: scrubber.value(field))
            fields.append(HTTPField(name: field.name, value: value))
        }
        responseHeaders = fields
        responseCookies = CassetteText.cookies(setBy: response.head.headerFields, hiding: secrets)
        self.responseBody = scrubber.body(
            responseBody, contentType: response.head.headerFields[.contentType], hiding: secrets)
        turn = start.turn
        started = start.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        self.duration = duration / .milliseconds(1)
    }

    /// Creates an entry from a file.
    ///
    /// - Parameters:
    ///   - entry: The entry of the file.
    ///   - turn: Its index in the file.
    ///   - scrubber: Redacts secrets.
    /// - Throws: ``Cassette/UnreadableError`` for an invalid entry.
    init(_ entry: HARDocument.Entry, turn: Int, scrubber: SecretScrubber) throws {
        let response = entry.response
        request = try CassetteRequest(entry.request, scrubber: scrubber)
        status = response.status
        guard (100...999).contains(status) else {
            throw Cassette.UnreadableError("\(status) is not a valid status code")
        }
        responseHeaders = CassetteText.fields(response.headers)
        responseCookies = response.cookies
        responseBody = try CassetteText.bytes(response.content.text, encoding: response.content.encoding)
        self.turn = turn
        started = entry.startedDateTime
        duration = entry.time
    }

    /// Returns the fields that are not kept: they describe one connection, or the body as it was on the wire.
    ///
    /// A body is kept decompressed and complete. In a response without a body, as to HEAD, these fields describe the
    /// response to GET (RFC 9110, section 8.6), so they are kept.
    private static func dropped(method: HTTPRequest.Method, status: Int) -> Set<HTTPField.Name> {
        method == .head || status == 304
            ? [.transferEncoding, .connection] : [.contentEncoding, .contentLength, .transferEncoding, .connection]
    }

    /// The start time of the exchange; `nil` if the file has no ISO 8601 date.
    var beginning: Date? { HARDocument.Entry.date(of: started) }

    /// The entry in the format of the file.
    var file: HARDocument.Entry {
        let (text, encoding) = CassetteText.text(responseBody)
        let size = Int64(responseBody.count)
        let content = HARDocument.Content(
            size: size, mimeType: responseHeaders[.contentType] ?? "", text: text, encoding: encoding)
        let response = HARDocument.Response(
            status: status, statusText: HTTPResponse.Status(code: status).reasonPhrase, httpVersion: "HTTP/1.1",
            cookies: responseCookies, headers: CassetteText.records(responseHeaders), content: content,
            redirectURL: responseHeaders[.location] ?? "", bodySize: size)
        return HARDocument.Entry(
            startedDateTime: started, time: duration, request: request.file, response: response,
            timings: HARDocument.Timings(send: 0, wait: duration, receive: 0))
    }

    /// The response for replay.
    var answer: StubResponse {
        StubResponse(
            status: HTTPResponse.Status(code: status), headerFields: responseHeaders, body: responseBody)
    }

    var name: String { "\(request.method) \(request.url)" }
}
