// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// The request fields in a HAR file are those that the server received, in their order (Kong/insomnia#840).
@Suite("HARRecorder: request heads as sent", .timeLimit(.minutes(10)))
struct HARSentHeadTests {
    private func client(
        _ url: String, _ recorder: HARRecorder, _ version: TransportOptions.HTTPVersion = .http1Only,
        _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.baseURL = url
        configuration.networkMonitor = nil
        configuration.httpVersion = version
        configuration.networkInterceptors = [recorder.interceptor]
        change(&configuration)
        return APIClient(configuration: configuration, transport: NIOTransport())
    }

    /// Returns the lines of a head without the first.
    private static func lines(_ text: String) -> [String] {
        let end = text.firstRange(of: "\r\n\r\n")?.lowerBound ?? text.endIndex
        return text[..<end].components(separatedBy: "\r\n").dropFirst().map { $0 }
    }

    private static let bodies: [RequestBody] = [
        .empty, .text("abc"), .bytes(Data(count: 100_000)), .form(fields: [QueryItem(name: "a", value: "b c")]),
        RequestBody.text(String(repeating: "abc", count: 1000)).compressed(.gzip),
    ]

    @Test("HTTP/1.1: the HAR has the header lines that the server received, in their order", arguments: bodies.indices)
    func http1(index: Int) async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let recorder = HARRecorder(redaction: .none)
        let client = client("http://\(server.authority)", recorder) {
            $0.headers = ["User-Agent": "birds/1", "Cookie": "a=b; c=d"]
        }
        try await client.call(index == 0 ? .get : .post, "x", query: ["q": "é"], body: Self.bodies[index]).void()
        let request = try #require(recorder.document.log.entries.first?.request)
        let got = Self.lines(try #require(server.requests.first).text)
        #expect(request.headers.map { "\($0.name): \($0.value)" } == got)
        #expect(got.first == "Host: \(server.authority)" && got.contains { $0.hasPrefix("Accept-Encoding: ") })
        #expect(got.contains { $0.hasPrefix("Content-Length: ") } == (index > 0))
        #expect(request.cookies.map(\.name) == ["a", "c"])
    }

