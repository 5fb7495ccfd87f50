// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghTesting
import TestSupport
import Testing

@Suite("DNSOverHTTPSResolver", .timeLimit(.minutes(5)))
struct DNSOverHTTPSResolverTests {
    private static let url = "https://dns.example/dns-query"

    /// Returns the query of a request.
    private static func query(_ request: RecordedRequest) -> [UInt8] {
        guard request.head.method == .get else { return Array(request.body) }
        let text = (request.head.path ?? "").split(separator: "=").last.map(String.init) ?? ""
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return Array(Data(base64Encoded: padded) ?? Data())
    }

    /// Returns a response with one address for the name of the query.
    private static func answer(_ request: RecordedRequest, code: UInt8 = 0, ttl: UInt8 = 100, age: Int? = nil)
        -> StubResponse
    {
        let query = query(request)
        guard query.count > 16 else { return .status(.badRequest) }
        let isIPv6 = query[query.count - 3] == 28
        let address: [UInt8] =
            isIPv6 ? [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] : [192, 0, 2, 1]
        let head: [UInt8] = [0, 0, 0x81, 0x80 | code, 0, 1, 0, code == 0 ? 1 : 0, 0, 0, 0, 0]
        let record: [UInt8] = [0xC0, 12, 0, isIPv6 ? 28 : 1, 0, 1, 0, 0, 0, ttl, 0, UInt8(address.count)] + address
        var response = StubResponse.bytes(
            Data(head + query[12...] + (code == 0 ? record : [])), contentType: "application/dns-message")
        if let age { response.headerFields[.age] = "\(age)" }
        return response
    }

    /// Returns a server that answers as soon as the gate is open.
    private static func server(heldBy gate: Gate) -> StubServer {
        StubServer { answer($0).held(by: gate) }
    }

    private static func resolver(
        _ server: StubServer, _ change: (inout DNSOverHTTPSResolver.Options) -> Void = { _ in }
    ) throws -> DNSOverHTTPSResolver {
        var options = DNSOverHTTPSResolver.Options()
        change(&options)
        return try DNSOverHTTPSResolver(url: url, transport: server, options: options)
    }

    private struct Fallback: HostResolver {
        let asked = LockedValue([String]())

        func addresses(of host: String, family: AddressFamily) async throws -> [String] {
            asked.change { $0.append(host) }
            return ["198.51.100.1"]
        }
    }

    @Test(
        "Both methods send the query of RFC 8484, and no more than needed",
        arguments: DNSOverHTTPSResolver.Method.allCases)
    func methods(method: DNSOverHTTPSResolver.Method) async throws {
        let server = StubServer { Self.answer($0) }
        let resolver = try Self.resolver(server) { $0.method = method }
        #expect(try await resolver.addresses(of: "www.example.com", family: .ipv4) == ["192.0.2.1"])
        #expect(try await resolver.addresses(of: "www.example.com", family: .ipv6) == ["2001:db8::1"])
        let request = try #require(server.requests.first)
        #expect(request.head.headerFields[.accept] == "application/dns-message")
        #expect(request.head.headerFields[.userAgent] == nil && request.head.headerFields[.cookie] == nil)
        switch method {
        case .get: #expect(request.head.path == "/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB")
        case .post:
            #expect(request.head.path == "/dns-query")
            #expect(request.head.headerFields[.contentType] == "application/dns-message")
        }
    }

    @Test(
        "A URL without https, and bootstrap addresses that are none, are refused",
        arguments: ["http://dns.example/", "dns.example", "https://", "https://user@dns.example/"])
    func urls(url: String) throws {
        let server = StubServer { Self.answer($0) }
        #expect(throws: InvalidRequestError.self) { try DNSOverHTTPSResolver(url: url, transport: server) }
        #expect(throws: InvalidRequestError.self) { try Self.resolver(server) { $0.bootstrap = ["dns.example"] } }
        _ = try DNSOverHTTPSResolver(url: Self.url + "{?dns}", transport: server)
    }

    @Test("Answers are kept for their time to live, less the age in HTTP caches, and their number is bounded")
    func cache() async throws {
        let clock = TestClock()
        let server = StubServer { Self.answer($0, age: 40) }
        let resolver = try Self.resolver(server) {
            $0.time = clock.timeSource
            $0.maximumCachedAnswers = 2
        }
        func ask(_ host: String) async throws { _ = try await resolver.addresses(of: host, family: .ipv4) }
        try await ask("a.example")
        try await ask("A.EXAMPLE.")
        #expect(server.requestCount == 1)
        clock.advance(by: .seconds(59))
        try await ask("a.example")
        #expect(server.requestCount == 1)
        clock.advance(by: .seconds(1))
        try await ask("a.example")
        #expect(server.requestCount == 2)
        for host in ["b.example", "c.example", "a.example"] {
            clock.advance(by: .seconds(1))
            try await ask(host)
        }
        #expect(server.requestCount == 5)
    }

