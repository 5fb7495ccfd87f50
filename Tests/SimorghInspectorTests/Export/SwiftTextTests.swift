// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghInspector
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SwiftTextTests {
    @Test("A literal escapes quotes, control characters and marks that turn the direction of text")
    func literal() {
        #expect(SwiftText.literal("a\"b\\c\n\u{202E}é") == #""a\"b\\c\n\u{202e}é""#)
        #expect(SwiftText.literal(#"\(x)"#) == #""\\(x)""#)
        #expect(SwiftText.literal("\u{9B}\u{80}\u{A0}\u{61C}") == #""\u{9b}\u{80}"# + "\u{A0}" + #"\u{61c}""#)
    }

    @Test("The code has method, URL, fields once each, and the body")
    func code() throws {
        var request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "https", authority: "a.example", path: "/b?c=d"))
        request.head.headerFields.append(HTTPField(name: .accept, value: "text/html"))
        request.head.headerFields.append(HTTPField(name: .accept, value: "application/json"))
        request.head.headerFields[.contentType] = "application/json"
        request.body = .text(#"{"a":1}"#, contentType: "application/json")
        #expect(
            SwiftText.code(for: request) == #"""
                // For a client without a base URL.
                let answer = try await client.call(
                    .post, "https://a.example/b?c=d",
                    headers: [
                        "Accept": "text/html, application/json",
                    ],
                    body: .text("{\"a\":1}", contentType: "application/json")
                ).response()

                """#)
    }

    @Test("A body that is not known as a whole is not left out silently", arguments: ["", "the beginning"])
    func missing(text: String) throws {
        var entry = HARDocument.Entry.answered(with: 200)
        entry.request.method = "POST"
        entry.request.postData = HARDocument.PostData(mimeType: "text/plain", text: text)
        entry.request.postData?.comment = "9 bytes omitted"
        let request = try #require(TransportRequest(described: entry.request))
        #expect(request.cURL(showing: .none, prettyPrinted: true).contains("\n  --data-binary @body.bin"))
        #expect(SwiftText.code(for: request).contains("\n    body: .empty /* "))
    }

    @Test("The request of a HAR entry has no fields that the client adds, and an invalid one has no request")
    func described() throws {
        var entry = HARDocument.Entry.answered(
            with: 200,
            headers: [
                HARDocument.Record(name: ":method", value: "GET"), HARDocument.Record(name: "Host", value: "a"),
                HARDocument.Record(name: "Accept", value: "*/*"),
            ])
        let request = try #require(TransportRequest(described: entry.request))
        #expect(request.head.headerFields.map(\.name.rawName) == ["Accept"])
        entry.request.postData = HARDocument.PostData(mimeType: "text/plain\r\nX-Evil: 1", text: "a")
        let body = try #require(TransportRequest(described: entry.request)).body
        #expect(body.bytes == Data("a".utf8) && body.contentType == nil)
        entry.request.url = "not a URL"
        #expect(TransportRequest(described: entry.request) == nil)
    }

    @Test("A request over a Unix socket is described", arguments: ["http+unix", "https+unix", "ws+unix", "wss+unix"])
    func unixSocket(scheme: String) throws {
        let url = "\(scheme)://%2Frun%2Fbird.sock/a"
        let entry = HARDocument.Entry.answered(with: 200, url: url)
        let request = try #require(TransportRequest(described: entry.request))
        #expect(request.head.scheme == scheme && request.head.path == "/a")
    }
}
