// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPBinFaultTests {
    @Test(
        "A fault route sends exactly its bytes and ends the connection as described, for GET and POST",
        arguments: [
            ("close-before-head", "", RawClient.Ending.closed),
            ("close-inside-head", "HTTP/1.1 200 OK\r\nContent-Ty", .closed),
            ("close-after-head", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", .closed),
            (
                "truncate-inside-chunk",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nthe beginning", .closed
            ),
            (
                "early-hints",
                "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
                .closed
            ),
            ("reset", "", .reset),
            ("reset?at=head", "HTTP/1.1 200 OK\r\nContent-Ty", .reset),
            ("reset?at=body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthe beginning", .reset),
        ])
    func exact(name: String, bytes: String, ending: RawClient.Ending) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = RawClient(port: server.port)
            for request in ["GET /fault/\(name) HTTP/1.1\r\n", "POST /fault/\(name) HTTP/1.1\r\nContent-Length: 2\r\n"]
            {
                let body = request.hasPrefix("POST") ? "hi" : ""
                let result = try await client.send(["\(request)Host: t\r\n\r\n\(body)"])
                // A reset may discard the last bytes that were sent; the received bytes are a prefix.
                #expect(ending == .reset ? bytes.hasPrefix(result.text) : result.text == bytes)
                #expect(result.ending == ending)
            }
            try await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("/fault/truncate sends half of the announced length", arguments: [1, 2, 99, 300_001])
    func truncated(length: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).send([
                "GET /fault/truncate/\(length) HTTP/1.1\r\nHost: t\r\n\r\n"
            ])
            #expect(result.text.contains("Content-Length: \(length)\r\n"))
            let head = try #require(Data(result.bytes).range(of: Data("\r\n\r\n".utf8)))
            #expect(result.bytes.count - head.upperBound == length / 2)
        }
    }

    @Test("/fault/truncate-chunked omits the last chunk")
    func truncatedChunks() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).send([
                "GET /fault/truncate-chunked HTTP/1.1\r\nHost: t\r\n\r\n"
            ])
            #expect(result.body == "d\r\nthe beginning\r\n")
            #expect(result.ending == .closed)
        }
    }

    @Test(
        "A stalled response stays open until the client disconnects, and leaks nothing",
        arguments: [("stall-head", 0), ("stall-inside-head", 27), ("stall-body", 1)])
    func stalled(name: String, count: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let seen = Gate()
            server.on("/other") { _ in
                seen.open()
                return .status(.ok)
            }
            let call = Task {
                try await RawClient(port: server.port).send(["GET /fault/\(name) HTTP/1.1\r\nHost: t\r\n\r\n"])
            }
            _ = try await server.request(at: 0)
            _ = try await RawClient(port: server.port).get("/other")
            try await seen.wait()
            #expect(server.openConnectionCount >= 1)
            call.cancel()
            _ = await call.result
            try await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("/fault/header-flood ends at its count, and stops when the client disconnects")
    func flood() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = RawClient(port: server.port)
            let whole = try await client.send(["GET /fault/header-flood?count=1234 HTTP/1.1\r\nHost: t\r\n\r\n"])
            #expect(whole.count(of: "\r\nX-Flood-") == 1234)
            #expect(whole.text.hasSuffix("\r\n\r\n"))
            let part = try await client.send(["GET /fault/header-flood?count=100000000 HTTP/1.1\r\nHost: t\r\n\r\n"]) {
                $0.count > 200_000
            }
            #expect(part.ending == .satisfied)
            try await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("/fault/garbage is not HTTP, and the same each time")
    func garbage() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = RawClient(port: server.port)
            let result = try await client.get("/fault/garbage")
            #expect(result.bytes.count == 4096)
            #expect(!result.text.hasPrefix("HTTP/"))
            #expect(try await client.get("/fault/garbage").bytes == result.bytes)
        }
    }

    @Test("/fault/trickle is complete and takes at least as long as its pauses")
    func trickle() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let start = ContinuousClock.now
            let result = try await RawClient(port: server.port).get("/fault/trickle?bytes=5&delay=0.02")
            #expect(result.body == ".....")
            #expect(ContinuousClock.now - start >= .milliseconds(80))
        }
    }

    @Test("/fault/close-after-response closes a persistent connection after a complete response")
    func closedAfterResponse() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).send([
                "GET /fault/close-after-response HTTP/1.1\r\nHost: t\r\n\r\n"
            ])
            #expect(result.body == "closed without a word\n")
            #expect(!result.text.contains("Connection: close"))
            #expect(result.ending == .closed)
        }
    }

    @Test("/fault/early-response answers before the body is sent, and closes the connection afterwards")
    func early() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).send([
                "POST /fault/early-response HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\n", "hello",
                "GET /get HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n",
            ])
            #expect(result.text.hasPrefix("HTTP/1.1 413 "))
            #expect(result.text.contains("Connection: close\r\n"))
            #expect(!result.text.contains("HTTP/1.1 200 OK"))
            #expect(result.ending == .closed)
            let alone = try await RawClient(port: server.port).send(
                ["POST /fault/early-response?status=200 HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\n"]
            ) { String(decoding: $0, as: UTF8.self).contains("answered before") }
            #expect(alone.ending == .satisfied)
        }
    }

    @Test(
        "/fault/bad-gzip fails to decompress in each of its variants", arguments: ["garbage", "truncated", "checksum"])
    func brokenGzip(kind: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let url = "\(server.url)/fault/bad-gzip?kind=\(kind)"
            let raw = try await ChildProcess.run("/usr/bin/curl", arguments: ["-s", url])
            #expect(raw.status == 0)
            #expect(try await ChildProcess.run("/usr/bin/gzip", arguments: ["-dc"], input: raw.output).status != 0)
        }
    }

    @Test("/fault/gzip-bomb decompresses to its size in zeros, and is far smaller on the wire")
    func bomb() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let raw = try await ChildProcess.run("/usr/bin/curl", arguments: ["-s", "\(server.url)/fault/gzip-bomb/8"])
                .output
            #expect(raw.count < 20_000)
            let unpacked = try await ChildProcess.run("/usr/bin/gzip", arguments: ["-dc"], input: raw)
            #expect(unpacked.status == 0)
            #expect(unpacked.output == Data(count: 8 * 1024 * 1024))
        }
    }
}