    @Test("HTTP/2: the HAR starts with the pseudo-header fields, as browsers write them, and names are lowercase")
    func http2() async throws {
        try await MockServer.with { server in
            server.enqueue(.text("ok"))
            let recorder = HARRecorder()
            let client = client(server.url, recorder, .http2PriorKnowledge) { $0.headers = ["X-Bird": "zal"] }
            _ = try await client.call(.post, "x", query: ["api_key": "s3cret-key", "p": 1], body: .text("abc")).data()
            let entry = try #require(recorder.document.log.entries.first)
            let headers = entry.request.headers
            #expect(
                headers.prefix(4) == [
                    .init(name: ":method", value: "POST"), .init(name: ":scheme", value: "http"),
                    .init(name: ":authority", value: "127.0.0.1:\(server.port)"),
                    .init(name: ":path", value: "/x?api_key=[hidden]&p=1"),
                ])
            let got = try await server.takeRequest().head.headerFields
            #expect(headers.dropFirst(4).map(\.name) == got.map(\.name.canonicalName))
            #expect(headers.dropFirst(4).map(\.value) == got.map(\.value))
            #expect(headers.contains { $0.name == "content-length" && $0.value == "3" })
            #expect(entry.request.httpVersion == "HTTP/2")
            #expect(!String(decoding: try recorder.export(), as: UTF8.self).contains("s3cret"))
        }
    }

    @Test("Secrets that a later interceptor or the engine adds to the head are redacted everywhere")
    func secrets() async throws {
        let proxy = try await RawServer { _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 22\r\n\r\n"
            return [.send("\(head)you are inner-s3cret-1")]
        }
        let recorder = HARRecorder()
        let client = client("http://birds.test", recorder) {
            $0.route.proxy = .url("http://zal:proxy-s3cret@\(proxy.authority)")
            $0.networkInterceptors.append(
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[.authorization] = "Bearer inner-s3cret-1"
                    request.head.headerFields[.cookie] = "sid=inner-s3cret-2"
                    return try await next(request)
                })
        }
        _ = try? await client.call(.get, "x").data()
        let entry = try #require(recorder.document.log.entries.first)
        let headers = Dictionary(entry.request.headers.map { ($0.name, $0.value) }) { one, _ in one }
        #expect(headers["Host"] == "birds.test" && headers["Authorization"] == "Bearer [hidden]")
        #expect(headers["Proxy-Authorization"] == "Basic [hidden]" && headers["Cookie"] == "[hidden]")
        #expect(entry.request.cookies == [.init(name: "sid", value: "[hidden]")])
        #expect(entry.response.status == 200)
        let file = String(decoding: try recorder.export(), as: UTF8.self)
        let basic = Data("zal:proxy-s3cret".utf8).base64EncodedString()
        for secret in ["s3cret", basic] { #expect(!file.contains(secret)) }
    }

    @Test("Each attempt of a call has its own head, also if a later interceptor changes it")
    func again() async throws {
        let server = try await RawServer { request in
            [
                .send(
                    "HTTP/1.1 \(request.connection + request.number == 0 ? "503 No" : "200 OK")\r\nContent-Length: 0\r\n\r\n"
                )
            ]
        }
        let recorder = HARRecorder(redaction: .none)
        let name = try #require(HTTPField.Name("X-Attempt"))
        let client = client("http://\(server.authority)", recorder) {
            $0.retry = RetryPolicy(maxRetryCount: 1, delay: 0)
            $0.networkInterceptors.append(
                Interceptor { request, next in
                    var request = request
                    request.head.headerFields[name] = "\(request.options.call?.attempts ?? 0)"
                    return try await next(request)
                })
        }
        _ = try? await client.call(.get, "x").data()
        let entries = recorder.document.log.entries
        #expect(entries.map(\.response.status) == [503, 200])
        #expect(entries.map { $0.request.headers.first { $0.name == "X-Attempt" }?.value } == ["1", "2"])
    }

    @Test("Random requests: the recorded head equals the written lines", arguments: 0..<200)
    func random(seed: Int) throws {
        var random = SeededNumbers(UInt64(seed + 1))
        var head = HTTPRequest(method: .post, scheme: "http", authority: "a.test", path: "/")
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let names = ["X-A", "x-a", "Cookie", "Accept", "Connection", "TE", "Content-Type", "X_B"]
            let picked = names.randomElement(using: &random)
            let value = random.bytes(Int.random(in: 0...6, using: &random)).filter { $0 > 0x20 && $0 != 0x7F }
            guard let name = picked.flatMap({ HTTPField.Name($0) }) else { continue }
            let bytes = name == .connection ? Array("close".utf8) : value
            head.headerFields.append(HTTPField(name: name, value: bytes))
        }
        let body = Data(random.bytes(Int.random(in: 0...40, using: &random)))
        var request = TransportRequest(head: head, body: .bytes(body))
        request.options.decompresses = Bool.random(using: &random)
        guard let plan = try? RequestPlan(request) else { return }
        let sent = plan.sentHead(isHTTP2: false)
        #expect(sent.pseudoFields.isEmpty)
        var told = Array("POST / HTTP/1.1\r\n".utf8)
        for field in sent.fields {
            told.append(contentsOf: "\(field.name.rawName): ".utf8)
            field.withUnsafeBytesOfValue { told.append(contentsOf: $0) }
            told.append(contentsOf: "\r\n".utf8)
        }
        told.append(contentsOf: "\r\n".utf8)
        let written = Array(plan.writeHead().readableBytesView)
        #expect(written.starts(with: told))
        #expect(written.count == told.count + (request.body.bytes?.count ?? 0))
    }
}
