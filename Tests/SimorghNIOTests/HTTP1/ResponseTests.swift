// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Responses over HTTP/1.1", .timeLimit(.minutes(10)))
struct ResponseTests {
    @Test("Trailers of a chunked body are delivered with it", arguments: [true, false])
    func trailers(isStreamed: Bool) async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Checksum: abc\r\n\r\n")
        let transport = NIOTransport()
        let checksum = try #require(HTTPField.Name("X-Checksum"))
        for _ in 0..<2 {
            let request = TransportRequest.get(server).with { if isStreamed { $0.options.delivery = .streamed } }
            let response = try await transport.send(request)
            #expect(try await response.body.collect(upTo: 100) == Data("ok".utf8))
            #expect(response.trailers[checksum] == "abc")
            #expect(response.head.headerFields[checksum] == nil)
        }
    }

    /// A response and the expected result.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.get
        let answer: String
        var closes = false
        var status = 200
        var body = ""
        var keeps = true
    }

    static let good = [
        Case(testDescription: "a length", answer: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", body: "hello"),
        Case(
            testDescription: "the same length twice",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", body: "ab"),
        Case(
            testDescription: "a transfer coding that we do not know",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: foo\r\n\r\n2\r\nab", closes: true, body: "2\r\nab",
            keeps: false),
        Case(
            testDescription: "a folded length", answer: "HTTP/1.1 200 OK\r\nContent-Length:\r\n 2\r\n\r\nab", body: "ab"
        ),
        Case(testDescription: "no body", answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Case(
            testDescription: "chunks, an extension and a trailer",
            answer:
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nX-T: 1\r\n\r\n",
            body: "hello"),
        Case(
            testDescription: "until the end of the connection", answer: "HTTP/1.1 200 OK\r\n\r\nhello", closes: true,
            body: "hello", keeps: false),
        Case(
            testDescription: "an empty body until the end of the connection", answer: "HTTP/1.1 200 OK\r\n\r\n",
            closes: true, keeps: false),
        Case(
            testDescription: "HTTP/1.0", answer: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", body: "hi",
            keeps: false),
        Case(
            testDescription: "HTTP/1.0 that keeps the connection",
            answer: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi", body: "hi"),
        Case(
            testDescription: "Connection: close",
            answer: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
            body: "hi", keeps: false),
        Case(
            testDescription: "Connection: close in a list",
            answer: "HTTP/1.1 200 OK\r\nConnection: foo, Close, keep-alive\r\nContent-Length: 2\r\n\r\nhi", body: "hi",
            keeps: false),
        Case(testDescription: "204", answer: "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n", status: 204),
        Case(testDescription: "304 with a length", answer: "HTTP/1.1 304 NM\r\nContent-Length: 7\r\n\r\n", status: 304),
        Case(
            testDescription: "HEAD", method: .head, answer: "HTTP/1.1 200 OK\r\nContent-Length: 70000000000\r\n\r\n"),
        Case(
            testDescription: "HEAD in chunks", method: .head,
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Case(
            testDescription: "interim responses first",
            answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
            body: "hi"),
        Case(testDescription: "no reason phrase", answer: "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi", body: "hi"),
        Case(
            testDescription: "a status unheard of", answer: "HTTP/1.1 799 X\r\nContent-Length: 0\r\n\r\n", status: 799),
    ]

    @Test("A valid response is delivered whole, and the connection is kept if possible", arguments: good)
    func proper(_ example: Case) async throws {
        let server = try await RawServer.answering(example.answer, closing: example.closes)
        let transport = NIOTransport()
        for _ in 0..<3 {
            let response = try await transport.send(.to(server, example.method))
            #expect(response.head.status.code == example.status)
            #expect(response.body.collectedBytes == Data(example.body.utf8))
        }
        #expect(server.requests.count == 3)
        #expect(server.accepted == (example.keeps ? 1 : 3))
        #expect(transport.statistics.open == (example.keeps ? 1 : 0))
    }

    @Test("A valid response is delivered whole when streamed", arguments: good)
    func streamed(_ example: Case) async throws {
        let server = try await RawServer.answering(example.answer, closing: example.closes)
        let transport = NIOTransport()
        for _ in 0..<3 {
            let response = try await transport.send(
                .to(server, example.method).with { $0.options.delivery = .streamed })
            #expect(response.head.status.code == example.status)
            #expect(try await response.body.collect(upTo: 100) == Data(example.body.utf8))
        }
        #expect(server.accepted == (example.keeps ? 1 : 3))
    }

    @Test("A valid response is assembled from single bytes")
    func singleBytes() async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n"
        let server = try await RawServer { _ in text.utf8.map { .bytes([$0]) } }
        let transport = NIOTransport()
        for _ in 0..<2 {
            let response = try await transport.send(.get(server))
            #expect(response.body.collectedBytes == Data("hello".utf8))
        }
        #expect(server.accepted == 1)
    }

    /// A response and the error that it causes.
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: String
        var closes = false
        let code: TransportError.Code
        let phase: TransportError.Phase
    }

    static let bad = [
        Bad(
            testDescription: "a body cut off", answer: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
            closes: true,
            code: .networkConnectionLost, phase: .body),
        Bad(
            testDescription: "chunks cut off",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", closes: true,
            code: .networkConnectionLost, phase: .body),
        Bad(
            testDescription: "the last chunk cut off",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", closes: true,
            code: .networkConnectionLost, phase: .body),
        Bad(
            testDescription: "a head cut off", answer: "HTTP/1.1 200 OK\r\nContent-Le", closes: true,
            code: .networkConnectionLost, phase: .head),
        Bad(testDescription: "nothing", answer: "", closes: true, code: .networkConnectionLost, phase: .head),
        Bad(
            testDescription: "another protocol", answer: "SSH-2.0-OpenSSH_9.2\r\n\r\n", code: .badServerResponse,
            phase: .head),
        Bad(testDescription: "HTTP/2", answer: "HTTP/2.0 200 OK\r\n\r\n", code: .badServerResponse, phase: .head),
        Bad(testDescription: "HTTP/0.9", answer: "<html>hello</html>", code: .badServerResponse, phase: .head),
        Bad(
            testDescription: "a status of four digits", answer: "HTTP/1.1 2000 OK\r\n\r\n", code: .badServerResponse,
            phase: .head),
        Bad(
            testDescription: "a status below 100", answer: "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n",
            code: .badServerResponse, phase: .head),
        Bad(
            testDescription: "a field's name with a space", answer: "HTTP/1.1 200 OK\r\nA B: c\r\n\r\n",
            code: .badServerResponse, phase: .head),
        Bad(
            testDescription: "two lengths that differ",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", code: .badServerResponse,
            phase: .head),
        Bad(
            testDescription: "a length and chunks",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            code: .badServerResponse, phase: .head),
        Bad(
            testDescription: "a negative length", answer: "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            code: .badServerResponse, phase: .head),
        Bad(
            testDescription: "a length that overflows",
            answer: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n", code: .badServerResponse,
            phase: .head),
        Bad(
            testDescription: "a transfer coding before chunked",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", code: .badServerResponse,
            phase: .head),
        Bad(
            testDescription: "an invalid chunk size",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", code: .badServerResponse,
            phase: .body),
        Bad(
            testDescription: "101 without an Upgrade request",
            answer: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
            code: .badServerResponse, phase: .head),
        Bad(
            testDescription: "interim responses without end",
            answer: String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 100), code: .badServerResponse,
            phase: .head),
        Bad(
            testDescription: "more fields than the limit",
            answer: "HTTP/1.1 200 OK\r\n" + (0..<300).map { "X-\($0): a\r\n" }.joined() + "\r\n",
            code: .dataLengthExceedsMaximum, phase: .head),
        Bad(
            testDescription: "a head larger than the limit",
            answer: "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 65 * 1024) + "\r\n\r\n",
            code: .dataLengthExceedsMaximum, phase: .head),
        Bad(
            testDescription: "a head without end",
            answer: "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 4 * 1024 * 1024),
            code: .dataLengthExceedsMaximum, phase: .head),
        Bad(
            testDescription: "a length past the bound", answer: "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
            code: .dataLengthExceedsMaximum, phase: .body),
        Bad(
            testDescription: "chunks past the bound",
            answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "c8\r\n" + String(repeating: "a", count: 200) + "\r\n", count: 6) + "0\r\n\r\n",
            code: .dataLengthExceedsMaximum, phase: .body),
    ]

    @Test("An invalid response is an error with its phase, and the connection is closed", arguments: bad)
    func refused(_ example: Bad) async throws {
        let server = try await RawServer.answering(example.answer, closing: example.closes)
        let transport = NIOTransport()
        let request = TransportRequest.get(server).with { $0.options.delivery = .collected(upTo: 1000) }
        let error = try #require(await failure { try await transport.send(request) })
        #expect(error.code == example.code)
        #expect(error.phase == example.phase)
        #expect(error.requestMayHaveBeenSent)
        #expect(server.requests.count == 1)
        #expect(transport.statistics.open == 0)
    }

    @Test(
        "A truncated streamed body throws after the received part",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ])
    func cutOffStream(_ answer: String) async throws {
        let server = try await RawServer.answering(answer, closing: true)
        let transport = NIOTransport()
        let response = try await transport.send(.get(server).with { $0.options.delivery = .streamed })
        var came = Data()
        let error = await failure { for try await chunk in response.body { came.append(chunk) } }
        #expect(came == Data("hello".utf8))
        #expect(error?.code == .networkConnectionLost)
        #expect(error?.phase == .body)
    }

    @Test(
        "Bytes behind a response are never taken for the next response",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", "HTTP/1.1 200 OK\r\nConte", "H", "garbage\r\n\r\n",
        ])
    func leftovers(_ rest: String) async throws {
        let server = try await RawServer { request in
            request.connection == 0
                ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood" + rest)]
                : [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")]
        }
        let transport = NIOTransport()
        for _ in 0..<3 {
            #expect(try await transport.send(.get(server)).body.collectedBytes == Data("good".utf8))
        }
        #expect(server.accepted == 2)
    }

    @Test("A response sent before any request is not used")
    func greeting() async throws {
        let server = try await RawServer(greeting: [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")]) { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")]
        }
        let transport = NIOTransport()
        let result = await failure { try await transport.send(.get(server)) }
        // The greeting and the request race; the greeting never counts as a response that leaves the connection in use.
        #expect(result == nil || result?.code == .networkConnectionLost)
        try await eventually { transport.statistics.open == 0 }
        #expect(server.open <= 1)
    }
}
