// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HTTPBinRouteTests {
    @Test(
        "/status answers with the status and its header fields",
        arguments: [(200, ""), (204, ""), (404, ""), (401, "WWW-Authenticate: Basic"), (302, "Location: /redirect/1")])
    func statuses(status: Int, field: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).get("/status/\(status)")
            #expect(result.text.hasPrefix("HTTP/1.1 \(status) "))
            #expect(field.isEmpty || result.text.contains(field))
            #expect(result.text.contains("Content-Length: 0") == (status != 204))
            #expect(try await RawClient(port: server.port).get("/status/700").text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test("Redirects count down to /get", arguments: ["redirect", "absolute-redirect", "relative-redirect"])
    func redirects(path: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await ChildProcess.run(
                "/usr/bin/curl",
                arguments: ["-sL", "-w", "%{num_redirects} %{url_effective}", "\(server.url)/\(path)/5"])
            #expect(String(decoding: result.output, as: UTF8.self).hasSuffix("5 \(server.url)/get"))
            let client = RawClient(port: server.port)
            #expect(try await client.get("/redirect/2?status=307").text.hasPrefix("HTTP/1.1 307 "))
            let other = try await client.get("/redirect-to?url=http%3A%2F%2Fx.test%2F&status_code=308")
            #expect(other.text.contains("Location: http://x.test/\r\n"))
            #expect(try await client.get("/redirect-to?url=a%0d%0ab").text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test(
        "/basic-auth and /bearer check the credentials",
        arguments: [
            ("/basic-auth/me/se%20cret", "Basic bWU6c2UgY3JldA==", 200),
            ("/basic-auth/me/secret", "basic bWU6c2VjcmV0", 200),
            ("/basic-auth/me/secret", "Basic bWU6d3Jvbmc=", 401), ("/basic-auth/me/secret", "", 401),
            ("/bearer", "Bearer token", 200), ("/bearer", "Bearer ", 401), ("/bearer", "", 401),
        ])
    func credentials(path: String, field: String, status: Int) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).get(path, "Authorization: \(field)\r\n")
            #expect(result.text.hasPrefix("HTTP/1.1 \(status) "))
            #expect(result.text.contains("WWW-Authenticate") == (status == 401))
        }
    }

    @Test("/stream sends one JSON line per number")
    func stream() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let output = try await ChildProcess.run("/usr/bin/curl", arguments: ["-s", "\(server.url)/stream/250"])
                .output
            let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
            #expect(try lines.map { try object(String($0))["id"] as? Int } == Array(0..<250))
        }
    }

    @Test("/delay and /drip take at least their duration and are complete")
    func timed() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let client = RawClient(port: server.port)
            // There is no pause after the last byte: seven pauses for eight bytes.
            for (path, body) in [("/delay/0.1", "\"url\""), ("/drip?duration=0.12&numbytes=8&delay=nan", "********")] {
                let start = ContinuousClock.now
                let result = try await client.get(path)
                #expect(result.body.contains(body))
                #expect(ContinuousClock.now - start >= .milliseconds(100), "\(path)")
            }
        }
    }

    @Test(
        "/gzip and /deflate decompress to the expected bytes",
        arguments: [("/gzip", "gzipped"), ("/deflate", "deflated")])
    func compressed(path: String, member: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let echo = try await ChildProcess.run(
                "/usr/bin/curl", arguments: ["-s", "--compressed", "\(server.url)\(path)"]
            )
            .output
            #expect(try object(String(decoding: echo, as: UTF8.self))[member] as? Bool == true)
            for count in [0, 1, 300_000] {
                let bytes = try await ChildProcess.run(
                    "/usr/bin/curl", arguments: ["-s", "--compressed", "\(server.url)\(path)/\(count)?seed=3"])
                #expect(bytes.status == 0)
                #expect(bytes.output == MockServer.bytes(count, seed: 3))
            }
        }
    }

    @Test("/image/png is a valid PNG of 16 by 16 pixels")
    func picture() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let bytes = try await ChildProcess.run("/usr/bin/curl", arguments: ["-s", "\(server.url)/image/png"]).output
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            let check = """
                import sys, zlib, struct
                d = sys.stdin.buffer.read()[8:]
                while d:
                    n, = struct.unpack('>I', d[:4]); name, body = d[4:8], d[8:8+n]
                    assert struct.unpack('>I', d[8+n:12+n])[0] == zlib.crc32(name + body)
                    if name == b'IHDR': print(*struct.unpack('>II', body[:8]))
                    if name == b'IDAT': print(len(zlib.decompress(body)))
                    d = d[12+n:]
                """
            let result = try await ChildProcess.run("/usr/bin/python3", arguments: ["-c", check], input: bytes)
            #expect(String(decoding: result.output, as: UTF8.self) == "16 16\n784\n")
        }
    }

    @Test(
        "/range answers with the range and its header fields",
        arguments: [
            ("Range: bytes=0-4", 206, "abcde", "bytes 0-4/30"), ("Range: bytes=24-", 206, "yzabcd", "bytes 24-29/30"),
            ("Range: bytes=-3", 206, "bcd", "bytes 27-29/30"), ("Range: bytes=28-99", 206, "cd", "bytes 28-29/30"),
            ("Range: bytes=30-", 416, "", "bytes */30"), ("Range: bytes=-0", 416, "", "bytes */30"),
            ("Range: bytes=4-0", 200, "abcdefghijklmnopqrstuvwxyzabcd", ""),
            ("Range: bytes=0-1,3-4", 200, "abcdefghijklmnopqrstuvwxyzabcd", ""),
            ("Range: bytes=0-4\r\nIf-Range: \"range30\"", 206, "abcde", "bytes 0-4/30"),
            ("Range: bytes=0-4\r\nIf-Range: \"other\"", 200, "abcdefghijklmnopqrstuvwxyzabcd", ""),
            ("If-None-Match: \"x\", \"range30\"", 304, "", ""), ("If-Match: \"x\"", 412, "", ""),
        ])
    func ranges(fields: String, status: Int, body: String, content: String) async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let result = try await RawClient(port: server.port).get("/range/30", "\(fields)\r\n")
            #expect(result.text.hasPrefix("HTTP/1.1 \(status) "))
            #expect(result.body == body)
            #expect(result.text.contains("Content-Range: \(content)\r\n") == !content.isEmpty)
            #expect(result.text.contains("ETag: \"range30\""))
        }
    }

    @Test("/upload reports each part, a large file with its size and digest")
    func upload() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).bin")
            let bytes = MockServer.bytes(5_000_000)
            try bytes.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let result = try await ChildProcess.run(
                "/usr/bin/curl",
                arguments: [
                    "-s", "-F", "note=grüße \"you\"", "-F", "file=@\(file.path());filename=a\"b.bin;type=image/x",
                    "\(server.url)/upload",
                ])
            let parts = try #require(
                try object(String(decoding: result.output, as: UTF8.self))["parts"] as? [[String: Any]])
            try #require(parts.count == 2)
            #expect(parts[0]["name"] as? String == "note")
            #expect(parts[0]["text"] as? String == "grüße \"you\"")
            #expect(parts[1]["filename"] as? String == "a\"b.bin")
            #expect(parts[1]["content_type"] as? String == "image/x")
            #expect(parts[1]["size"] as? Int == 5_000_000)
            let digest = try await ChildProcess.run("/usr/bin/sha256sum", arguments: [file.path()]).output.prefix(64)
            #expect(parts[1]["sha256"] as? String == String(decoding: digest, as: UTF8.self))
            #expect(parts[1]["text"] is NSNull)
            #expect(server.requests.first?.body.count ?? 0 > 5_000_000)
            let bad = try await RawClient(port: server.port).post(
                "/upload", type: "multipart/form-data; boundary=x", "--x\r\n")
            #expect(bad.text.hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test("The index lists every route")
    func index() async throws {
        try await MockServer.with { server in
            server.addHTTPBinRoutes()
            let index = try await RawClient(port: server.port).get("/").body
            for route in ["GET /get", "POST /upload", "* /status/{n}", "GET /range/{n}", "* /fault/stall-body"] {
                #expect(index.contains("\(route)\n"))
            }
        }
    }
}
