// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("Dialing: connection and TLS errors", .timeLimit(.minutes(10)))
struct ConnectTests {
    private static func get(_ authority: String, scheme: String = "http", roots: [String] = []) -> TransportRequest {
        var options = TransportOptions()
        options.tls.additionalRoots = roots
        return TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/get"), options: options)
    }

    @Test("NET2: a refused port is cannotConnectToHost, and nothing was sent")
    func refused() async throws {
        try await UnreachablePort.with { unreachable in
            let port = unreachable.port
            let error = await failure { try await NIOTransport().send(Self.get("127.0.0.1:\(port)")) }
            #expect(error?.code == .cannotConnectToHost)
            #expect(error?.phase == .connect)
            #expect(error?.requestMayHaveBeenSent == false)
            #expect(error?.message == "127.0.0.1:\(port) refused the connection")
        }
    }

    @Test("A name without an address is cannotFindHost")
    func unknown() async {
        let error = await failure { try await NIOTransport().send(Self.get("nobody.invalid")) }
        #expect(error?.code == .cannotFindHost)
        #expect(error?.phase == .connect)
    }

    @Test("A name with several addresses is reached at the one that answers")
    func localhost() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let response = try await NIOTransport().send(Self.get("localhost:\(server.port)"))
        #expect(response.head.status == .ok)
        #expect(response.connection?.remoteAddress == server.authority)
        #expect(response.connection?.tlsVersion == nil)
    }

    @Test(
        "TLS to a server with a trusted authority works, by name and by address",
        arguments: [
            "localhost", "127.0.0.1",
        ])
    func trusted(_ host: String) async throws {
        let (configuration, root) = try MockServer.Configuration.secure()
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let transport = NIOTransport()
            for number in 0..<3 {
                let response = try await transport.send(
                    Self.get("\(host):\(server.port)", scheme: "https", roots: [root]))
                #expect(response.head.status == .ok)
                #expect(response.connection?.tlsVersion == "TLSv1.3")
                #expect((response.timings.tls != nil) == (number == 0))
            }
            #expect(transport.statistics.dialed == 1)
        }
    }

    #if TestCertificates
    @Test(
        "An invalid certificate is refused with its reason, before anything is sent",
        arguments: [
            (CertificateFlaw.expired, TransportError.Code.serverCertificateHasBadDate),
            (.notYetValid, .serverCertificateNotYetValid), (.wrongHost, .serverCertificateUntrusted),
            (.selfSigned, .serverCertificateHasUnknownRoot), (.unknownAuthority, .serverCertificateHasUnknownRoot),
        ], ["localhost", "127.0.0.1"])
    func untrusted(
        _ example: (CertificateFlaw, TransportError.Code), _ host: String
    ) async throws {
        let (flaw, code) = example
        let (configuration, root) = try MockServer.Configuration.secure(flaw)
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let transport = NIOTransport()
            let error = await failure {
                try await transport.send(Self.get("\(host):\(server.port)", scheme: "https", roots: [root]))
            }
            #expect(error?.code == code)
            #expect(error?.phase == .tls)
            #expect(error?.requestMayHaveBeenSent == false)
            #expect(error?.underlying != nil)
            #expect(transport.statistics.open == 0)
        }
    }
    #endif

    @Test("A connection with additional roots is not shared with requests that do not trust them")
    func notShared() async throws {
        let (configuration, root) = try MockServer.Configuration.secure()
        try await MockServer.with(configuration) { server in
            server.addHTTPBinRoutes()
            let transport = NIOTransport()
            let authority = "localhost:\(server.port)"
            _ = try await transport.send(Self.get(authority, scheme: "https", roots: [root]))
            let error = await failure { try await transport.send(Self.get(authority, scheme: "https")) }
            #expect(error?.code == .serverCertificateHasUnknownRoot)
        }
    }

    @Test("A server that does not speak TLS causes secureConnectionFailed")
    func plain() async throws {
        let server = try await RawServer(greeting: [.send("HTTP/1.1 400 Bad Request\r\n\r\n")]) { _ in [] }
        let error = await failure { try await NIOTransport().send(Self.get(server.authority, scheme: "https")) }
        #expect(error?.code == .secureConnectionFailed)
        #expect(error?.phase == .tls)
        let closing = try await RawServer(greeting: [.close]) { _ in [] }
        let other = await failure { try await NIOTransport().send(Self.get(closing.authority, scheme: "https")) }
        #expect(other?.code == .secureConnectionFailed)
    }

    @Test(
        "An additional root that is not a certificate is an error, not a trap",
        arguments: ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAA"])
    func badRoot(_ pem: String) async {
        let error = await failure {
            try await NIOTransport().send(Self.get("localhost:1", scheme: "https", roots: [pem]))
        }
        #expect(error?.code == .secureConnectionFailed)
    }
}
