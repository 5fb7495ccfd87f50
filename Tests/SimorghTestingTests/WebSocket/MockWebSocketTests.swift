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

@Suite(.timeLimit(.minutes(5)))
struct MockWebSocketTests {
    private func open(
        _ server: MockServer, _ path: String = "/live", subprotocols: [String] = []
    ) async throws -> any WebSocketChannel {
        var options = WebSocketChannelOptions()
        options.pingInterval = nil
        options.closeTimeout = .seconds(3600)
        options.subprotocols = subprotocols
        var request = TransportRequest(
            head: HTTPRequest(
                method: .get, scheme: server.configuration.tls == nil ? "ws" : "wss",
                authority: server.configuration.tls == nil ? "127.0.0.1:\(server.port)" : "localhost:\(server.port)",
                path: path))
        request.options.tls = server.clientConfiguration.tls
        let hour = Duration.seconds(3600)
        (request.options.timeouts.connect, request.options.timeouts.tls, request.options.timeouts.head) = (
            hour, hour, hour
        )
        switch try await NIOTransport().open(request, options: options) {
        case .opened(let link): return link
        case .refused(let response): throw Refused(status: response.head.status.code)
        }
    }

    private struct Refused: Error, Equatable { let status: Int }

    @Test("A handler acts as the server, in cleartext and over TLS", arguments: [false, true])
    func plays(isSecure: Bool) async throws {
        var configuration = MockServer.Configuration()
        if isSecure { configuration.tls = try .init() }
        try await MockServer.with(configuration) { server in
            server.on(
                .get, path: "/live",
                response: .webSocket(subprotocol: { $0.last }) { socket in
                    while let message = try await socket.receive() { try await socket.send(message) }
                })
            let link = try await open(server, subprotocols: ["a", "b"])
            #expect(link.subprotocol == "b")
            try await link.send(.text("hello"))
            #expect(try await link.receive() == .text("hello"))
            let bytes = MockServer.bytes(300_000)
            try await link.send(.data(bytes))
            #expect(try await link.receive() == .data(bytes))
            #expect(await link.close(code: .goingAway, reason: "done").isClean)
            #expect(server.requests.first?.path == "/live")
        }
    }

