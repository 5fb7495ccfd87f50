// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if TestCertificates
import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct MockTLSTests {
    @Test("A generated certificate is trusted through its authority, and its pin matches")
    func trusted() async throws {
        var configuration = MockServer.Configuration()
        let certificate = try TestAuthority().certificate()
        configuration.tls = .init(certificate)
        try await MockServer.with(configuration) { server in
            server.on(nil, path: "/*", response: .text("secret"))
            let transport = NIOTransport()
            #expect(try await server.ask(.secureHTTP1, over: transport).text == "secret")
            let pinned = try await server.ask(.secureHTTP2) {
                $0.tls.pins = [TLSPins(host: "localhost", keys: [certificate.pin], needsBackup: false)]
            }
            #expect(pinned.text == "secret")
            let stranger = try TestAuthority().certificate()
            let refused = await wireFailure {
                try await server.ask(.secureHTTP2) {
                    $0.tls.pins = [TLSPins(host: "localhost", keys: [stranger.pin], needsBackup: false)]
                }
            }
            #expect(refused?.phase == .tls)
        }
    }

    @Test("ALPN selects HTTP/2 if the server supports it")
    func negotiation() async throws {
        var configuration = MockServer.Configuration()
        configuration.tls = try .init()
        for (protocols, name) in [([.http1, .http2], "h2"), ([.http1], "http/1.1"), ([.http2], "h2")]
            as [(Set<MockServer.HTTPProtocol>, String)]
        {
            configuration.protocols = protocols
            try await MockServer.with(configuration) { server in
                server.on(nil, path: "/*", response: .text("well"))
                _ = try await server.ask(.secureHTTP2) { $0.httpVersion = .automatic }
                #expect(server.requests.first?.arrival?.protocolName == name)
            }
        }
    }

    @Test("A flawed certificate is refused with the reason")
    func bad() async throws {
        let authority = try TestAuthority()
        for (certificate, code) in [
            (try authority.certificate(validFor: -10 ... -1), TransportError.Code.serverCertificateHasBadDate),
            (try authority.certificate(validFor: 1...10), .serverCertificateNotYetValid),
            (try authority.certificate(for: ["wrong.example"]), .serverCertificateUntrusted),
        ] {
            var configuration = MockServer.Configuration()
            configuration.tls = .init(certificate)
            let server = try await MockServer.start(configuration)
            let error = await wireFailure { try await server.ask(.secureHTTP1) }
            #expect(error?.code == code, "\(String(describing: error))")
            #expect(server.requests.isEmpty)
            await server.shutdown()
        }
    }

    @Test("A server that requires a client certificate accepts only one from its authority")
    func clients() async throws {
        let authority = try TestAuthority()
        var configuration = MockServer.Configuration()
        configuration.tls = try .init()
        configuration.tls?.clientAuthorityPEM = authority.certificatePEM
        let server = try await MockServer.start(configuration)
        server.on(nil, path: "/*", response: .text("known"))
        let known = try authority.certificate(for: ["bird"], isForClient: true)
        #expect(try await server.ask(.secureHTTP1) { $0.tls.identity = known.identity }.text == "known")
        let stranger = try TestAuthority().certificate(for: ["bird"], isForClient: true)
        #expect(await wireFailure { try await server.ask(.secureHTTP1) { $0.tls.identity = stranger.identity } } != nil)
        #expect(await wireFailure { try await server.ask(.secureHTTP1) } != nil)
        await server.shutdown()
    }
}
#endif
