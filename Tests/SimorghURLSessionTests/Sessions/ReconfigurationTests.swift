// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSessionTransport.updateConfiguration", .timeLimit(.minutes(5)))
struct ReconfigurationTests {
    private static func request(_ server: RawServer, _ path: String) -> TransportRequest {
        TransportRequest(head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: path))
    }

    @Test("cancelling: true cancels requests in progress, and later requests are sent")
    func cancels() async throws {
        let silent = try await RawServer { _ in [] }
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let transport = URLSessionTransport()
        let waiting = Task { _ = try await transport.send(Self.request(silent, "/")) }
        try await eventually { silent.requests.count == 1 }
        transport.updateConfiguration(.default, cancelling: true)
        let error = await #expect(throws: TransportError.self) { try await waiting.value }
        #expect(error?.code == .cancelled)
        #expect(try await transport.send(Self.request(server, "/")).head.status.code == 204)
    }

    @Test("cancelling: true: no request goes on with the previous configuration, also one without a task yet")
    func cancelsEarlyRequests() async throws {
        let silent = try await RawServer { _ in [] }
        for round in 0..<100 {
            let transport = URLSessionTransport(configuration: Self.marked("old"))
            let ending = LockedValue<TransportError.Code?>(nil)
            let sending = Task {
                do {
                    _ = try await transport.send(Self.request(silent, "/\(round)"))
                } catch {
                    ending.change { $0 = (error as? TransportError)?.code }
                }
            }
            // Updates at different moments of the request's beginning.
            for _ in 0..<(round % 10) { await Task.yield() }
            transport.updateConfiguration(Self.marked("new"), cancelling: true)
            try await eventually {
                ending.value != nil
                    || silent.requests.contains { $0.text.contains("/\(round) ") && $0.text.contains("X-Age: new") }
            }
            sending.cancel()
            await sending.value
            #expect(ending.value == .cancelled)
        }
    }

    private static func marked(_ age: String) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Age": age]
        return configuration
    }

    @Test("The session does not send the credentials of its configuration, which would follow a redirect to any server")
    func credentials() async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = [
            "authorization": "Bearer secret", "X-API-Key": "secret", "Cookie": "a=secret", "X-Bird": "simorgh",
        ]
        let transport = URLSessionTransport(configuration: configuration)
        #expect(try await transport.send(Self.request(server, "/")).head.status.code == 204)
        let text = try #require(server.requests.first?.text)
        #expect(text.contains("X-Bird: simorgh") && !text.contains("secret"))
    }

    @Test("A client over the shared transport updates its own settings, and not the session of the other clients")
    func shared() async throws {
        let silent = try await RawServer { _ in [] }
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let client = APIClient(transport: URLSessionTransport.shared)
        let other = Task { _ = try await URLSessionTransport.shared.send(Self.request(silent, "/")) }
        let own = Task { try await client.call(.get, "http://\(silent.authority)/own").void() }
        try await eventually { silent.requests.count == 2 }
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["X-Bird": "simorgh"]
        client.updateConfiguration(configuration, cancelling: true)
        await #expect(throws: (any Error).self) { try await own.value }
        try await client.call(.get, "http://\(server.authority)/").void()
        #expect(server.requests.first?.text.contains("X-Bird: simorgh") == true)
        other.cancel()
        let error = await #expect(throws: TransportError.self) { try await other.value }
        #expect(error?.code == .cancelled)
    }

    @Test("Requests during repeated updates are sent or cancelled, and the process does not crash")
    func races() async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let transport = URLSessionTransport()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        do {
                            _ = try await transport.send(Self.request(server, "/\(number)"))
                        } catch {
                            #expect((error as? TransportError)?.code == .cancelled, "\(error)")
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<20 {
                    transport.updateConfiguration(.default, cancelling: true)
                    await Task.yield()
                }
            }
        }
    }
}
