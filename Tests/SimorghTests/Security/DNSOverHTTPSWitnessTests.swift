// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghNIO
import TestSupport
import Testing

/// The resolver against dnsdist, which asks Tests/Peers/dns.py.
@Suite("DNS over HTTPS with dnsdist", .timeLimit(.minutes(5)))
struct DNSOverHTTPSWitnessTests {
    private static func resolver(
        _ change: (inout DNSOverHTTPSResolver.Options) -> Void = { _ in }
    ) async throws -> DNSOverHTTPSResolver {
        let witness = try await TLSWitness.ask()
        var options = DNSOverHTTPSResolver.Options()
        options.tls.trust = .only([witness.file("root.pem")])
        change(&options)
        return try DNSOverHTTPSResolver(
            url: try Witness.dnsOverHTTPS.url, transport: NIOTransport(), options: options)
    }

    @Test("Names are resolved with both methods", arguments: DNSOverHTTPSResolver.Method.allCases)
    func names(method: DNSOverHTTPSResolver.Method) async throws {
        let resolver = try await Self.resolver { $0.method = method }
        let expected: [(String, AddressFamily, [String])] = [
            ("birds.test", .ipv4, ["127.0.0.1"]), ("birds.test", .ipv6, []), ("six.birds.test", .ipv6, ["2001:db8::1"]),
            ("six.birds.test", .ipv4, []), ("alias.birds.test", .ipv4, ["127.0.0.1"]), ("alias.birds.test", .ipv6, []),
            ("many.birds.test", .ipv4, (0..<200).map { "192.0.2.\($0)" }), ("BIRDS.test.", .ipv4, ["127.0.0.1"]),
        ]
        for (host, family, addresses) in expected {
            #expect(try await resolver.addresses(of: host, family: family).sorted() == addresses.sorted(), "\(host)")
        }
    }

    @Test(
        "Failures are typed errors",
        arguments: [
            ("nowhere.birds.test", DNSOverHTTPSError.Reason.nonexistentName, 3),
            ("broken.birds.test", .serverFailure, 2),
            ("refused.birds.test", .serverFailure, 5), ("truncated.birds.test", .truncated, nil),
            ("loop.birds.test", .invalidAnswer, nil), ("slow.birds.test", .unreachable, nil),
        ] as [(String, DNSOverHTTPSError.Reason, Int?)])
    func failures(host: String, reason: DNSOverHTTPSError.Reason, code: Int?) async throws {
        let resolver = try await Self.resolver { if reason == .unreachable { $0.timeout = .milliseconds(300) } }
        let error = await #expect(throws: DNSOverHTTPSError.self) {
            try await resolver.addresses(of: host, family: .ipv4)
        }
        #expect(error?.reason == reason && error?.responseCode == code, "\(String(describing: error))")
    }

    @Test("The engine connects to the addresses of the resolver, and its error names the failure")
    func engine() async throws {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = try await Self.resolver()
        let client = APIClient(transport: NIOTransport(configuration: configuration))
        let nginx = try #require(try Witness.nginx.url.split(separator: ":").last)
        for host in ["birds.test", "alias.birds.test"] {
            #expect(try await client.text("http://\(host):\(nginx)/seen").contains("\(host):\(nginx)"))
        }
        let missing = try #require(await client.transportError("http://nowhere.birds.test:\(nginx)/"))
        #expect(missing.code == .cannotFindHost && missing.message.contains("the name does not exist"), "\(missing)")
        let broken = try #require(await client.transportError("http://broken.birds.test:\(nginx)/"))
        #expect(broken.message.contains("SERVFAIL"), "\(broken)")
    }

    @Test("A server with an untrusted certificate resolves nothing, and the fallback does only if there is one")
    func untrusted() async throws {
        let resolver = try await Self.resolver { $0.tls = TLSOptions() }
        let error = await #expect(throws: DNSOverHTTPSError.self) {
            try await resolver.addresses(of: "birds.test", family: .ipv4)
        }
        #expect(error?.reason == .unreachable)
        let trusted = try await Self.resolver()
        let fallback = try await Self.resolver {
            $0.tls = TLSOptions()
            $0.fallback = trusted
        }
        #expect(try await fallback.addresses(of: "birds.test", family: .ipv4) == ["127.0.0.1"])
    }
}
