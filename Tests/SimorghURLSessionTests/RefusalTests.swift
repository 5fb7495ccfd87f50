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

@Suite("What URLSession cannot do is refused", .timeLimit(.minutes(5)))
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout TransportRequest) -> Void
    }

    static let cases = [
        Case(testDescription: "tls") { $0.options.tls.serverName = "elsewhere" },
        Case(testDescription: "route") { $0.options.route.unixSocket = "/tmp/a" },
        Case(testDescription: "httpVersion") { $0.options.httpVersion = .http2Only },
        Case(testDescription: "method") { $0.head.method = .connect },
        Case(testDescription: "body") { $0.body = .text("a") },
    ]

    @Test("An option that would be left out in silence fails the request before it leaves", arguments: cases)
    func refused(_ example: Case) async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/"))
        example.change(&request)
        let sent = request
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(sent) }
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == example.testDescription)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(server.requests.isEmpty)
    }

    @Test("Bytes that are not UTF-8 are not replaced: a cookie is left out, and another field refuses the request")
    func rawBytes() async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/"))
        let cookies: [UInt8] = Array("a=1; b=".utf8) + [0xE9]
        request.head.headerFields.append(HTTPField(name: .cookie, value: cookies))
        let sent = request
        _ = try await URLSessionTransport().send(sent)
        #expect(server.requests.map { $0.text.contains("Cookie: a=1\r\n") } == [true])
        let name = try #require(HTTPField.Name("X-Name"))
        let value: [UInt8] = [0x63, 0xE9]
        request.head.headerFields.append(HTTPField(name: name, value: value))
        let refused = request
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(refused) }
        #expect((error?.underlying as? InvalidRequest)?.reason == .invalidHeader)
        #expect(server.requests.count == 1)
    }

    /// A configuration that names a session of the system.
    private static var named: URLSessionConfiguration {
        #if canImport(FoundationNetworking)
        // The function that makes one is not there; what it is known by is.
        let configuration = URLSessionConfiguration.default
        configuration.identifier = "simorgh.refused"
        return configuration
        #else
        return .background(withIdentifier: "simorgh.refused")
        #endif
    }

    @Test("A background session, which carries files alone, is refused before anything leaves, until there is another")
    func background() async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "http", authority: server.authority, path: "/"), body: .text("a"))
        let transport = URLSessionTransport(configuration: Self.named)
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == "configuration")
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(server.requests.isEmpty)
        transport.updateConfiguration(.default)
        #expect(try await transport.send(request).head.status.code == 204)
    }

    @Test("A reader who falls behind by more than the bound is told, where the session cannot wait")
    func overrun() async throws {
        let count = 4_000_000
        #if canImport(FoundationNetworking)
        // One byte is not sent, so that the session cannot be done with the connection in another way than giving up.
        let length = count + 1
        #else
        let length = count
        #endif
        let server = try await RawServer { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"),
                .bytes([UInt8](repeating: 7, count: count)),
            ]
        }
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/"))
        request.options.delivery = .streamed
        let response = try await URLSessionTransport(maximumBufferedBytes: 100_000).send(request)
        #if canImport(FoundationNetworking)
        // The session takes all that comes, read or not; nothing is read before it has given up.
        try await eventually { server.open == 0 }
        let error = await #expect(throws: TransportError.self) { for try await _ in response.body {} }
        #expect(error?.code == .resourceUnavailable)
        #else
        #expect(try await response.body.collect(upTo: count).count == count)
        #endif
    }
}
