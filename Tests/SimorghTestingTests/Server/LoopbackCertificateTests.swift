// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import Testing

/// The certificate bundled with the library, available with and without the trait `TestCertificates`.
@Suite(.timeLimit(.minutes(5)))
struct LoopbackCertificateTests {
    private static var configuration: MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.tls = .init(.loopback)
        return configuration
    }

    @Test(
        "A client that trusts the bundled authority is served over each version of HTTP, by name and by address",
        arguments: [MockServer.Way.secureHTTP1, .secureHTTP2], ["localhost", "127.0.0.1"])
    func trusted(way: MockServer.Way, host: String) async throws {
        try await MockServer.with(Self.configuration) { server in
            server.on(nil, path: "/*", response: .text("secret"))
            let answer = try await NIOTransport().ask(.get, "https://\(host):\(server.port)/") {
                $0.tls = server.clientConfiguration.tls
                $0.httpVersion = way.isHTTP2 ? .http2PriorKnowledge : .http1Only
                $0.tls.pins = [TLSPins(host: host, keys: [TestCertificate.loopback.pin], needsBackup: false)]
            }
            #expect(answer.text == "secret")
        }
    }

    @Test("A client that does not trust the bundled authority refuses the certificate")
    func refused() async throws {
        try await MockServer.with(Self.configuration) { server in
            let error = await wireFailure { try await server.ask(.secureHTTP1) { $0.tls.additionalRoots = [] } }
            #expect(error?.code == .serverCertificateHasUnknownRoot)
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A server that requires a client certificate accepts the bundled one")
    func client() async throws {
        var configuration = Self.configuration
        configuration.tls?.clientAuthorityPEM = TestCertificate.loopback.authorityPEM
        try await MockServer.with(configuration) { server in
            server.on(nil, path: "/*", response: .text("known"))
            let known = try await server.ask(.secureHTTP1) { $0.tls.identity = TestCertificate.loopback.identity }
            #expect(known.text == "known")
            #expect(await wireFailure { try await server.ask(.secureHTTP1) } != nil)
        }
    }
}
