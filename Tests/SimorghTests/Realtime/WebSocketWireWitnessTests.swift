// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Simorgh
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

/// Python's websockets server, reached directly, through squid, microsocks and nginx, and killed.
@Suite("WebSocket wire interop", .timeLimit(.minutes(10)))
struct WebSocketWireWitnessTests {
    struct Places: Decodable, Sendable {
        let bits9: Int, bits10: Int, bits11: Int, bits12: Int, bits13: Int, bits14: Int, bits15: Int
        let forgets: Int, plain: Int, deflate: Int, small: Int, tls: Int
        let root: String
        let victim: [String]

        static func ask() async throws -> Places {
            try await APIClient(transport: NIOTransport()).get(Witness.websockets.url)
        }
    }

    private static func open(
        _ url: String, _ change: (inout TransportRequest, inout WebSocketChannelOptions) throws -> Void = { _, _ in }
    ) async throws -> any WebSocketChannel {
        let parts = url.split(separator: "/", maxSplits: 2)
        var request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: String(parts[0].dropLast()), authority: String(parts[1]),
                path: "/" + (parts.count > 2 ? parts[2] : "")))
        request.options.timeouts.connect = .seconds(60)
        var options = WebSocketChannelOptions()
        try change(&request, &options)
        switch try await NIOTransport().open(request, options: options) {
        case .opened(let link): return link
        case .refused(let response):
            throw Refused(status: response.head.status.code)
        }
    }

    struct Refused: Error { let status: Int }

    private static func exchange(_ link: any WebSocketChannel) async throws {
        for count in [0, 1, 100, 2000, 70_000, 1_000_000] {
            let text = String(repeating: "sīmorġ \(count) ", count: count / 10)
            try await link.send(.text(text))
            #expect(try await link.receive() == .text(text))
            try await link.send(.data(Data(text.utf8)))
            #expect(try await link.receive() == .data(Data(text.utf8)))
        }
        #expect(try await link.ping() > .zero)
        #expect(await link.close() == WebSocketCloseInfo(code: .normal, isClean: true, initiator: .local))
    }

    @Test(
        "permessage-deflate: echoes are equal for each window size, with and without context takeover",
        arguments: 0...10)
    func windows(kind: Int) async throws {
        let places = try await Places.ask()
        let ports = [
            places.bits9, places.bits10, places.bits11, places.bits12, places.bits13, places.bits14, places.bits15,
            places.forgets, places.deflate, places.plain, places.deflate,
        ]
        let link = try await Self.open("ws://127.0.0.1:\(ports[kind])/") { _, options in
            options.compression = .deflate
            if kind == 10 {
                options.compression?.clientMaximumWindowBits = 10
                options.compression?.serverMaximumWindowBits = 11
                options.compression?.serverNoContextTakeover = true
                options.compression?.clientNoContextTakeover = true
            }
            options.maximumFrameSize = kind % 2 == 0 ? nil : 5000
        }
        if kind < 7 {
            #expect(link.compression?.clientMaximumWindowBits == 9 + kind)
            #expect(link.compression?.serverMaximumWindowBits == 9 + kind)
        }
        if kind == 7 { #expect(link.compression?.serverNoContextTakeover == true) }
        #expect((link.compression == nil) == (kind == 9))
        try await Self.exchange(link)
    }

    @Test(
        "Echoes are equal in cleartext and over TLS, directly, through each proxy and behind nginx",
        arguments: ["ws", "wss"], ["", "http", "https", "socks5h", "nginx"])
    func ways(scheme: String, way: String) async throws {
        let places = try await Places.ask()
        let tls = try await TLSWitness.ask()
        var url = scheme == "ws" ? "ws://localhost:\(places.plain)/x" : "wss://localhost:\(places.tls)/x"
        if way == "nginx" {
            let nginx = try scheme == "ws" ? Witness.nginx.url : Witness.nginxTLS.url
            url = "\(scheme)://\(nginx[try #require(nginx.firstRange(of: "://")).upperBound...])/websockets/x"
        }
        let link = try await Self.open(url) { request, options in
            request.options.tls.trust = .only([.file(places.root), tls.file("root.pem")])
            if let kind = ProxyTests.Kind(rawValue: way) {
                request.options.route.proxy = .url(try kind.url("zal:feather%3A1@"))
            }
            options.compression = way == "nginx" ? .deflate : nil
        }
        #expect((link.response.connection?.tls != nil) == (scheme == "wss"))
        try await Self.exchange(link)
    }

    @Test("An untrusted certificate or a wrong pin is refused before the upgrade request is sent")
    func pins() async throws {
        let places = try await Places.ask()
        let tls = try await TLSWitness.ask()
        await #expect(throws: TransportError.self) { try await Self.open("wss://localhost:\(places.tls)/") }
        let (good, expired) = (try tls.pin("good"), try tls.pin("expired"))
        let open = { (key: String) in
            try await Self.open("wss://localhost:\(places.tls)/") { request, _ in
                request.options.tls.trust = .only([.file(places.root)])
                request.options.tls.pins = [
                    TLSPins(host: "localhost", keys: [key, "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="])
                ]
            }
        }
        let refusal = await #expect(throws: TransportError.self) { try await open(expired) }
        #expect(refusal?.tlsFailure == .notPinned)
        try await Self.exchange(open(good))
    }

    @Test("A message larger than the server's limit ends the connection with code 1009")
    func small() async throws {
        let link = try await Self.open("ws://127.0.0.1:\(try await Places.ask().small)/")
        try await link.send(.data(Data(repeating: 1, count: 1001)))
        #expect(try await link.receive() == nil)
        #expect(link.closure?.code == .messageTooBig)
        #expect(link.closure?.initiator == .remote)
    }

    @Test("The server's close code and reason are reported", arguments: [1000, 1001, 1011, 1012, 1013, 4000])
    func codes(code: UInt16) async throws {
        let link = try await Self.open("ws://127.0.0.1:\(try await Places.ask().plain)/close/\(code)")
        #expect(try await link.receive() == nil)
        #expect(link.closure?.code.rawValue == code && link.closure?.reason == "as asked")
    }

    @Test(
        "A killed server is detected at once, and a stopped one within the ping interval and pong timeout",
        arguments: [SIGKILL, SIGSTOP])
    func dies(signal: Int32) async throws {
        let victim = try await Places.ask().victim
        let server = try ChildProcess(victim[0], arguments: Array(victim.dropFirst()))
        defer { server.signal(SIGKILL) }
        let port = try await server.line()
        let link = try await Self.open("ws://127.0.0.1:\(port)/") { _, options in
            options.pingInterval = .milliseconds(300)
            options.pongTimeout = .seconds(5)
        }
        try await link.send(.text("alive"))
        #expect(try await link.receive() == .text("alive"))
        server.signal(signal)
        do throws(WebSocketError) {
            while try await link.receive() != nil {}
            Issue.record("the connection ended without an error")
        } catch {
            #expect(error.code == (signal == SIGKILL ? .connectionLost : .pongTimedOut))
        }
        #expect(link.closure?.code == .abnormalClosure)
    }
}
