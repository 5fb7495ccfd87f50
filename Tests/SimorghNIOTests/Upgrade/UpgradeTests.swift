// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// The protocol's handler after an upgrade: it records the received bytes.
private final class Heard: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    let text = Mutex("")
    let isEnded = Mutex(false)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        text.withLock { $0 += String(buffer: bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) { isEnded.withLock { $0 = true } }
}

@Suite("Upgrade", .timeLimit(.minutes(10)))
struct UpgradeTests {
    private static let agreed = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: bird\r\n\r\n"
    private static let request = HTTPRequest(method: .get, scheme: "ws", authority: "", path: "/nest")

    private static func request(_ server: RawServer) -> TransportRequest {
        var request = TransportRequest(head: request)
        request.head.authority = server.authority
        if let name = HTTPField.Name("Sec-Bird") { request.head.headerFields[name] = "zal" }
        return request
    }

    private static func ask(
        _ server: RawServer, _ transport: NIOTransport = NIOTransport(), heard: Heard = Heard(),
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> UpgradeResult<any Channel> {
        try await transport.upgrade(request(server).with(change), to: "bird") { _, channel in
            try channel.pipeline.syncOperations.addHandler(heard)
            return channel
        }
    }

    @Test(
        "101 hands the channel to the protocol, whose first bytes may arrive with any piece of the response",
        arguments: 0...3)
    func agrees(cut: Int) async throws {
        let whole = Self.agreed + "chirp"
        let end = whole.index(
            whole.startIndex, offsetBy: [whole.count, 1, Self.agreed.count - 1, Self.agreed.count][cut])
        let server = try await RawServer(answersAtHead: true) { _ in
            [.send(String(whole[..<end])), .send(String(whole[end...]))]
        }
        let transport = NIOTransport()
        let heard = Heard()
        guard case .upgraded(let channel, let response) = try await Self.ask(server, transport, heard: heard) else {
            Issue.record("the answer was taken for a refusal")
            return
        }
        try await eventually { heard.text.withLock { $0 == "chirp" } }
        #expect(response.head.status == .switchingProtocols)
        #expect(response.head.headerFields[.upgrade] == "bird")
        #expect(response.connection?.applicationProtocol == "http/1.1")
        #expect(response.timings.connect != nil)
        let sent = server.requests.first?.text.unicodeScalars.count ?? 0
        #expect(response.timings.sentBytes == Int64(sent))
        #expect(response.timings.receivedBytes == Int64(Self.agreed.utf8.count), "the rest belongs to the protocol")
        #expect(channel.isActive)
        #expect(transport.statistics.open == 0)
        let text = try #require(server.requests.first?.text)
        #expect(text.hasPrefix("GET /nest HTTP/1.1\r\nHost: \(server.authority)\r\n"))
        #expect(text.contains("\r\nSec-Bird: zal\r\n"))
        #expect(text.contains("\r\nConnection: Upgrade\r\nUpgrade: bird\r\n"))
        try await channel.close()
        try await eventually { heard.isEnded.withLock { $0 } && server.open == 0 }
    }

    @Test("Bytes that a server sends before it closes are delivered")
    func closing() async throws {
        let server = try await RawServer(answersAtHead: true) { _ in [.send(Self.agreed + "bye"), .close] }
        let heard = Heard()
        guard case .upgraded = try await Self.ask(server, heard: heard) else {
            Issue.record("the answer was taken for a refusal")
            return
        }
        try await eventually { heard.isEnded.withLock { $0 } }
        #expect(heard.text.withLock { $0 } == "bye")
    }

    @Test(
        "Any other status is a refusal with its body up to a limit",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
            ("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 3\r\n\r\nwho", 401, "who"),
            (
                "HTTP/1.1 302 Found\r\nLocation: /else\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", 302,
                "no"
            ),
            ("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", 204, ""),
            ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 9\r\n\r\n123456789", 503, "12345678"),
            ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 9\r\n\r\n123", 503, "123"),
            ("HTTP/1.1 500 Oh\r\n\r\nuntil", 500, "until"),
        ])
    func refuses(answer: String, status: Int, body: String) async throws {
        let server = try await RawServer(answersAtHead: true) { _ in [.send(answer), .close] }
        let outcome = try await Self.ask(server) { $0.options.delivery = .collected(upTo: 8) }
        guard case .refused(let response) = outcome else {
            Issue.record("the answer was taken for an acceptance")
            return
        }
        #expect(response.head.status.code == status)
        #expect(response.body.collectedBytes == Data(body.utf8))
        try await eventually { server.open == 0 }
    }

