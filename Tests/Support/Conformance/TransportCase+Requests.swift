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

extension TransportRequest {
    /// Returns a request to a server, with limits that no slow machine reaches.
    static func to(
        _ server: RawServer, method: HTTPRequest.Method = .get, path: String = "/", body: RequestBody = .empty
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: server.authority, path: path), body: body)
    }

    /// The same request with streamed delivery.
    var streamed: TransportRequest {
        var request = self
        request.options.delivery = .streamed
        return request
    }
}

extension RawServer {
    /// Returns a server that answers every request with the same bytes, and optionally closes afterwards.
    static func responding(with text: String, closing: Bool = false) async throws -> RawServer {
        try await RawServer { _ in closing ? [.send(text), .close] : [.send(text)] }
    }

    static var okResponse: String { "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" }
}

extension TransportCase {
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, .trace]

    /// Cases about requests.
    static let requests: [TransportCase] =
        methods.map { method in
            TransportCase("\(method.rawValue): the request target is sent unchanged") { transport in
                let server = try await RawServer.responding(with: "HTTP/1.1 204 No Content\r\n\r\n")
                let target = "/a%20b/%2F;v=1?q=%C3%A9&r=a+b&s"
                _ = try await transport.send(.to(server, method: method, path: target))
                try require(
                    server.requests.first?.text.hasPrefix("\(method.rawValue) \(target) HTTP/1.1\r\n") == true,
                    otherwise: "the request line is \(server.requests.first?.text.prefix(80) ?? "missing")")
            }
        } + [
            TransportCase("Header fields are sent with their values") { transport in
                let server = try await RawServer.responding(with: RawServer.okResponse)
                var request = TransportRequest.to(server)
                request.head.headerFields[.accept] = "application/json"
                request.head.headerFields[.authorization] = "Bearer abc.def"
                request.head.headerFields[.userAgent] = "tester/1"
                guard let own = HTTPField.Name("X-Own") else { throw Failure("no name") }
                request.head.headerFields[own] = "a, b; c=\"d\""
                _ = try await transport.send(request)
                let lines = server.requests[0].text.split(separator: "\r\n").map { $0.lowercased() }
                for line in [
                    "accept: application/json", "authorization: bearer abc.def", "user-agent: tester/1",
                    "x-own: a, b; c=\"d\"",
                ] {
                    try require(lines.count { $0 == line } == 1, otherwise: "\(line) is not in \(lines)")
                }
                try require(lines.count { $0.hasPrefix("accept:") } == 1, otherwise: "Accept is sent twice: \(lines)")
            },
            TransportCase("An in-memory body is sent with Content-Length") { transport in
                let server = try await RawServer.responding(with: RawServer.okResponse)
                for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
                    _ = try await transport.send(.to(server, method: method, body: .text("hello")))
                    let text = server.requests.last?.text ?? ""
                    try require(text.hasSuffix("\r\n\r\nhello"), otherwise: "\(method.rawValue) was \(text)")
                    try require(
                        text.lowercased().contains("content-length: 5\r\n"), otherwise: "\(method.rawValue) was \(text)"
                    )
                }
            },
            TransportCase("An empty body is sent with Content-Length: 0") { transport in
                let server = try await RawServer.responding(with: RawServer.okResponse)
                _ = try await transport.send(.to(server, method: .post, body: .bytes(Data())))
                let text = server.requests[0].text.lowercased()
                try require(text.contains("content-length: 0\r\n"), otherwise: "the request was \(text)")
            },
            TransportCase("A streamed body arrives whole, with and without a known length") { transport in
                let server = try await MockServer.start()
                server.on(.post, path: "/count") { .text("\($0.body.count)") }
                let chunk = Data(repeating: 0x61, count: 100_000)
                for (count, sendsLength) in [(0, true), (1, true), (1, false), (30, true), (30, false)] {
                    let body = RequestBody.stream(
                        length: sendsLength ? Int64(count * chunk.count) : nil, contentType: "text/plain"
                    ) {
                        AsyncThrowingStream<Data, any Error> { stream in
                            for _ in 0..<count { stream.yield(chunk) }
                            stream.finish()
                        }
                    }
                    let request = TransportRequest(
                        head: HTTPRequest(
                            method: .post, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/count"),
                        body: body)
                    let response = try await transport.send(request)
                    let text = String(decoding: response.body.collectedBytes ?? Data(), as: UTF8.self)
                    try require(text, is: "\(count * chunk.count)", named: "the bytes that arrived of \(count) chunks")
                }
            },
            TransportCase("A streamed body shorter or longer than its length fails") { transport in
                let server = try await RawServer.responding(with: RawServer.okResponse)
                for length in [Int64(3), 9] {
                    let body = RequestBody.stream(length: length) {
                        AsyncThrowingStream<Data, any Error> { stream in
                            stream.yield(Data("hello".utf8))
                            stream.finish()
                        }
                    }
                    let error = try await refusal { try await transport.send(.to(server, method: .post, body: body)) }
                    try require(error.code, is: .requestBodyStreamExhausted, named: "the code")
                }
            },
            TransportCase("A body source that throws fails the request with its error") { transport in
                struct Broken: Error {}
                let server = try await RawServer.responding(with: RawServer.okResponse)
                let body = RequestBody.stream {
                    AsyncThrowingStream<Data, any Error> { stream in
                        stream.yield(Data("hello".utf8))
                        stream.finish(throwing: Broken())
                    }
                }
                let error = try await refusal { try await transport.send(.to(server, method: .post, body: body)) }
                try require(error.code, is: .requestBodyStreamExhausted, named: "the code")
                try require(
                    error.underlying is Broken, otherwise: "the cause is \(String(describing: error.underlying))")
            },
            TransportCase("QUERY is sent with its content (RFC 10008)") { transport in
                let server = try await RawServer.responding(with: RawServer.okResponse)
                var request = TransportRequest.to(server, method: .query, body: .text("limit=10"))
                request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
                _ = try await transport.send(request)
                let text = server.requests[0].text
                try require(text.hasPrefix("QUERY / HTTP/1.1\r\n"), otherwise: "the request is \(text.prefix(80))")
                try require(text.hasSuffix("\r\n\r\nlimit=10"), otherwise: "the content is not in \(text)")
                try require(
                    text.lowercased().contains("content-type: application/x-www-form-urlencoded\r\n"),
                    otherwise: "the media type is not in \(text)")
            },
            TransportCase("Two equal requests are two exchanges, without caching or cookies") {
                transport in
                let server = try await RawServer.responding(
                    with:
                        "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n\r\nok"
                )
                for _ in 0..<2 { _ = try await transport.send(.to(server)) }
                try require(server.requests.count, is: 2, named: "the number of requests")
                try require(
                    !server.requests[1].text.lowercased().contains("cookie:"), otherwise: "a cookie was sent back")
            },
        ]
}
