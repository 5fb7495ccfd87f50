// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportCase {
    private static let statuses = [200, 201, 204, 300, 301, 302, 303, 304, 307, 308, 400, 404, 407, 418, 500, 503, 599]

    /// Cases about responses: each one is delivered unchanged, and interceptors decide what to do with it.
    static let responses: [TransportCase] =
        statuses.map { status in
            TransportCase("The status \(status) is delivered with its fields and body") { transport in
                let isBodiless = status == 204 || status == 304
                let server = try await RawServer.responding(
                    with: "HTTP/1.1 \(status) X\r\nLocation: /elsewhere\r\nX-A: 1\r\n"
                        + (isBodiless ? "\r\n" : "Content-Length: 4\r\n\r\nbody"))
                let response = try await transport.send(.to(server))
                try require(response.head.status.code, is: status, named: "the status")
                try require(response.head.headerFields[.location], is: "/elsewhere", named: "Location")
                try require(
                    response.body.collectedBytes, is: Data((isBodiless ? "" : "body").utf8), named: "the body")
                try require(server.requests.count, is: 1, named: "the number of requests")
            }
        } + [
            TransportCase("A redirect without Location is delivered") { transport in
                let server = try await RawServer.responding(with: "HTTP/1.1 302 Found\r\nContent-Length: 4\r\n\r\nbody")
                let response = try await transport.send(.to(server))
                try require(response.head.status.code, is: 302, named: "the status")
                try require(response.body.collectedBytes, is: Data("body".utf8), named: "the body")
            },
            TransportCase("A Basic challenge is delivered with its body", run: challenge("Basic realm=\"x\"")),
            TransportCase(
                "A Digest challenge is delivered with its body", run: challenge("Digest realm=\"x\", nonce=\"n\"")),
            TransportCase("A challenge with an unknown scheme is delivered", run: challenge("Fancy a=b")),
            TransportCase("A streamed challenge is delivered with its body") { transport in
                let server = try await RawServer.responding(
                    with: "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 4\r\n\r\nbody")
                let response = try await transport.send(TransportRequest.to(server).streamed)
                try require(response.head.status.code, is: 401, named: "the status")
                try require(try await response.body.collect(upTo: 9), is: Data("body".utf8), named: "the body")
            },
            TransportCase("Chunked, close-delimited, HTTP/1.0 and 100 (Continue) responses are read") { transport in
                for (answer, closes) in [
                    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", false),
                    ("HTTP/1.1 200 OK\r\n\r\nhello", true),
                    ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", true),
                    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", false),
                ] {
                    let server = try await RawServer.responding(with: answer, closing: closes)
                    let response = try await transport.send(.to(server))
                    try require(response.body.collectedBytes, is: Data("hello".utf8), named: "the body")
                }
            },
            TransportCase("A response to HEAD has no body, whatever its Content-Length") { transport in
                let server = try await RawServer.responding(
                    with: "HTTP/1.1 200 OK\r\nContent-Length: 70000000000\r\n\r\n")
                let response = try await transport.send(.to(server, method: .head))
                try require(response.body.collectedBytes, is: Data(), named: "the body")
                try require(response.head.headerFields[.contentLength], is: "70000000000", named: "Content-Length")
            },
            TransportCase("Several Set-Cookie fields stay separate") { transport in
                let server = try await RawServer.responding(
                    with: "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT\r\n"
                        + "Set-Cookie: c=d; Path=/\r\nContent-Length: 2\r\n\r\nok")
                let response = try await transport.send(.to(server))
                try require(
                    response.head.headerFields[values: .setCookie],
                    is: ["a=b; Expires=Wed, 21 Oct 2065 07:28:00 GMT", "c=d; Path=/"], named: "Set-Cookie")
            },
            TransportCase("A compressed body is decompressed, and Content-Encoding is removed") {
                transport in
                let server = try await SharedServer.value
                let response = try await transport.send(
                    TransportRequest(
                        head: HTTPRequest(
                            method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/gzip")))
                try require(response.body.collectedBytes?.first, is: UInt8(ascii: "{"), named: "the first byte")
                try require(response.head.headerFields[.contentEncoding], is: nil, named: "Content-Encoding")
            },
            TransportCase("A body at the collection limit is delivered, and one byte more is an error") { transport in
                let server = try await RawServer.responding(with: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                var request = TransportRequest.to(server)
                request.options.delivery = .collected(upTo: 5)
                try require(
                    try await transport.send(request).body.collectedBytes, is: Data("hello".utf8), named: "the body")
                request.options.delivery = .collected(upTo: 4)
                let sent = request
                let error = try await refusal { try await transport.send(sent) }
                try require(error.code, is: .dataLengthExceedsMaximum, named: "the code")
                try require(error.phase, is: .body, named: "the phase")
            },
            TransportCase("A head with more fields than the limit is an error") { transport in
                let server = try await RawServer.responding(
                    with: "HTTP/1.1 200 OK\r\n" + (0..<20).map { "X-\($0): a\r\n" }.joined()
                        + "Content-Length: 2\r\n\r\nok")
                var request = TransportRequest.to(server)
                request.options.limits.headerFields = 10
                let sent = request
                let error = try await refusal { try await transport.send(sent) }
                try require(error.code, is: .dataLengthExceedsMaximum, named: "the code")
                try require(error.phase, is: .head, named: "the phase")
            },
            TransportCase("Fifty concurrent requests each receive their own response") { transport in
                let server = try await SharedServer.value
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            let response = try await transport.send(
                                TransportRequest(
                                    head: HTTPRequest(
                                        method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)",
                                        path: "/bytes/\(1000 + number)")))
                            try require(response.body.collectedBytes?.count, is: 1000 + number, named: "the length")
                        }
                    }
                    try await group.waitForAll()
                }
            },
        ]

    private static func challenge(_ field: String) -> @Sendable (any Transport) async throws -> Void {
        { transport in
            let server = try await RawServer.responding(
                with: "HTTP/1.1 401 No\r\nWWW-Authenticate: \(field)\r\nContent-Length: 4\r\n\r\nbody")
            let response = try await transport.send(.to(server))
            try require(response.head.status.code, is: 401, named: "the status")
            try require(response.body.collectedBytes, is: Data("body".utf8), named: "the body")
            try require(server.requests.count, is: 1, named: "the number of requests")
        }
    }
}
