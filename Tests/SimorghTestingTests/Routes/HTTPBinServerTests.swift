// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPBinServerTests {
    @Test("GET is echoed as JSON: repeated arguments as a list, header fields, origin and URL")
    func get() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).get("/get?a=1&b=x+y%26&a=2", "x-one-TWO: 3\r\n")
            #expect(result.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let echo = try object(result.body)
            let arguments = try #require(echo["args"] as? [String: Any])
            #expect(arguments["a"] as? [String] == ["1", "2"])
            #expect(arguments["b"] as? String == "x y&")
            #expect((echo["headers"] as? [String: String])?["X-One-Two"] == "3")
            #expect(echo["origin"] as? String == "127.0.0.1")
            #expect(echo["url"] as? String == "http://test/get?a=1&b=x+y%26&a=2")
        }
    }

    @Test(
        "A request body is echoed according to its media type",
        arguments: [
            ("application/json", #"{"a":[1,2.50]}"#, "json", #"{"a":[1,2.5]}"#),
            ("application/x-www-form-urlencoded", "k=%26+%2B&k=2&e", "form", #"{"e":"","k":["& +","2"]}"#),
            ("text/plain", "hello", "data", #""hello""#),
            ("application/json", #"{"a":tru}"#, "json", "null"),
            (
                "multipart/form-data; boundary=xyz",
                "--xyz\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--xyz--\r\n", "form", #"{"n":"v"}"#
            ),
        ])
    func bodies(type: String, body: String, member: String, expected: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let result = try await RawClient(port: server.port)
                    .post("/\(method.lowercased())", type: type, body, method: method)
                let value = try #require(try object(result.body)[member])
                let json = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
                #expect(String(decoding: json, as: UTF8.self) == expected)
            }
        }
    }

    @Test("Pipelined requests are answered in order over one connection")
    func pipelining() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let requests = (0..<2000).map { "GET /anything/\($0) HTTP/1.1\r\nHost: test\r\n\r\n" }
            let last = "GET /status/204 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
            let result = try await RawClient(port: server.port).send([requests.joined() + last])
            #expect(result.ending == .closed)
            #expect(result.count(of: "HTTP/1.1 200 OK") == 2000)
            #expect(result.text.contains("HTTP/1.1 204 No Content\r\n"))
            let order = result.text.matches(of: /"url": "http:\/\/test\/anything\/(\d+)"/).compactMap { Int($0.1) }
            #expect(order == Array(0..<2000))
            #expect(server.acceptedConnectionCount == 1)
            #expect(server.requestCount == 2001)
            #expect(Set(server.requests.map(\.arrival?.connection)) == [0])
        }
    }

    @Test("A chunked request body over many packets is reassembled", arguments: [1, 1000])
    func chunked(size: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let chunk = String(repeating: "a", count: size)
            let head = "POST /post HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            let body = Array(repeating: "\(String(size, radix: 16))\r\n\(chunk)\r\n", count: 50)
            let result = try await RawClient(port: server.port).send([head] + body + ["0\r\n\r\n"])
            #expect(try object(result.body)["data"] as? String == String(repeating: "a", count: size * 50))
            #expect(server.requests.first?.body.count == size * 50)
            #expect(server.requests.first?.arrival?.isComplete == true)
        }
    }

    @Test("/bytes returns exactly the bytes of its seed", arguments: [0, 1, 7, 65_536, 1_000_001])
    func bytes(count: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            for (target, framing) in [("", "Content-Length: \(count)"), ("&chunked", "Transfer-Encoding: chunked")] {
                let result = try await ChildProcess.run(
                    "/usr/bin/curl", arguments: ["-si", "\(server.url)/bytes/\(count)?seed=9\(target)"])
                let head = try #require(result.output.range(of: Data("\r\n\r\n".utf8)))
                let text = String(decoding: result.output[..<head.lowerBound], as: UTF8.self)
                #expect(text.contains(framing))
                #expect(result.output[head.upperBound...] == MockServer.bytes(count, seed: 9))
            }
        }
    }

    @Test("HEAD is answered like GET without a body; OPTIONS and status 405 list the allowed methods")
    func methods() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = RawClient(port: server.port)
            let head = try await client.send(["HEAD /bytes/500 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"])
            #expect(head.text.contains("Content-Length: 500\r\n"))
            #expect(head.body.isEmpty)
            let options = try await client.send(["OPTIONS /get HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"])
            #expect(options.text.contains("200 OK\r\nAllow: GET, HEAD, OPTIONS\r\n"))
            let wrong = try await client.post("/get", type: "text/plain", "x")
            #expect(wrong.text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
            #expect(wrong.text.contains("Allow: GET, HEAD, OPTIONS\r\n"))
            let unknown = try await client.get("/nowhere")
            #expect(unknown.text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(try object(unknown.body)["error"] as? String == "there is nothing at /nowhere")
        }
    }

    @Test("An HTTP/1.0 client receives no chunks, and its connection persists only on request")
    func oldClient() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = RawClient(port: server.port)
            let stream = try await client.send(["GET /stream/2 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"])
            #expect(stream.body.hasPrefix(#"{"id": 0"#))
            #expect(stream.text.contains("Connection: close\r\n"))
            #expect(stream.ending == .closed)
            let kept = try await client.send([
                "GET /status/200 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET /status/404 HTTP/1.0\r\n\r\n",
            ])
            #expect(kept.text.contains("Connection: keep-alive\r\n"))
            #expect(kept.text.contains(" 404 Not Found\r\n"))
        }
    }

    @Test("Expect: 100-continue is answered with 100")
    func expectation() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let head = "POST /post HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
            let asked = try await RawClient(port: server.port).send([head]) { _ in true }
            #expect(asked.text == "HTTP/1.1 100 Continue\r\n\r\n")
            let sent = try await ChildProcess.run(
                "/usr/bin/curl", arguments: ["-s", "-H", "Expect: 100-continue", "-d", "hi=1", "\(server.url)/post"])
            #expect(
                try object(String(decoding: sent.output, as: UTF8.self))["form"] as? [String: String] == ["hi": "1"])
        }
    }

    @Test("A user's route takes precedence over the built-in ones, and receives path parameters and the whole body")
    func routes() async throws {
        try await MockServer.with { server in
            server.on(.post, path: "/users/{id}") { request in
                .text("\(request.parameters["id"] ?? "") \(request.text)", status: .created)
            }
            server.on("/get") { _ in .status(418) }
            server.on("/broken") { _ in throw CancellationError() }
            let client = RawClient(port: server.port)
            let created = try await client.post("/users/a%20b", type: "text/plain", "hello")
            #expect(created.text.hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(created.body == "a b hello")
            #expect(try await client.get("/get").text.hasPrefix("HTTP/1.1 418 "))
            #expect(try await client.get("/broken").text.hasPrefix("HTTP/1.1 500 "))
        }
    }

    @Test("A route's body arrives in chunks, waits at its gate and breaks off")
    func pieces() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            server.on("/slow") { _ in
                .chunks([
                    .bytes(Data("a".utf8)), .wait(gate), .bytes(Data("b".utf8)),
                    .fail(.init(.networkConnectionLost, phase: .body, message: "lost")),
                ])
            }
            let result = try await RawClient(port: server.port).send(["GET /slow HTTP/1.1\r\nHost: t\r\n\r\n"]) {
                bytes in
                if String(decoding: bytes, as: UTF8.self).hasSuffix("1\r\na\r\n") { gate.open() }
                return false
            }
            #expect(result.body == "1\r\na\r\n1\r\nb\r\n")
            #expect(result.ending == .closed)
        }
    }

    @Test(
        "A request body above maximumBodyBytes is refused, with and without Content-Length", arguments: [true, false])
    func tooLarge(announced: Bool) async throws {
        var configuration = MockServer.Configuration()
        configuration.maximumBodyBytes = 10
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let framing = announced ? "Content-Length: 11" : "Transfer-Encoding: chunked"
            let body = announced ? "hello world" : "b\r\nhello world\r\n0\r\n\r\n"
            let result = try await RawClient(port: server.port).send(
                ["POST /post HTTP/1.1\r\nHost: t\r\n\(framing)\r\n\r\n\(body)"])
            #expect(result.text.hasPrefix("HTTP/1.1 413 "))
            #expect(result.ending == .closed)
        }
    }

    @Test("Invalid HTTP is answered with 400, and a head that is too large with 431", arguments: [0, 1])
    func invalid(kind: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let flood = String(repeating: "x: \(String(repeating: "y", count: 1000))\r\n", count: 3000)
            let request = kind == 0 ? "NONSENSE\r\n\r\n" : "GET / HTTP/1.1\r\nHost: t\r\n\(flood)\r\n"
            let result = try await RawClient(port: server.port).send([request])
            #expect(result.text.hasPrefix("HTTP/1.1 \(kind == 0 ? 400 : 431) "))
        }
    }

    @Test("Counters and the log follow the connections, and can be awaited without polling")
    func counters() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            server.on("/held") { _ in .text("x").held(by: gate) }
            async let held = RawClient(port: server.port).get("/held")
            let logged = try await server.request(at: 0)
            #expect(logged.head.path == "/held")
            #expect(logged.header(.connection) == "close")
            #expect(server.openConnectionCount == 1)
            gate.open()
            #expect(try await held.body == "x")
            try await server.waitForOpenConnections(atMost: 0)
            #expect(server.requestCount == 1)
        }
    }

    @Test("shutdown closes active connections, and can be called repeatedly")
    func shutdown() async throws {
        let server = try await MockServer.start()
        server.on("/held") { _ in .text("x").held(by: Gate()) }
        let port = server.port
        async let held = RawClient(port: port).get("/held")
        _ = try await server.request(at: 0)
        await server.shutdown()
        await server.shutdown()
        #expect(try await held.bytes.isEmpty)
        #expect(server.openConnectionCount == 0)
    }

    @Test("A port in use is an error")
    func portInUse() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            var configuration = MockServer.Configuration()
            configuration.port = server.port
            await #expect(throws: (any Error).self) { try await MockServer.start(configuration) }
        }
    }
}
