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
struct ClientLeakTests {
    private struct Live: WebSocketRouter {
        var path: String { "/live" }
    }

    @Test("A held streamed response keeps a connection in use and is a leak; an idle connection is not")
    func connections() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            defer { gate.open() }
            server.enqueue(.chunks([.bytes(Data("a".utf8)), .wait(gate)]), .text("whole"))
            let client = APIClient.scripted(NIOTransport(), baseURL: server.url)
            let error = await #expect(throws: LeakedResourcesError.self) {
                try await expectNoLeaks(in: client, within: .zero) {
                    try await client.stream(.get, "held", query: ["key": "s3cret"])
                }
            }
            #expect(error?.leftovers == ["a connection in use", "request: GET \(server.url)/held?…"])
            try await expectNoLeaks(in: client, within: .seconds(3600)) {
                let whole = try await client.call(.get, "whole").data()
                #expect(whole == Data("whole".utf8))
            }
        }
    }

    @Test("An open WebSocket is a leak until it is closed")
    func webSockets() async throws {
        try await MockServer.with { server in
            server.on(
                .get, path: "/live", response: .webSocket { socket in while try await socket.receive() != nil {} })
            let client = APIClient.scripted(NIOTransport(), baseURL: server.url)
            let error = await #expect(throws: LeakedResourcesError.self) {
                try await expectNoLeaks(in: client, within: .zero) {
                    let socket = try client.webSocketConnection(Live())
                    try await socket.open()
                    return socket
                }
            }
            let leftover = try #require(error?.leftovers.first)
            #expect(error?.leftovers.count == 1)
            #expect(leftover.hasPrefix("WebSocket 1: GET ") && leftover.hasSuffix("/live"))
            try await expectNoLeaks(in: client, within: .seconds(3600)) {
                try await client.withWebSocket(Live()) { try await $0.sendText("hello") }
            }
        }
    }

    @Test("A leaked request of an observed call is reported with the call's number")
    func numbered() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            defer { gate.open() }
            server.enqueue(.chunks([.bytes(Data("a".utf8)), .wait(gate)]))
            let ids = LockedValue<[Int]>([])
            let client = APIClient.scripted(NIOTransport(), baseURL: server.url) {
                $0.interceptors = [
                    Interceptor { request, next in
                        ids.change { $0 += [request.options.call?.id.rawValue].compactMap { $0 } }
                        return try await next(request)
                    }
                ]
            }
            let error = await #expect(throws: LeakedResourcesError.self) {
                try await expectNoLeaks(in: client, within: .zero) { try await client.stream(.get, "held") }
            }
            let id = try #require(ids.value.first)
            #expect(error?.leftovers == ["a connection in use", "request of call \(id): GET \(server.url)/held"])
        }
    }

    @Test("A client is released with its transport, even if the transport keeps the requests")
    func kept() async throws {
        weak var client: APIClient?
        do {
            let transport = StubServer { _ in .text("a") }
            let made = APIClient.scripted(transport)
            _ = try await made.call(.get, "a").data()
            #expect(transport.requests.first?.options?.delivery == .collected(upTo: 64 * 1024 * 1024))
            client = made
        }
        try await eventually { client == nil }
    }

    @Test("A client over a test transport reports the exchanges that the transport still holds")
    func scripted() async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let client = APIClient.scripted(transport)
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: client, within: .zero) { try await client.stream(.get, "held") }
        }
        #expect(error?.leftovers == ["exchange 1: GET https://api.test/held"])
    }
}
