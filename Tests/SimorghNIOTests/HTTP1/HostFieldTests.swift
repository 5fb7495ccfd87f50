// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("Host: a request with another host than its URL", .timeLimit(.minutes(2)))
struct HostFieldTests {
    static let name = HostField.name

    private static func client(
        _ server: MockServer, _ transport: NIOTransport, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = server.clientConfiguration
        change(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }

    private static func hosts(_ server: MockServer) -> [String] {
        server.requests.map { $0.head.authority ?? $0.header(name) ?? "none" }
    }

    @Test(
        "The Host field or :authority names the custom host, and the connection is the URL's",
        arguments: [
            MockServer.HTTPProtocol.http1, .http2,
        ])
    func asked(version: MockServer.HTTPProtocol) async throws {
        var configuration = MockServer.Configuration()
        configuration.protocols = [version]
        try await MockServer.with(configuration) { server in
            server.on(.get, path: "/x", response: .text("ok"))
            let transport = NIOTransport.patient()
            let client = Self.client(server, transport)
            for host in ["other.example", nil, "other.example:81", "[2001:db8::1]:81", "other.example"] {
                try await client.call(.get, "x", headers: host.map { ["Host": $0] } ?? [:]).void()
            }
            let own = "127.0.0.1:\(server.port)"
            #expect(
                Self.hosts(server) == ["other.example", own, "other.example:81", "[2001:db8::1]:81", "other.example"])
            #expect(transport.statistics.dialed == 1)
        }
    }

    @Test("HTTP/1.1: the field is written once and replaces the URL's host")
    func wire() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = NIOTransport.patient()
        let request = TransportRequest.get(server).with {
            $0.head.headerFields[Self.name] = "x"
            $0.options.decompresses = false
        }
        _ = try await transport.send(request)
        #expect(server.requests.first?.text == "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    }

    @Test(
        "An invalid host is refused before anything is sent",
        arguments: [
            "", " ", "a b", "a/b", "zal@a", "a?b", "a#b", "a\\b", "a:", "a:x", "a:65536", "a:1:2", "[::1", "::1", "[a]",
            "a,b", "b\u{FC}cher.example", "http://a", ":80", "a\u{7F}",
        ])
    func refused(value: String) async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let request = TransportRequest.get(server).with {
            $0.head.headerFields.append(HTTPField(name: Self.name, lenientValue: Array(value.utf8)))
        }
        let error = await failure { try await NIOTransport.patient().send(request) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
        #expect(server.accepted == 0)
    }

    @Test("Two Host fields that differ are refused, and two equal ones are merged")
    func twice() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = NIOTransport.patient()
        func request(_ hosts: [String]) -> TransportRequest {
            TransportRequest.get(server).with { request in
                for host in hosts { request.head.headerFields.append(HTTPField(name: Self.name, value: host)) }
            }
        }
        let error = await failure { try await transport.send(request(["a", "b"])) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
        _ = try await transport.send(request(["a", "a"]))
        #expect(server.requests.map { $0.text.components(separatedBy: "Host:").count } == [2])
    }

    @Test("A redirect to the same origin keeps Host, as curl does, and one to another origin drops it")
    func redirected() async throws {
        try await MockServer.with { other in
            other.on(.get, path: "/b", response: .text("ok"))
            try await MockServer.with { server in
                server.on(.get, path: "/a", response: .status(.found).header(.location, value: "/c"))
                server.on(.get, path: "/c", response: .status(.found).header(.location, value: "\(other.url)/b"))
                let client = Self.client(server, .patient())
                try await client.call(.get, "a", headers: ["Host": "x.example"]).void()
                #expect(Self.hosts(server) == ["x.example", "x.example"])
                #expect(Self.hosts(other) == ["127.0.0.1:\(other.port)"])
            }
        }
    }

    @Test("Cookies and the cache key use the URL: a response for a custom host is neither stored nor reused")
    func cached() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/x") { request in
                .text(request.head.authority ?? request.header(Self.name) ?? "none")
                    .header(.cacheControl, value: "max-age=60").header(.setCookie, value: "a=b")
            }
            let transport = NIOTransport.patient()
            let client = Self.client(server, transport) {
                $0.caching.httpCache = HTTPCache(CacheConfiguration(diskCapacity: 0))
                $0.cookies = .memory
            }
            let own = "127.0.0.1:\(server.port)"
            var answers: [String] = []
            for host in ["x.example", nil, "x.example", "y.example", nil] {
                let data = try await client.call(.get, "x", headers: host.map { ["Host": $0] } ?? [:]).data()
                answers.append(String(decoding: data, as: UTF8.self))
            }
            #expect(answers == ["x.example", own, "x.example", "y.example", own])
            #expect(server.requestCount == 4)
            #expect(server.requests.last?.header(.cookie) == "a=b")
        }
    }

    @Test("Credentials follow the URL: they are sent to its origin only, for any Host")
    func credentials() async throws {
        try await MockServer.with { other in
            other.on(.get, path: "/x", response: .text("ok"))
            try await MockServer.with { server in
                server.on(.get, path: "/x", response: .status(.found).header(.location, value: "\(other.url)/x"))
                let client = Self.client(server, .patient()) { $0.authentication = .bearer("sesame") }
                try await client.call(.get, "x", headers: ["Host": "127.0.0.1:\(other.port)"]).void()
                #expect(server.requests.map { $0.header(.authorization) } == ["Bearer sesame"])
                #expect(other.requests.map { $0.header(.authorization) } == [nil])
            }
        }
    }

    @Test("A WebSocket upgrade request sends the custom Host")
    func upgrade() async throws {
        let server = try await RawServer.answering("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
        let request = TransportRequest.get(server).with { $0.head.headerFields[Self.name] = "x.example" }
        _ = await failure { try await NIOTransport.patient().open(request, options: WebSocketChannelOptions()) }
        #expect(server.requests.first?.text.contains("\r\nHost: x.example\r\n") == true)
    }

    @Test("Through a plain proxy the request line keeps the URL, as with curl")
    func proxied() async throws {
        let proxy = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/x")
        ).with {
            $0.head.headerFields[Self.name] = "x.example"
            $0.options.route.proxy = .url("http://\(proxy.authority)")
        }
        _ = try await NIOTransport.patient().send(request)
        #expect(proxy.requests.first?.text.hasPrefix("GET http://a.test/x HTTP/1.1\r\nHost: x.example\r\n") == true)
    }

    @Test("cURL() prints the Host field that is sent")
    func curl() async throws {
        var configuration = APIClient.Configuration()
        configuration.baseURL = "http://a.test"
        let client = APIClient(configuration: configuration, transport: NIOTransport.patient())
        #expect(try await client.call(.get, "x", headers: ["Host": "x.example"]).cURL().contains("Host: x.example"))
    }
}
