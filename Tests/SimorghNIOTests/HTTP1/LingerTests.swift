// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("ResponseBody: lingering after the last relevant byte", .timeLimit(.minutes(10)))
struct LingerTests {
    private static func transport(lingering: Duration) -> NIOTransport {
        var configuration = NIOTransport.Configuration()
        configuration.lingeringTime = lingering
        configuration.idleTimeout = .seconds(3600)
        return NIOTransport(configuration: configuration)
    }

    /// Reads the first chunk of a body and leaves the rest unread.
    private static func begin(_ server: MockServer, _ transport: NIOTransport) async throws {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/stream"))
        request.options.delivery = .streamed
        let body = try await transport.send(request).body.mapErrors { $0 }
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("data".utf8))
        iterator.linger()
        #expect(try await iterator.next() == nil)
    }

    @Test("The connection is reused if the rest is short and arrives within lingeringTime")
    func reused() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            server.on("/stream") { _ in .chunks([.bytes(Data("data".utf8)), .wait(gate), .bytes(Data("rest".utf8))]) }
            let transport = Self.transport(lingering: .seconds(3600))
            try await Self.begin(server, transport)
            #expect(transport.statistics.leased == 1)
            gate.open()
            try await eventually { transport.statistics.idle == 1 }
            try await Self.begin(server, transport)
            try await eventually { transport.statistics.idle == 1 }
            #expect(transport.statistics.dialed == 1)
        }
    }

    @Test("The connection is closed if the body does not end within lingeringTime")
    func late() async throws {
        try await MockServer.with { server in
            let gate = Gate()
            server.on("/stream") { _ in .chunks([.bytes(Data("data".utf8)), .wait(gate)]) }
            let transport = Self.transport(lingering: .milliseconds(1))
            try await Self.begin(server, transport)
            try await server.waitForOpenConnections(atMost: 0)
            gate.open()
        }
    }

    @Test("The connection is closed if the rest exceeds 64 KiB")
    func long() async throws {
        try await MockServer.with { server in
            let (gate, end) = (Gate(), Gate())
            server.on("/stream") { _ in
                .chunks([.bytes(Data("data".utf8)), .wait(gate), .bytes(Data(count: 64 * 1024 + 1)), .wait(end)])
            }
            let transport = Self.transport(lingering: .seconds(3600))
            try await Self.begin(server, transport)
            gate.open()
            try await server.waitForOpenConnections(atMost: 0)
            end.open()
        }
    }
}
