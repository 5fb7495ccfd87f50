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
    let method: String
    let url: String
    let headers: [HARDocument.Record]
    let body: Data
    let bodyType: String?
    let status: Int
    let responseHeaders: HTTPFields
    let responseBody: Data
    let started: String
    let duration: Double

    /// Keeps an exchange.
    init(
        _ request: RecordedRequest, _ response: TransportResponse, _ responseBody: Data, started: Date,
        duration: Duration, _ scrubber: SecretScrubber
    ) {
        let secrets = scrubber.secrets(in: request.head)
        let question = CassetteQuestion(request, scrubber)
        method = question.method
        url = question.url
        headers = question.headers
        body = question.body
        bodyType = question.bodyType
        status = response.head.status.code
        var fields = HTTPFields()
        for field in response.head.headerFields {
            // The body was decompressed and is kept whole.
            if [.contentEncoding, .contentLength, .transferEncoding, .connection].contains(field.name) { continue }
            let value = SecretScrubber.hide(secrets, in: scrubber.value(field))
            fields.append(HTTPField(name: field.name, value: value))
        }
        responseHeaders = fields
        let scrubbed = scrubber.body(responseBody, contentType: response.head.headerFields[.contentType])
        self.responseBody =
            String(validating: scrubbed, as: UTF8.self).map { Data(SecretScrubber.hide(secrets, in: $0).utf8) }
            ?? scrubbed
        self.started = started.formatted(.iso8601)
        self.duration = duration / .milliseconds(1)
    }

    /// Reads one of a file.
    init(_ entry: HARDocument.Entry) throws {
        let (request, response) = (entry.request, entry.response)
        method = request.method
        url = request.url
        headers = request.headers
        body = try Self.bytes(request.postData?.text, request.postData?.encoding)
        bodyType = request.postData?.mimeType
        status = response.status
        guard (100...999).contains(status) else { throw Cassette.Unreadable("\(status) is no status") }
        responseHeaders = response.headers.reduce(into: HTTPFields()) { fields, pair in
            if let name = HTTPField.Name(pair.name) { fields.append(HTTPField(name: name, value: pair.value)) }
        }
        responseBody = try Self.bytes(response.content.text, response.content.encoding)
        started = entry.startedDateTime
        duration = entry.time
    }

    /// The entry as it is written.
    var file: HARDocument.Entry {
        let (text, encoding) = Self.text(body)
        let (answer, answerEncoding) = Self.text(responseBody)
        let query = Target(url).query.map { FormURLEncoded.parse($0) } ?? []
        return HARDocument.Entry(
            startedDateTime: started, time: duration,
            request: .init(
                method: method, url: url, httpVersion: "HTTP/1.1", headers: headers,
                queryString: query.map { .init(name: $0.name, value: $0.value) },
                postData: body.isEmpty ? nil : .init(mimeType: bodyType ?? "", text: text, encoding: encoding),
                bodySize: Int64(body.count)),
            response: .init(
                status: status, statusText: HTTPResponse.Status(code: status).reasonPhrase, httpVersion: "HTTP/1.1",
                headers: responseHeaders.map { .init(name: $0.name.rawName, value: $0.value) },
                content: .init(
                    size: Int64(responseBody.count), mimeType: responseHeaders[.contentType] ?? "", text: answer,
                    encoding: answerEncoding),
                redirectURL: responseHeaders[.location] ?? "", bodySize: Int64(responseBody.count)),
            timings: .init(send: 0, wait: duration, receive: 0))
    }

    /// The answer, as a script gives it.
    var answer: StubResponse {
        StubResponse(
            status: HTTPResponse.Status(code: status), headerFields: responseHeaders, body: responseBody)
    }

    var name: String { "\(method) \(url)" }

    private static func text(_ bytes: Data) -> (text: String, encoding: String?) {
        if let text = String(validating: bytes, as: UTF8.self) { return (text, nil) }
        return (bytes.base64EncodedString(), "base64")
    }

    private static func bytes(_ text: String?, _ encoding: String?) throws -> Data {
        guard let text else { return Data() }
        guard let encoding, !encoding.isEmpty else { return Data(text.utf8) }
        guard encoding.lowercased() == "base64", let bytes = Data(base64Encoded: text) else {
            throw Cassette.Unreadable("a body is encoded as \(encoding), which is not base64")
        }
        return bytes
    }
}
