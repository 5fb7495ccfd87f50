// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Synchronization
import Testing

@Suite("Interim responses", .timeLimit(.minutes(10)))
struct InterimTests {
    @Test(
        "Each interim response is reported in order, with its fields, before the final one", arguments: [false, true],
        [TransportOptions.HTTPVersion.http1Only, .http2PriorKnowledge])
    func told(streamed: Bool, version: TransportOptions.HTTPVersion) async throws {
        let server = try await MockServer.start()
        let link = try #require(HTTPField.Name("Link"))
        server.on(
            .get, path: "/",
            response: StubResponse.text("ok").interim(.earlyHints, headerFields: [link: "</a>"]).interim(
                104, headerFields: [.location: "/u/1"]))
        let told = Mutex<[HTTPResponse]>([])
        var options = TransportOptions()
        options.httpVersion = version
        if streamed { options.delivery = .streamed }
        options.informational = { response in told.withLock { $0.append(response) } }
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/"),
            options: options)
        let transport = NIOTransport()
        for round in 1...2 {
            let response = try await transport.send(request)
            #expect(response.head.status == .ok)
            #expect(try await response.body.collect(upTo: 10) == Data("ok".utf8))
            let interim = told.withLock { $0 }
            #expect(interim.map(\.status.code) == Array(repeating: [103, 104], count: round).flatMap { $0 })
            #expect(interim.last?.headerFields[.location] == "/u/1")
        }
        #expect(server.acceptedConnectionCount == 1)
        await server.shutdown()
    }

    @Test(
        "onEvent reports Early Hints before the call ends",
        arguments: [TransportOptions.HTTPVersion.http1Only, .http2PriorKnowledge])
    func event(version: TransportOptions.HTTPVersion) async throws {
        let server = try await MockServer.start()
        let link = try #require(HTTPField.Name("Link"))
        server.on(
            .get, path: "/", response: StubResponse.text("ok").interim(.earlyHints, headerFields: [link: "</a.css>"]))
        let told = Mutex<[HTTPResponse]>([])
        var configuration = APIClient.Configuration()
        configuration.httpVersion = version
        configuration.logging.onEvent = { event in
            if case .interim(let interim) = event { told.withLock { $0.append(interim.response) } }
        }
        let client = APIClient(configuration: configuration, transport: NIOTransport())
        #expect(try await client.call(.get, "http://127.0.0.1:\(server.port)/").data() == Data("ok".utf8))
        let responses = told.withLock { $0 }
        #expect(responses.map(\.status.code) == [103])
        #expect(responses.first?.headerFields[link] == "</a.css>")
        await server.shutdown()
    }
}