    @Test(
        "A connection that ends before the response, and a malformed response, are errors",
        arguments: [
            ("", "networkConnectionLost"), ("HTTP/1.1 101 Swi", "networkConnectionLost"),
            ("HTTP/1.1 101 Switching\r\nUpgrade bird\r\n\r\n", "badServerResponse"),
            ("SSH-2.0\r\n", "badServerResponse"),
            (
                "HTTP/1.1 101 Switching\r\nX: \(String(repeating: "x", count: 70_000))\r\n\r\n",
                "dataLengthExceedsMaximum"
            ),
            (String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: 40), "badServerResponse"),
        ])
    func broken(answer: String, code: String) async throws {
        let server = try await RawServer(answersAtHead: true) { _ in
            (answer.isEmpty ? [] : [.send(answer)]) + [.close]
        }
        let error = await failure { try await Self.ask(server) }
        #expect(error?.code.description == code, "\(String(describing: error))")
        #expect(error?.requestMayHaveBeenSent == true)
        try await eventually { server.open == 0 }
    }

    @Test("A refused port, a request with a body and an invalid protocol name are different errors")
    func early() async throws {
        try await UnreachablePort.with { unreachable in
            let transport = NIOTransport()
            var request = TransportRequest(head: Self.request)
            request.head.authority = "127.0.0.1:\(unreachable.port)"
            let refused = await failure { try await transport.upgrade(request, to: "bird") { _, _ in } }
            #expect(refused?.code == .cannotConnectToHost)
            request.body = .bytes(Data([1]))
            let invalid = await failure { try await transport.upgrade(request, to: "bird") { _, _ in } }
            #expect(invalid?.underlying is InvalidRequestError)
            request.body = .empty
            let injected = await failure { try await transport.upgrade(request, to: "bird\r\nX: y") { _, _ in } }
            #expect(injected?.underlying is InvalidRequestError)
        }
    }

    @Test(
        "The head and total timeouts apply, and the error names the phase",
        arguments: [TransportError.Phase.head, .total])
    func late(phase: TransportError.Phase) async throws {
        let server = try await RawServer(answersAtHead: true) { _ in [.send("HTTP/1.1 101 Swi")] }
        let error = await failure {
            try await Self.ask(server) { request in
                if phase == .head {
                    request.options.timeouts.head = .milliseconds(20)
                } else {
                    request.options.timeouts.total = .milliseconds(20)
                }
            }
        }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == phase)
        try await eventually { server.open == 0 }
    }

    @Test("A proxy that answers CONNECT with 200, Transfer-Encoding and Content-Length opens the tunnel")
    func tunnel() async throws {
        let answers = ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 10\r\n\r\n", Self.agreed]
        let proxy = try await RawServer { [.send(answers[min($0.number, 1)])] }
        let outcome = try await Self.ask(proxy) { request in
            request.options.route.proxy = .url("http://\(proxy.authority)")
            request.head.authority = "birds.test"
        }
        guard case .upgraded(let channel, _) = outcome else {
            Issue.record("the answer was taken for a refusal")
            return
        }
        #expect(proxy.requests.first?.text.hasPrefix("CONNECT birds.test:80 HTTP/1.1\r\n") == true)
        #expect(proxy.accepted == 1)
        try await channel.close()
    }

    @Test("A redirect is a refusal that does not wait for a body whose Content-Length is never reached")
    func redirect() async throws {
        let server = try await RawServer(answersAtHead: true) { _ in
            [.send("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 500\r\n\r\nshort")]
        }
        let outcome = try await Self.ask(server) { $0.options.timeouts.idle = nil }
        guard case .refused(let response) = outcome else {
            Issue.record("the answer was taken for an acceptance")
            return
        }
        #expect(response.head.status == .found)
        #expect(response.head.headerFields[.location] == "/other")
        try await eventually { server.open == 0 }
    }

    @Test("A refusal whose body stalls has the part of the body that arrived")
    func stalls() async throws {
        let server = try await RawServer(answersAtHead: true) { _ in
            [
                .send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 9\r\n\r\n"), .send("1"), .send("2"),
                .send("3"),
            ]
        }
        let outcome = try await Self.ask(server) { $0.options.timeouts.idle = .seconds(5) }
        guard case .refused(let response) = outcome else {
            Issue.record("the answer was taken for an agreement")
            return
        }
        #expect(response.head.status == .serviceUnavailable)
        #expect(response.body.collectedBytes == Data("123".utf8))
        try await eventually { server.open == 0 }
    }

    @Test(
        "Cancelling at any stage ends the upgrade at once and closes the connection", arguments: [false, true])
    func cancelled(byScope: Bool) async throws {
        let server = try await RawServer(answersAtHead: true) { _ in [.send("HTTP/1.1 101 Swi")] }
        let scope = CancellationScope()
        let task = Task { await failure { try await Self.ask(server) { $0.options.scope = scope } } }
        try await eventually { server.requests.count == 1 }
        if byScope { scope.cancelAll() } else { task.cancel() }
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect(error?.phase == .head)
        #expect(error?.requestMayHaveBeenSent == true)
        try await eventually { server.open == 0 }
        #expect(scope.count == 0)

        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { try await Self.ask(server) }
        }
        let earlyError = await early.value
        #expect(earlyError?.code == .cancelled)
        #expect(earlyError?.phase == .connect)
        #expect(earlyError?.requestMayHaveBeenSent == false)
        try await eventually { server.open == 0 }
    }

    @Test("A response that the protocol rejects closes the connection, and the error has the protocol's reason")
    func unacceptable() async throws {
        struct Wrong: Error {}
        let server = try await RawServer.answering(Self.agreed, answersAtHead: true)
        let transport = NIOTransport()
        let error = await failure {
            try await transport.upgrade(Self.request(server), to: "bird") { _, _ in throw Wrong() }
        }
        #expect(error?.code == .badServerResponse)
        #expect(error?.underlying is Wrong)
        try await eventually { server.open == 0 }
    }

    @Test("Upgraded connections do not count towards maximumConnections")
    func unpooled() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnections = 1
        let transport = NIOTransport(configuration: configuration)
        let server = try await RawServer(answersAtHead: true) { request in
            [.send(request.text.contains("Upgrade: ") ? Self.agreed : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")]
        }
        var channels: [any Channel] = []
        for _ in 0..<3 {
            guard case .upgraded(let channel, _) = try await Self.ask(server, transport) else { continue }
            channels.append(channel)
        }
        #expect(channels.count == 3)
        #expect(try await transport.send(.get(server)).head.status == .ok)
        #expect(transport.statistics.open == 1)
        for channel in channels { try await channel.close() }
    }
}
