// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if TestCertificates
import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghRealtime
import SimorghTesting
import Testing

/// The names of a certificate with each protocol of the engine, against a server in this process.
@Suite("TLS: certificate host names with each protocol", .timeLimit(.minutes(5)))
struct CertificateNameTests {
    enum Path: String, CaseIterable, Sendable { case http1, http2, webSocket }

    /// A resolver that resolves every name to this machine.
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

    /// Sends a request for a host to a server over one of the protocols.
    ///
    /// - Returns: The error, if there is one.
    private static func ask(
        _ host: String, _ path: Path, certificate: TestCertificate, authorityPEM: String? = nil
    ) async throws -> TransportError? {
        var configuration = MockServer.Configuration()
        configuration.tls = MockServer.TLS(certificate)
        configuration.protocols = path == .http2 ? [.http2] : [.http1]
        return try await MockServer.with(configuration) { server in
            server.on(.get, path: "/", response: path == .webSocket ? .webSocket { _ in } : .text("hello"))
            var request = TransportRequest(
                head: HTTPRequest(
                    method: .get, scheme: path == .webSocket ? "wss" : "https", authority: "\(host):\(server.port)",
                    path: "/"))
            request.options.tls.trust = .only([.text(authorityPEM ?? certificate.authorityPEM)])
            request.options.timeouts.connect = .seconds(60)
            request.options.timeouts.tls = .seconds(60)
            do throws(TransportError) {
                guard path == .webSocket else {
                    let response = try await transport.send(request)
                    #expect(response.connection?.applicationProtocol == (path == .http2 ? "h2" : "http/1.1"))
                    return nil
                }
                guard
                    case .opened(let webSocket) = try await transport.open(request, options: WebSocketChannelOptions())
                else {
                    Issue.record("the server refused the WebSocket")
                    return nil
                }
                _ = await webSocket.close()
                return nil
            } catch {
                // Nothing has reached the server but its own handshake.
                #expect(server.requests.isEmpty)
                return error
            }
        }
    }

    @Test(
        "A certificate for the host is accepted: underscore, A-label behind a wildcard, IP address",
        arguments: Path.allCases,
        [
            ("my_api.birds.test", "*.birds.test"), ("my_api.birds.test", "my_api.birds.test"),
            ("xn--bcher-kva.birds.test", "*.birds.test"), ("Birds.TEST.", "birds.test"), ("127.0.0.1", "127.0.0.1"),
        ])
    func accepted(path: Path, pair: (host: String, name: String)) async throws {
        let certificate = try TestAuthority().certificate(for: [pair.name])
        let error = try await Self.ask(pair.host, path, certificate: certificate)
        #expect(error == nil)
    }

    @Test(
        "A certificate for another host is refused before a request is sent", arguments: Path.allCases,
        [
            ("bird.birds.test", "b*.birds.test"), ("a.b.birds.test", "*.birds.test"), ("birds.test", "*.birds.test"),
            ("birds.test", "*.test"), ("birds.test", "other.test"), ("my_api.birds.test", "my-api.birds.test"),
            ("127.0.0.1", "127.0.0.2"), ("127.0.0.1", "localhost"), ("localhost", "127.0.0.1"),
        ])
    func refused(path: Path, pair: (host: String, name: String)) async throws {
        let certificate = try TestAuthority().certificate(for: [pair.name])
        let error = try #require(await Self.ask(pair.host, path, certificate: certificate))
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.tlsFailure == .wrongHost)
        #expect(error.phase == .tls)
        #expect(!error.requestMayHaveBeenSent)
        #expect(error.message.contains("is not for"))
    }

    @Test(
        "A correct name does not excuse an invalid certificate chain", arguments: Path.allCases,
        ["expired", "unknown", "self-signed", "client"])
    func chains(path: Path, fault: String) async throws {
        let authority = try TestAuthority()
        let host = "my_api.birds.test"
        let (certificate, reason): (TestCertificate, TLSError.Reason) =
            switch fault {
            case "expired": (try authority.certificate(for: [host], validFor: -10 ... -1), .expired)
            case "unknown": (try TestAuthority().certificate(for: [host]), .unknownIssuer)
            case "self-signed": (try .selfSigned(for: [host]), .selfSigned)
            default: (try authority.certificate(for: [host], isForClient: true), .wrongUsage)
            }
        let error = try #require(
            await Self.ask(host, path, certificate: certificate, authorityPEM: authority.certificatePEM))
        #expect(error.tlsFailure == reason, "\(error)")
        #expect(!error.requestMayHaveBeenSent)
    }
}
#endif