    @Test("Names of this machine, addresses and local names are never sent to the server")
    func special() async throws {
        let server = StubServer { Self.answer($0) }
        let resolver = try Self.resolver(server)
        #expect(try await resolver.addresses(of: "localhost", family: .ipv4) == ["127.0.0.1"])
        #expect(try await resolver.addresses(of: "a.LOCALHOST.", family: .ipv6) == ["::1"])
        #expect(try await resolver.addresses(of: "192.0.2.9", family: .ipv4) == ["192.0.2.9"])
        #expect(try await resolver.addresses(of: "192.0.2.9", family: .ipv6) == [])
        for (host, reason) in [
            ("printer.local", DNSOverHTTPSError.Reason.nonexistentName), ("dns.example", .ownName),
            ("DNS.example.", .ownName), ("a..b", .invalidName), (String(repeating: "a", count: 70), .invalidName),
        ] {
            let error = await #expect(throws: DNSOverHTTPSError.self) {
                try await resolver.addresses(of: host, family: .ipv4)
            }
            #expect(error?.reason == reason, "\(host)")
        }
        #expect(server.requestCount == 0)
    }

    @Test("The server's own name has the bootstrap addresses, which the queries use, too")
    func bootstrap() async throws {
        let server = StubServer { Self.answer($0) }
        let resolver = try Self.resolver(server) { $0.bootstrap = ["192.0.2.53", "2001:db8::53"] }
        #expect(try await resolver.addresses(of: "dns.example", family: .ipv4) == ["192.0.2.53"])
        #expect(try await resolver.addresses(of: "dns.example", family: .ipv6) == ["2001:db8::53"])
        _ = try await resolver.addresses(of: "a.example", family: .ipv4)
        let options = try #require(server.requests.first?.options)
        #expect(options.route.addresses == ["dns.example:443": ["192.0.2.53", "2001:db8::53"]])
    }

    @Test("The queries take the route of the options, with the bootstrap addresses")
    func route() async throws {
        let server = StubServer { Self.answer($0) }
        let resolver = try Self.resolver(server) {
            $0.route.proxy = .url("http://proxy.example:3128")
            $0.route.localAddress = "192.0.2.7"
            $0.route.addresses = ["other.example:443": ["192.0.2.8"]]
            $0.bootstrap = ["192.0.2.53"]
        }
        _ = try await resolver.addresses(of: "a.example", family: .ipv4)
        let route = try #require(server.requests.first?.options?.route)
        #expect(route.proxy == .url("http://proxy.example:3128") && route.localAddress == "192.0.2.7")
        #expect(route.addresses == ["other.example:443": ["192.0.2.8"], "dns.example:443": ["192.0.2.53"]])
    }

    enum Fault: String, CaseIterable {
        case status, redirect, mediaType, garbage, serverFailure, otherName, failure, tooLarge
    }

    @Test(
        "Every failure of the server is a typed error, and only then the fallback is asked", arguments: Fault.allCases)
    func faults(fault: Fault) async throws {
        let server = StubServer { request in
            var response = Self.answer(request)
            switch fault {
            case .status: return .status(.serviceUnavailable)
            case .redirect: return StubResponse(status: .found, headerFields: [.location: "https://evil.example/"])
            case .mediaType: response.headerFields[.contentType] = "text/html"
            case .garbage: return .bytes(Data("garbage".utf8), contentType: "application/dns-message")
            case .serverFailure: return Self.answer(request, code: 2)
            case .otherName:
                var bytes = Data(Self.query(request))
                bytes[2] = 0x81
                bytes[13] = UInt8(ascii: "x")
                return .bytes(bytes, contentType: "application/dns-message")
            case .failure: return .failure(TransportError(.cannotConnectToHost, phase: .connect, message: "refused"))
            case .tooLarge: return .bytes(Data(count: 70_000), contentType: "application/dns-message")
            }
            return response
        }
        let error = await #expect(throws: DNSOverHTTPSError.self) {
            try await Self.resolver(server).addresses(of: "a.example", family: .ipv4)
        }
        let reason: DNSOverHTTPSError.Reason =
            switch fault {
            case .status, .redirect, .failure, .tooLarge: .unreachable
            case .mediaType, .garbage, .otherName: .invalidAnswer
            case .serverFailure: .serverFailure
            }
        #expect(error?.reason == reason, "\(String(describing: error))")
        #expect((error?.underlying != nil) == (reason == .unreachable))
        #expect(error?.responseCode == (fault == .serverFailure ? 2 : nil))
        let fallback = Fallback()
        let resolver = try Self.resolver(server) { $0.fallback = fallback }
        #expect(try await resolver.addresses(of: "a.example", family: .ipv4) == ["198.51.100.1"])
        #expect(try await resolver.addresses(of: "printer.local", family: .ipv4) == ["198.51.100.1"])
        #expect(fallback.asked.value == ["a.example", "printer.local"])
    }

    @Test("A name that does not exist is final: the fallback is not asked")
    func nonexistent() async throws {
        let server = StubServer { Self.answer($0, code: 3) }
        let fallback = Fallback()
        let resolver = try Self.resolver(server) { $0.fallback = fallback }
        let error = await #expect(throws: DNSOverHTTPSError.self) {
            try await resolver.addresses(of: "a.example", family: .ipv4)
        }
        #expect(error?.reason == .nonexistentName && error?.responseCode == 3)
        #expect(fallback.asked.value.isEmpty)
    }

    @Test("Cancelling a lookup ends it with CancellationError, and does not ask the fallback")
    func cancellation() async throws {
        let gate = Gate()
        let server = Self.server(heldBy: gate)
        let fallback = Fallback()
        let resolver = try Self.resolver(server) { $0.fallback = fallback }
        let task = Task { try await resolver.addresses(of: "a.example", family: .ipv4) }
        _ = try await server.request(at: 0)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fallback.asked.value.isEmpty)
        gate.open()
    }

    @Test("Simultaneous lookups of a name with GET are one request")
    func coalescing() async throws {
        let gate = Gate()
        let server = Self.server(heldBy: gate)
        let resolver = try Self.resolver(server)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<10 { group.addTask { try await resolver.addresses(of: "a.example", family: .ipv4) } }
            _ = try await server.request(at: 0)
            gate.open()
            for try await addresses in group { #expect(addresses == ["192.0.2.1"]) }
        }
        #expect(server.requestCount == 1)
    }
}
