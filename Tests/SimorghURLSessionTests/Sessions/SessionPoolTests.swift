// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

@Suite("Sessions by options", .timeLimit(.minutes(5)))
struct SessionPoolTests {
    private static func request(_ server: RawServer, _ proxy: ProxyOptions = .system) -> TransportRequest {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/"))
        request.options.route.proxy = proxy
        return request
    }

    @Test("Requests with equal options share a session, which ends after five idle minutes")
    func idle() async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let clock = TestClock()
        let transport = URLSessionTransport(capabilities: .direct, time: clock.timeSource)
        for _ in 0..<2 {
            for proxy in [ProxyOptions.system, .none] { _ = try await transport.send(Self.request(server, proxy)) }
        }
        #expect(transport.sessionCount == 2)
        // A session is released after the last event of its task, so the second one may be released after this wait.
        for _ in 0..<2 where transport.sessionCount > 0 {
            try await clock.sleeping()
            clock.advance(by: .seconds(301))
            try await eventually { transport.sessionCount == 0 || !clock.wakings.isEmpty }
        }
        #expect(transport.sessionCount == 0)
        #expect(try await transport.send(Self.request(server)).head.status.code == 204)
        #expect(transport.sessionCount == 1)
    }

    @Test("An unreadable file of the TLS options fails the request before it is sent")
    func files() async throws {
        var capabilities = SessionCapabilities.linux
        capabilities.hasTLSOptions = true
        let transport = URLSessionTransport(capabilities: capabilities)
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "localhost:1", path: "/"))
        request.options.tls.trust = .only([.file("/nowhere/root.pem")])
        let sent = request
        let error = await #expect(throws: TransportError.self) { try await transport.send(sent) }
        #expect((error?.underlying as? TLSOptionsError)?.reason == .file)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(transport.sessionCount == 0)
    }
}

extension SessionCapabilities {
    /// The capabilities on Linux, on a machine without proxies.
    static let direct = {
        var capabilities = linux
        capabilities.usesSystemProxy = { _, _ in false }
        return capabilities
    }()
}
