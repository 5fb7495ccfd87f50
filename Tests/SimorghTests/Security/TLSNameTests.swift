// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import TestSupport
import Testing

/// Certificates of Tests/Peers/certificates.py with names that clients match differently, served by OpenSSL.
@Suite("TLS: host name verification", .timeLimit(.minutes(10)))
struct TLSNameTests {
    /// A resolver that maps every name to this machine.
    struct Names: HostResolver {
        func addresses(of host: String, family: AddressFamily) async -> [String] {
            family == .ipv4 ? ["127.0.0.1"] : []
        }
    }

    private static let transport: NIOTransport = {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = Names()
        return NIOTransport(configuration: configuration)
    }()

    private static func client(
        _ witness: TLSWitness, _ change: (inout APIClient.Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = APIClient.Configuration()
        configuration.tls.trust = .only([witness.file("root.pem")])
        // A generous timeout, because the machine may be busy with other tests.
        configuration.timeouts.connect = .seconds(60)
        configuration.timeouts.tls = .seconds(60)
        change(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let port: String
        let host: String
        var reason = TLSError.Reason.wrongHost
        var testDescription: String { "\(host) at \(port)" }
    }

    @Test(
        "A whole-label wildcard matches an A-label and an underscore, and a name with an underscore matches itself",
        arguments: [
            Case(port: "wildcard", host: "bird.birds.test"),
            Case(port: "wildcard", host: "my_api.birds.test"),
            Case(port: "wildcard", host: "xn--bcher-kva.birds.test"),
            Case(port: "wildcard", host: "bird.birds.test."),
            Case(port: "underscore", host: "my_api.birds.test"),
            Case(port: "named", host: "192.0.2.7"),
        ])
    func accepted(_ example: Case) async throws {
        let witness = try await TLSWitness.ask()
        let isAddress = example.host.first?.isNumber == true
        let client = Self.client(witness) { if isAddress { $0.tls.serverName = example.host } }
        let url = try witness.url(example.port, host: isAddress ? "localhost" : example.host)
        let handshake: TLSWitness.Handshake = try await client.get(url)
        let name = example.host.hasSuffix(".") ? String(example.host.dropLast()) : example.host
        #expect(handshake.sni == (isAddress ? nil : name))
    }

    @Test("A request's Host header field does not change the TLS server name")
    func hostField() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("wildcard", host: "bird.birds.test")
        // A name that the certificate does not cover, and the other way round.
        let named = Self.client(witness) { $0.headers["Host"] = "localhost" }
        let handshake: TLSWitness.Handshake = try await named.get(url)
        #expect(handshake.sni == "bird.birds.test")
        let other = Self.client(witness) { $0.headers["Host"] = "bird.birds.test" }
        let error = await other.transportError(try witness.url("wildcard", host: "localhost"))
        #expect(error?.tlsFailure == .wrongHost)
    }

    static let refusals = [
        Case(port: "wildcard", host: "birds.test"),
        Case(port: "wildcard", host: "a.bird.birds.test"),
        Case(port: "wildcard", host: "bird.other.test"),
        Case(port: "underscore", host: "my-api.birds.test"),
        Case(port: "underscore", host: "bird.birds.test"),
        Case(port: "partial", host: "bird.birds.test"),
        Case(port: "partial", host: "xn--bcher-kva.birds.test"),
        Case(port: "wide", host: "bird.birds.test"),
        Case(port: "wide", host: "birds.test"),
        Case(port: "wide", host: "localhost"),
        Case(port: "dotted", host: "bird.birds.test"),
        Case(port: "commonname", host: "bird.birds.test"),
        Case(port: "otherkinds", host: "bird.birds.test"),
        Case(port: "otherkinds", host: "127.0.0.1"),
        Case(port: "wronghosth2", host: "localhost"),
        Case(port: "wronghosth2", host: "127.0.0.1"),
        Case(port: "partialh2", host: "bird.birds.test"),
        Case(port: "commonnameh2", host: "bird.birds.test"),
        // A matching name does not help an invalid chain.
        Case(port: "wildexpired", host: "my_api.birds.test", reason: .expired),
        Case(port: "wildexpiredh2", host: "my_api.birds.test", reason: .expired),
        Case(port: "wildstranger", host: "my_api.birds.test", reason: .unknownIssuer),
        Case(port: "wildstrangerh2", host: "my_api.birds.test", reason: .unknownIssuer),
        Case(port: "wildselfsigned", host: "my_api.birds.test", reason: .selfSigned),
        Case(port: "wildselfsignedh2", host: "my_api.birds.test", reason: .selfSigned),
    ]

    @Test(
        "Any other certificate is refused before a request is sent, for calls, WebSockets and proxies over TLS",
        arguments: refusals, ["https", "wss", "proxy"])
    func refused(_ example: Case, scheme: String) async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url(example.port, host: example.host)
        let error: TransportError?
        switch scheme {
        case "wss":
            var configuration = APIClient.Configuration()
            configuration.tls.trust = .only([witness.file("root.pem")])
            var request = TransportRequest(
                head: .init(
                    method: .get, scheme: "wss", authority: String(url.dropFirst("https://".count).dropLast()),
                    path: "/"))
            request.options.tls = configuration.tls
            request.options.timeouts.connect = .seconds(60)
            request.options.timeouts.tls = .seconds(60)
            let opened = request
            error = await #expect(throws: TransportError.self) {
                try await Self.transport.open(opened, options: WebSocketChannelOptions())
            }
        case "proxy":
            let client = Self.client(witness) { $0.route.proxy = .url(String(url.dropLast())) }
            error = await client.transportError("http://bird.birds.test/")
        default: error = await Self.client(witness).transportError(url)
        }
        #expect(error?.tlsFailure == example.reason, "\(String(describing: error))")
        #expect(error?.phase == .tls)
        #expect(error?.requestMayHaveBeenSent == false)
    }

    @Test("A proxy's certificate is verified by the same rules", arguments: ["wildcard", "underscore"])
    func proxy(port: String) async throws {
        let witness = try await TLSWitness.ask()
        let proxy = try witness.url(port, host: "my_api.birds.test").dropLast()
        // The peer answers any request, as a proxy does for cleartext requests.
        let client = Self.client(witness) { $0.route.proxy = .url(String(proxy)) }
        let handshake: TLSWitness.Handshake = try await client.get("http://bird.birds.test/")
        #expect(handshake.sni == "my_api.birds.test")
    }

    @Test(
        "A client certificate is not sent to a server whose certificate is for another host",
        arguments: ["client12wrong", "client13wrong"])
    func identity(port: String) async throws {
        let witness = try await TLSWitness.ask()
        let client = Self.client(witness) { $0.tls.identity = witness.identity }
        #expect(try await client.transportError(witness.url(port))?.tlsFailure == .wrongHost)
        // The server would have completed its handshake if it had received a certificate.
        try await eventually { try await (TLSWitness.ask().failed[port] ?? 0) > 0 }
        #expect(try await TLSWitness.ask().completed[port] == 0)
    }

    @Test("A certificate without subject alternative names is refused with a hint")
    func commonName() async throws {
        let witness = try await TLSWitness.ask()
        let url = try witness.url("commonname", host: "bird.birds.test")
        let error = try #require(await Self.client(witness).transportError(url))
        #expect(
            error.message
                == "the server's certificate is not for bird.birds.test: it has no subject alternative names, and its "
                + "common name does not count")
    }
}
