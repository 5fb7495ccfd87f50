// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghURLSession
import TestSupport
import Testing

@Suite("URLSession: WebSockets by platform", .timeLimit(.minutes(5)))
struct SessionWebSocketPlatformTests {
    struct Socket: WebSocketRouter {
        var baseURLString: String { "ws://127.0.0.1:9" }
        var path: String { "/" }
    }

    @Test("watchOS: opening fails at once, unless the app has set allowsLowLevelNetworking")
    func watchOS() throws {
        try SessionWebSocketPlatform.apple.check(allowsLowLevelNetworking: false)
        try SessionWebSocketPlatform.watchOS.check(allowsLowLevelNetworking: true)
        var error: TransportError?
        do throws(TransportError) {
            try SessionWebSocketPlatform.watchOS.check(allowsLowLevelNetworking: false)
        } catch let failure {
            error = failure
        }
        let cause = try #require(error?.underlying as? UnsupportedByURLSessionError)
        #expect(cause.option == "webSocket")
        for text in ["audio", "call", "TN3135", "allowsLowLevelNetworking"] { #expect(cause.reason.contains(text)) }
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(error?.message == cause.description)
    }

    #if canImport(FoundationNetworking)
    @Test("Linux: a client over a session names the way out, and does not retry", arguments: [false, true])
    func linux(allowsLowLevelNetworking: Bool) async throws {
        let client = APIClient(
            configuration: APIClient.Configuration(),
            transport: URLSessionTransport(allowsLowLevelNetworking: allowsLowLevelNetworking))
        let connection = try client.webSocketConnection(Socket())
        connection.connect()
        let error = await webSocketFailure { try await connection.waitUntilConnected() }
        let cause = (error?.openingError?.underlyingError as? TransportError)?.underlying
        #expect((cause as? UnsupportedByURLSessionError)?.option == "webSocket")
        #expect(error?.message.contains("import SimorghNIO") == true)
        try await connection.waitUntilClosed()
    }

    @Test("Linux: subscriptions over a session fail with the same error")
    func subscriptions() async throws {
        let client = APIClient(configuration: .default)
        let events = client.subscriptions(over: PhoenixProtocol(url: "ws://127.0.0.1:9/socket")).events(.topic("a"))
        var failure: (any Error)?
        do { for try await _ in events {} } catch { failure = error }
        let text = "\(try #require(failure))"
        #expect(text.contains("import SimorghNIO"))
    }
    #endif

    @Test("The upgrade offers subprotocols in a header field, and leaves the handshake to the session")
    func upgrade() throws {
        var options = WebSocketChannelOptions()
        options.subprotocols = ["chat.v2", "chat.v1"]
        options.compression = .deflate
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"))
        for name in [HTTPField.Name.connection, .upgrade, .secWebSocketKey, .secWebSocketExtensions, .authorization] {
            request.head.headerFields[name] = "x"
        }
        let upgrade = try SessionWebSocketUpgrade(request, options: options)
        #expect(upgrade.request.head.scheme == "wss")
        let expected: HTTPFields = [.authorization: "x", .secWebSocketProtocol: "chat.v2, chat.v1"]
        #expect(upgrade.request.head.headerFields == expected)
        #expect(upgrade.subprotocols == ["chat.v2", "chat.v1"])
        request.head.headerFields[.secWebSocketProtocol] = "own, other"
        #expect(try SessionWebSocketUpgrade(request, options: .init()).subprotocols == ["own", "other"])
    }

    private static func failure(_ request: TransportRequest, options: WebSocketChannelOptions) -> TransportError? {
        do throws(TransportError) {
            _ = try SessionWebSocketUpgrade(request, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test("Invalid subprotocols and options that a session ignores fail before the opening")
    func invalid() {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "ws", authority: "a.example", path: "/"))
        for names in [["a b"], ["a", "a"], [""]] {
            var options = WebSocketChannelOptions()
            options.subprotocols = names
            #expect(Self.failure(request, options: options)?.requestMayHaveBeenSent == false)
        }
        request.options.route.unixSocket = "/tmp/a"
        let error = #expect(throws: TransportError.self) { try SessionKey(request, capabilities: .apple) }
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == "route.unixSocket")
    }
}
