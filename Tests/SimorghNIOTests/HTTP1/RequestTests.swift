// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("HTTP/1.1 request heads", .timeLimit(.minutes(10)))
struct RequestTests {
    private static func request(
        _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:], body: RequestBody = .empty,
        path: String = "/a?b"
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "example.com:8080", path: path, headerFields: fields),
            body: body)
    }

    /// Returns the bytes of a request's head, and of a small body.
    private static func wire(_ request: TransportRequest) throws -> String {
        String(buffer: try RequestPlan(request).writeHead())
    }

    @Test("A GET consists of its request line, Host, the caller's fields and Accept-Encoding")
    func get() throws {
        let wire = try Self.wire(Self.request(.get, [.accept: "text/html", .userAgent: "x/1"]))
        #expect(
            wire == "GET /a?b HTTP/1.1\r\nHost: example.com:8080\r\nAccept: text/html\r\nUser-Agent: x/1\r\n"
                + "Accept-Encoding: gzip, deflate\r\n\r\n")
    }

    @Test("A head written into a reused buffer is complete, and does not change an earlier copy")
    func memory() throws {
        let long = try RequestPlan(Self.request(.post, [.accept: "text/html"], body: .text("hello"), path: "/a/longer"))
        let short = try RequestPlan(Self.request())
        var memory = ByteBuffer()
        for plan in [long, short, long, short, short] {
            plan.writeHead(into: &memory)
            #expect(memory == plan.writeHead())
        }
        let held = memory
        long.writeHead(into: &memory)
        #expect(held == short.writeHead())
        #expect(memory == long.writeHead())
    }

    @Test(
        "A connection's request buffer is zeroed, but never the bytes that are still being sent",
        arguments: [false, true])
    func wiped(isBeingSent: Bool) throws {
        let login = try RequestPlan(
            Self.request(.post, [.authorization: "Bearer secret"], body: .text("password=secret")))
        let next = try RequestPlan(Self.request())
        var memory = RequestHeadBuffer()
        do {
            let sent = memory.write(login)
            if isBeingSent { memory.wipe() }
            #expect(sent == login.writeHead())
        }
        memory.wipe()
        let kept = try #require(memory.kept)
        #expect(kept.readableBytes == login.writeHead().readableBytes)
        #expect(kept.readableBytesView.allSatisfy { $0 == 0 })
        let second = memory.write(next)
        #expect(second == next.writeHead())
        #expect(kept.readableBytesView.allSatisfy { $0 == 0 })
        let long = try RequestPlan(
            Self.request(.get, [.authorization: String(repeating: "s", count: RequestHeadBuffer.maximumCapacity)]))
        let third = memory.write(long)
        #expect(third == long.writeHead())
        #expect(second == next.writeHead())
        #expect(memory.kept == nil, "a large head is not kept at all")
        memory.wipe()
        let last = memory.write(next)
        #expect(last == next.writeHead())
    }

    @Test("Accept-Encoding is not sent with a Range, with the caller's own one, or without decompression")
    func noCompression() throws {
        #expect(try !Self.wire(Self.request(.get, [.range: "bytes=0-"])).contains("gzip"))
        #expect(try Self.wire(Self.request(.get, [.acceptEncoding: "br"])).contains("Accept-Encoding: br\r\n\r\n"))
        #expect(try !Self.wire(Self.request().with { $0.options.decompresses = false }).contains("Encoding"))
    }

    @Test(
        "Content-Length: 0 is sent only for methods that usually have a body",
        arguments: [
            (HTTPRequest.Method.get, false), (.head, false), (.delete, false), (.options, false), (.post, true),
            (.put, true),
            (.patch, true),
        ])
    func emptyBody(_ method: HTTPRequest.Method, _ announces: Bool) throws {
        let wire = try Self.wire(Self.request(method))
        #expect(wire.contains("Content-Length: 0\r\n") == announces)
        #expect(!wire.contains("Transfer-Encoding"))
    }

    @Test(
        "Priority is sent as in RFC 9218, except for a normal one or if the caller set the field",
        arguments: [
            (RequestPriority.low, false, "u=6"), (.high, false, "u=1"), (.critical, false, "u=0"),
            (.critical, true, "u=0, i"), (.low, true, "u=6, i"), (.normal, false, nil), (.normal, true, nil),
        ] as [(RequestPriority, Bool, String?)])
    func priority(_ priority: RequestPriority, _ isStreamed: Bool, _ value: String?) throws {
        let request = Self.request().with {
            $0.options.priority = priority
            if isStreamed { $0.options.delivery = .streamed }
        }
        let lines = try Self.wire(request).components(separatedBy: "\r\n").filter { $0.hasPrefix("Priority") }
        #expect(lines == (value.map { ["Priority: \($0)"] } ?? []))
        let own = try #require(HTTPField.Name("Priority"))
        let told = try Self.wire(request.with { $0.head.headerFields[own] = "u=4" })
        #expect(told.components(separatedBy: "riority:").count == 2)
        #expect(told.contains("Priority: u=4\r\n"))
    }

    @Test("Cookies are sent in one field, however they were set")
    func cookies() throws {
        var fields: HTTPFields = [.accept: "*/*"]
        fields[.cookie] = "a=1; b=2"
        fields.append(HTTPField(name: .cookie, value: "c=3"))
        fields[.userAgent] = "x/1"
        let wire = try Self.wire(Self.request(.get, fields))
        #expect(wire.contains("Accept: */*\r\nCookie: a=1; b=2; c=3\r\nUser-Agent: x/1\r\n"))
        #expect(try Self.wire(Self.request(.get, [.cookie: "a=1"])).contains("\r\nCookie: a=1\r\n"))
    }

    @Test("Cookies keep their bytes when they are joined into one field")
    func cookieBytes() throws {
        var fields = HTTPFields()
        for value in [[0x61, 0xFC], [0x62]] as [[UInt8]] { fields.append(HTTPField(name: .cookie, value: value)) }
        let head = try RequestPlan(Self.request(.get, fields)).writeHead()
        let line = Array("Cookie: a".utf8) + [0xFC] + Array("; b\r".utf8)
        #expect(head.readableBytesView.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual(line) })
    }

    @Test("A small body is sent right behind its head, with Content-Length and Content-Type")
    func smallBody() throws {
        let wire = try Self.wire(Self.request(.post, body: .text("hello")))
        #expect(wire.contains("Content-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n"))
        #expect(wire.hasSuffix("\r\n\r\nhello"))
        let own = try Self.wire(Self.request(.post, [.contentType: "a/b"], body: .text("hello")))
        #expect(own.contains("Content-Type: a/b\r\n") && !own.contains("text/plain"))
    }

    @Test("A stream without a length is sent chunked, and one with a length with Content-Length")
    func chunks() throws {
        let stream: @Sendable () -> AsyncThrowingStream<Data, any Error> = { AsyncThrowingStream { $0.finish() } }
        let unknown = try Self.wire(Self.request(.post, body: .stream(stream)))
        #expect(unknown.contains("Transfer-Encoding: chunked\r\n") && !unknown.contains("Content-Length"))
        let known = try Self.wire(Self.request(.post, body: .stream(length: 9, stream)))
        #expect(known.contains("Content-Length: 9\r\n") && !known.contains("Transfer-Encoding"))
        let promised = try Self.wire(Self.request(.post, [.contentLength: "7"], body: .stream(stream)))
        #expect(promised.contains("Content-Length: 7\r\n") && !promised.contains("Transfer-Encoding"))
    }

    @Test("Connection-specific fields of the caller are not sent")
    func dropped() throws {
        var fields: HTTPFields = [.te: "trailers", .trailer: "X", .connection: "keep-alive", .contentLength: "0"]
        fields[HTTPField.Name("Keep-Alive")!] = "300"
        fields[HTTPField.Name("Proxy-Connection")!] = "x"
        let wire = try Self.wire(Self.request(.get, fields).with { $0.options.decompresses = false })
        #expect(wire == "GET /a?b HTTP/1.1\r\nHost: example.com:8080\r\n\r\n")
    }

    @Test("Connection: close in a request closes the connection")
    func closes() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let transport = NIOTransport()
        for _ in 0..<2 {
            _ = try await transport.send(.get(server).with { $0.head.headerFields[.connection] = "Close" })
        }
        #expect(server.accepted == 2)
        #expect(server.requests.allSatisfy { $0.text.contains("\r\nConnection: close\r\n") })
    }

    @Test(
        "Fields reserved to the engine are refused",
        arguments: [
            (HTTPField.Name.transferEncoding, "chunked"), (.upgrade, "websocket"), (.connection, "upgrade"),
            (.contentLength, "5"), (.contentLength, "-1"), (.contentLength, "1, 1"),
        ])
    func refused(_ name: HTTPField.Name, _ value: String) throws {
        let error = #expect(throws: TransportError.self) { try RequestPlan(Self.request(.get, [name: value])) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
    }

    @Test(
        "EK2: a header value cannot break its line, whatever it contains",
        arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b"])
    func injection(_ value: String) throws {
        // HTTPTypes repairs such a value; the test only requires that no line break reaches the wire.
        let wire = try Self.wire(Self.request(.get, [.accept: value]))
        let lines = wire.components(separatedBy: "\r\n")
        #expect(lines.filter { $0.hasPrefix("Accept: ") }.count == 1)
        #expect(!lines.contains { $0.hasPrefix("X: ") || $0.contains("\n") || $0.contains("\0") })
    }

    @Test(
        "A content type or upgrade protocol with a line break or control character is refused, and not repaired",
        arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "a\r\n", "a\u{1}b", "a\u{7F}"])
    func added(_ value: String) throws {
        let typed = Self.request(.post, body: .bytes(Data("a".utf8), contentType: value))
        let error = #expect(throws: TransportError.self) { try RequestPlan(typed) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
        let upgrade = #expect(throws: TransportError.self) { try RequestPlan(Self.request(), upgrade: value) }
        #expect((upgrade?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
    }

    @Test(
        "A header value with a control character is refused; a tab is accepted",
        arguments: [0x01, 0x08, 0x0B, 0x1B, 0x7F] as [UInt8])
    func control(_ byte: UInt8) throws {
        func fields(_ byte: UInt8) -> HTTPFields {
            var fields = HTTPFields()
            fields.append(HTTPField(name: .accept, lenientValue: [0x61, byte, 0x62]))
            return fields
        }
        let error = #expect(throws: TransportError.self) { try RequestPlan(Self.request(.get, fields(byte))) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
        #expect(try Self.wire(Self.request(.get, fields(0x09))).contains("\r\nAccept: a\tb\r\n"))
    }

    @Test(
        "An invalid request target is refused before anything is sent",
        arguments: [
            "", "a", "/a b", "/a\r\nb", "/é", "/a#b", "http://evil/", "@evil", "**",
        ])
    func target(_ path: String) throws {
        if path.isEmpty {
            #expect(try Self.wire(Self.request(path: path)).hasPrefix("GET / HTTP/1.1\r\n"))
        } else {
            let error = #expect(throws: TransportError.self) { try RequestPlan(Self.request(path: path)) }
            #expect(error?.code == .badURL)
            #expect(error?.requestMayHaveBeenSent == false)
        }
    }

    @Test(
        "An authority is a host and an optional port",
        arguments: [
            ("example.com", "example.com", 80), ("EXAMPLE.com:81", "example.com", 81),
            ("127.0.0.1:65535", "127.0.0.1", 65535),
            ("[::1]", "::1", 80), ("[::1]:8080", "::1", 8080),
        ])
    func authority(_ text: String, _ host: String, _ port: Int) throws {
        var request = Self.request()
        request.head.authority = text
        let origin = try RequestPlan(request).origin
        #expect(origin == Origin(isSecure: false, host: host, port: port))
    }

    @Test(
        "An invalid authority is refused",
        arguments: [
            "", ":80", "a:", "a:0", "a:65536", "a:123456", "a:b", "a:8 0", "user@a", "a/b", "a?b", "a#b", "a\\b", "a b",
            "::1", "[::1", "[a]", "[::1]x", "[::1]:", "a:1:2", "a\r\nb",
        ])
    func badAuthority(_ text: String) throws {
        var request = Self.request()
        request.head.authority = text
        let error = #expect(throws: TransportError.self) { try RequestPlan(request) }
        #expect(error?.code == .badURL)
    }

    @Test(
        "The error of an invalid path has the reason",
        arguments: [
            ("a", "the URL's path does not start with \"/\""),
            ("/a b", "the URL's path or query contains characters that must be percent-encoded"),
            ("/a#b", "the URL's path or query contains characters that must be percent-encoded"),
        ])
    func badPath(_ path: String, message: String) {
        let error = #expect(throws: TransportError.self) { try RequestPlan(Self.request(path: path)) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidURL)
        #expect(error?.message == message)
    }

    @Test("OPTIONS * through a proxy is refused")
    func asteriskThroughProxy() {
        var request = Self.request(.options, path: "*")
        request.options.route.proxy = .url("http://127.0.0.1:1")
        let error = #expect(throws: TransportError.self) { try RequestPlan(request) }
        #expect(error?.message == "OPTIONS * cannot be sent through a proxy")
    }

    @Test("A CONNECT request is refused")
    func tunnel() async {
        let error = await failure { try await NIOTransport().send(Self.request(.connect)) }
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidMethod)
    }

    @Test("An unsupported scheme is refused", arguments: ["ftp", "ws", "file", "HTTP2", ""])
    func scheme(_ scheme: String) throws {
        var request = Self.request()
        request.head.scheme = scheme
        let error = #expect(throws: TransportError.self) { try RequestPlan(request) }
        #expect(error?.code == .unsupportedURL)
    }
}
