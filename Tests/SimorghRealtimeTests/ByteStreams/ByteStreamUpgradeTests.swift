// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite("ByteStreamWebSocketTransport: opening", .timeLimit(.minutes(5)))
struct ByteStreamUpgradeTests {
    private static func answered(
        _ response: String, request: TransportRequest = PipePeer.request, closes: Bool = false
    ) async throws -> WebSocketOpenResult {
        let (client, server) = PipeByteStream.pair(room: 50)
        let peer = Task {
            let peer = PipePeer(server)
            _ = try await peer.head()
            try? await peer.send(Array(response.utf8))
            if closes { try await server.closeWriting() }
            while await peer.next() != nil {}
        }
        defer { peer.cancel() }
        return try await PipePeer.open(over: client, request: request)
    }

    private static func failure(_ body: () async throws -> some Any) async -> TransportError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? TransportError
        }
    }

    @Test("The request has the handshake fields, the caller's fields and the host")
    func request() async throws {
        let (client, server) = PipeByteStream.pair()
        let peer = PipePeer(server)
        var request = PipePeer.request
        request.head.headerFields[.authorization] = "Bearer feather"
        let opening = Task { [request] in try await PipePeer.open(over: client, request: request) }
        let text = try await peer.head()
        #expect(text.hasPrefix("GET /simorgh HTTP/1.1\r\nHost: birds.example\r\n"))
        #expect(text.contains("Authorization: Bearer feather\r\n") && text.contains("Upgrade: websocket\r\n"))
        #expect(text.contains("Sec-WebSocket-Version: 13\r\n") && text.hasSuffix("\r\n\r\n"))
        opening.cancel()
        let error = await Self.failure { try await opening.value }
        #expect(error?.code == .cancelled && peer.stream.hasPeerEnded)
    }

    @Test(
        "A server that refuses shows its status and its body, however it ends",
        arguments: [
            "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nlate", "HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 403 No\r\n\r\nlate",
            "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlate\r\n0\r\n\r\n",
            "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlate\r\nnonsense\r\n",
            "HTTP/1.1 500 Cut\r\nContent-Length: 400\r\n\r\nlate",
        ])
    func refused(response: String) async throws {
        guard case .refused(let answer) = try await Self.answered(response, closes: true) else {
            Issue.record("the refusal was taken for an acceptance")
            return
        }
        #expect(answer.head.status.code >= 400 && answer.body.collectedBytes == Data("late".utf8))
    }

    @Test(
        "A response that violates HTTP or the handshake is an error",
        arguments: [
            "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "HTTP/1.1 101 Up\r\nbad field\r\n\r\n",
        ])
    func invalid(response: String) async throws {
        let error = await Self.failure { try await Self.answered(response) }
        #expect(error?.code == .badServerResponse)
    }

    @Test("A head larger than the limit is an error")
    func headLimit() async throws {
        var request = PipePeer.request
        request.options.limits.headBytes = 1000
        let long = "HTTP/1.1 101 Up\r\nX: " + String(repeating: "x", count: 3000) + "\r\n\r\n"
        let error = await Self.failure { [request] in try await Self.answered(long, request: request) }
        #expect(error?.code == .dataLengthExceedsMaximum && error?.phase == .head)
    }

    @Test("A body larger than the collected limit is truncated")
    func bodyLimit() async throws {
        var request = PipePeer.request
        request.options.delivery = .collected(upTo: 10)
        let response = "HTTP/1.1 500 No\r\nContent-Length: 3000\r\n\r\n" + String(repeating: "y", count: 3000)
        guard case .refused(let answer) = try await Self.answered(response, request: request) else { return }
        #expect(answer.body.collectedBytes == Data("yyyyyyyyyy".utf8))
    }

    @Test("A server that ends before its response is a lost connection")
    func lost() async throws {
        let error = await Self.failure { try await Self.answered("HTTP/1.1 101 ", closes: true) }
        #expect(error?.code == .networkConnectionLost && error?.phase == .head)
    }

    @Test("A server that is silent is left after the timeout of the head, or of the whole", arguments: [true, false])
    func timeouts(isTotal: Bool) async throws {
        let clock = TestClock()
        var request = PipePeer.request
        request.options.timeouts.head = isTotal ? nil : .seconds(7)
        request.options.timeouts.total = isTotal ? .seconds(7) : nil
        let (client, server) = PipeByteStream.pair()
        let opening = Task { [request] in
            try await PipePeer.open(over: client, time: clock.timeSource, request: request)
        }
        let peer = PipePeer(server)
        _ = try await peer.head()
        try await clock.sleeping(for: .seconds(7))
        clock.advance(by: .seconds(7))
        let error = await Self.failure { try await opening.value }
        #expect(error?.code == .timedOut && error?.phase == (isTotal ? .total : .head))
        #expect(error?.requestMayHaveBeenSent == true && server.hasPeerEnded)
    }

    @Test("A scope that is cancelled cancels the opening")
    func scope() async throws {
        let scope = CancellationScope()
        var request = PipePeer.request
        request.options.scope = scope
        let (client, server) = PipeByteStream.pair()
        let opening = Task { [request] in try await PipePeer.open(over: client, request: request) }
        let peer = PipePeer(server)
        _ = try await peer.head()
        scope.cancelAll()
        let error = await Self.failure { try await opening.value }
        #expect(error?.code == .cancelled)
    }

    @Test(
        "Requests that no server can answer are refused before connecting",
        arguments: [
            ("ftp", "a.example", "/"), ("ws", "a b", "/"), ("ws", "a.example:0", "/"), ("ws", "a.example", "/ b"),
        ])
    func requests(scheme: String, authority: String, path: String) async throws {
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
        #expect(throws: TransportError.self) { try UpgradeTarget(request) }
        var posted = PipePeer.request
        posted.head.method = .post
        let post = posted
        #expect(throws: TransportError.self) { try UpgradeTarget(post) }
    }

    @Test("The port follows from the scheme")
    func ports() throws {
        var request = PipePeer.request
        #expect(try UpgradeTarget(request).port == 80)
        request.head.scheme = "wss"
        #expect(try UpgradeTarget(request).port == 443)
        request.head.authority = "[::1]:8443"
        let target = try UpgradeTarget(request)
        #expect(target.host == "::1" && target.port == 8443 && target.isSecure)
    }
}
