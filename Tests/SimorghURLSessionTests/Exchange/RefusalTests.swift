// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import SimorghURLSession
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession: unsupported requests", .timeLimit(.minutes(5)))
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var wayOut = "import SimorghNIO and give the client NIOTransport.shared"
        let change: @Sendable (inout TransportRequest) -> Void
    }

    static let cases = [
        Case(testDescription: "tls.serverName") { $0.options.tls.serverName = "elsewhere" },
        Case(testDescription: "route.unixSocket") { $0.options.route.unixSocket = "/tmp/a" },
        Case(testDescription: "httpVersion") { $0.options.httpVersion = .http2Only },
        Case(testDescription: "method", wayOut: "set route.proxy") { $0.head.method = .connect },
        Case(testDescription: "body") { $0.body = .text("a") },
    ]

    @Test("An option that URLSession would silently ignore fails the request before it is sent", arguments: cases)
    func refused(_ example: Case) async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/"))
        example.change(&request)
        let sent = request
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(sent) }
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == example.testDescription)
        #expect(error?.message.contains(example.wayOut) == true)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(server.requests.isEmpty)
    }

    #if canImport(FoundationNetworking)
    @Test("HTTP/3 is refused where sessions do not support it")
    func http3() async throws {
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/"))
        request.options.httpVersion = .http3
        let sent = request
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(sent) }
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == "httpVersion")
        // The engine does not support it, either.
        #expect(error?.message.contains("leave httpVersion automatic") == true)
    }
    #endif

    @Test("A request that may not use the current network fails before it is sent")
    func access() async throws {
        let network = ScriptedNetwork(.connected(.cellular))
        var request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/"))
        request.options.access.allowsCellular = false
        request.options.monitor = network.monitor()
        let sent = request
        #if canImport(FoundationNetworking)
        let error = await #expect(throws: TransportError.self) { try await URLSessionTransport().send(sent) }
        #expect(error?.code == .notConnectedToInternet)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect((error?.underlying as? NetworkAccessError)?.rule == .cellular)
        #endif
    }

    @Test("Invalid UTF-8 is not replaced: a cookie with it is omitted, any other field with it fails the request")
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
        #expect((error?.underlying as? InvalidRequestError)?.reason == .invalidHeader)
        #expect(server.requests.count == 1)
    }

    /// A configuration for a background session.
    private static var named: URLSessionConfiguration {
        #if canImport(FoundationNetworking)
        // `background(withIdentifier:)` is missing; setting its identifier has the same effect.
        let configuration = URLSessionConfiguration.default
        configuration.identifier = "simorgh.refused"
        return configuration
        #else
        return .background(withIdentifier: "simorgh.refused")
        #endif
    }

    @Test("A background session is refused before a request is sent, until the configuration is replaced")
    func background() async throws {
        let server = try await RawServer { _ in [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
        let request = TransportRequest(
            head: HTTPRequest(method: .post, scheme: "http", authority: server.authority, path: "/"), body: .text("a"))
        let transport = URLSessionTransport(configuration: Self.named)
        let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
        #expect((error?.underlying as? UnsupportedByURLSessionError)?.option == "configuration")
        #expect(error?.message.contains("use DownloadManager with backgroundSessionIdentifier") == true)
        #expect(error?.requestMayHaveBeenSent == false)
        #expect(server.requests.isEmpty)
        transport.updateConfiguration(.default)
        #expect(try await transport.send(request).head.status.code == 204)
    }

    @Test("A slow reader beyond maximumBufferedBytes receives an error if the session cannot pause")
    func overrun() async throws {
        let count = 4_000_000
        #if canImport(FoundationNetworking)
        // The body is one byte short, so that only giving up can end the connection.
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
        // The session receives all bytes, read or not; the body is read only after the transport has given up.
        try await eventually { server.open == 0 }
        let error = await #expect(throws: TransportError.self) { for try await _ in response.body {} }
        #expect(error?.code == .resourceUnavailable)
        #else
        #expect(try await response.body.collect(upTo: count).count == count)
        #endif
    }
}