    @Test("A list of steps is executed, and ends with a close frame")
    func steps() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/live", response: .webSocket([.send("who"), .expect("zal"), .send("welcome")]))
            let link = try await open(server)
            #expect(try await link.receive() == .text("who"))
            try await link.send(.text("zal"))
            #expect(try await link.receive() == .text("welcome"))
            #expect(try await link.receive() == nil)
            #expect(link.closure?.code == .normal)
        }
    }

    @Test("An unexpected message ends the connection with the reason")
    func unexpected() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/live", response: .webSocket([.expect("zal")]))
            let link = try await open(server)
            try await link.send(.text("rostam"))
            _ = try? await link.receive()
            #expect(link.closure?.code == .policyViolation)
            #expect(link.closure?.reason == "expected zal, got rostam")
        }
    }

    @Test("The handler receives all messages and the end of the connection", arguments: [false, true])
    func end(isClean: Bool) async throws {
        let heard = Mailbox<[String]>()
        try await MockServer.with { server in
            server.on(
                .get, path: "/live",
                response: .webSocket { socket in
                    var texts: [String] = []
                    while let text = try await socket.receiveText() { texts.append(text) }
                    heard.put(texts)
                })
            let link = try await open(server)
            for text in ["a", "b"] { try await link.send(.text(text)) }
            if isClean { _ = await link.close(code: .normal, reason: "") } else { link.drop() }
            #expect(try await heard.take() == ["a", "b"])
        }
    }

    @Test("A server that receives nothing reads no more than its limit, and the rest once it receives again")
    func bounded() async throws {
        let piece = Data(repeating: 7, count: 1 << 20)
        let heard = Mailbox<[Int]>()
        try await MockServer.with { server in
            server.on(
                .get, path: "/live",
                response: .webSocket { socket in
                    try await eventually { socket.isReadSuspended }
                    let most = socket.backlog
                    var count = 0
                    while let message = try await socket.receive() { count += message.byteCount == 1 << 20 ? 1 : 0 }
                    heard.put([count, most])
                })
            let link = try await open(server)
            for _ in 0..<40 { try await link.send(.data(piece)) }
            _ = await link.close(code: .normal, reason: "")
            let result = try #require(try await heard.take())
            #expect(result[0] == 40)
            // One message is in progress, plus the bytes of one read from the connection.
            #expect(result[1] >= MockSocket.highWatermark && result[1] < MockSocket.highWatermark + (3 << 20))
        }
    }

    @Test("A close frame is processed although the messages before it are not received")
    func heldGoodbye() async throws {
        let piece = Data(repeating: 7, count: 1 << 20)
        try await MockServer.with { server in
            server.on(
                .get, path: "/live", response: .webSocket { socket in try await eventually { socket.isReadSuspended } })
            let link = try await open(server)
            let sending = Task { while true { try await link.send(.data(piece)) } }
            while try await link.receive() != nil {}
            #expect(link.closure?.code == .normal)
            _ = try? await sending.value
        }
    }

    @Test("A dropped connection has no close frame, and an upgrade can be refused")
    func drops() async throws {
        try await MockServer.with { server in
            server.on(.get, path: "/live", response: .webSocket([.send("x"), .drop]))
            server.on(.get, path: "/closed", response: .text("not for you", status: .forbidden))
            let link = try await open(server)
            _ = try? await link.receive()
            _ = try? await link.receive()
            #expect(link.closure?.code == .abnormalClosure)
            await #expect(throws: Refused(status: 403)) { try await open(server, "/closed") }
            // A plain request to a WebSocket route is answered with 426.
            #expect(try await server.ask(.http1, .get, "/live").status == 426)
        }
    }

    @Test(
        "A GraphQL subscription server answers with its payloads, in the newest protocol that is offered",
        arguments: [
            (["graphql-transport-ws"], "subscribe", "next"), (["graphql-ws"], "start", "data"),
            (["graphql-ws", "graphql-transport-ws"], "subscribe", "next"),
        ])
    func subscriptions(offered: [String], asked: String, event: String) async throws {
        try await MockServer.with { server in
            server.on(
                .get, path: "/graphql", response: .graphQLSubscription([#"{"data":{"n":1}}"#, #"{"data":{"n":2}}"#]))
            let link = try await open(server, "/graphql", subprotocols: offered)
            #expect(link.subprotocol == offered.last)
            try await link.send(.text(#"{"type":"connection_init"}"#))
            #expect(try await link.receive() == .text(#"{"type":"connection_ack"}"#))
            try await link.send(.text(#"{"id":"a","type":"\#(asked)","payload":{"query":"subscription{n}"}}"#))
            var messages: [String] = []
            for _ in 0..<3 {
                messages.append(String(decoding: try await link.receive()?.bytes ?? Data(), as: UTF8.self))
            }
            #expect(
                messages == [
                    #"{"id":"a","type":"\#(event)","payload":{"data":{"n":1}}}"#,
                    #"{"id":"a","type":"\#(event)","payload":{"data":{"n":2}}}"#, #"{"id":"a","type":"complete"}"#,
                ])
            _ = await link.close(code: .normal, reason: "")
        }
    }

    @Test("The library's GraphQL clients, current and legacy, receive the script to its end")
    func graphQLClients() async throws {
        try await MockServer.with { server in
            server.on(
                .get, path: "/graphql", response: .graphQLSubscription([#"{"data":{"n":1}}"#, #"{"data":{"n":2}}"#]))
            let url = "ws://127.0.0.1:\(server.port)/graphql"
            let client = APIClient(configuration: server.clientConfiguration, transport: NIOTransport())
            let newer = try await numbers(client.subscriptions(over: GraphQLTransportProtocol(url: url)))
            #expect(newer == [1, 2])
            let older = try await numbers(client.subscriptions(over: LegacyGraphQLProtocol(url: url)))
            #expect(older == [1, 2])
        }
    }

    private struct Number: Decodable, Sendable { let n: Int }

    private func numbers<Wire: SubscriptionProtocol>(
        _ socket: SubscriptionClient<Wire>
    ) async throws -> [Int] where Wire.Operation == GraphQLOperation {
        var numbers: [Int] = []
        for try await number in socket.subscribe("subscription { n }", as: Number.self) { numbers.append(number.n) }
        await socket.disconnect()
        return numbers
    }
}
