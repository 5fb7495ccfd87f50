// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("ExchangeTimings: phases", .timeLimit(.minutes(5)))
struct TimingTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Returns the timings of an exchange whose body is read to its end.
    private static func timings(
        _ transport: NIOTransport, _ request: TransportRequest
    ) async throws -> ExchangeTimings {
        let response = try await transport.send(request)
        _ = try await response.body.collect(upTo: 1_000_000)
        return try #require(response.finalTimings)
    }

    /// Returns the sum of the consecutive phases.
    private static func sum(_ timings: ExchangeTimings) throws -> Duration {
        let (queue, request) = (try #require(timings.queue), try #require(timings.request))
        let (firstByte, body) = (try #require(timings.firstByte), try #require(timings.body))
        return queue + (timings.connect ?? .zero) + (timings.tls ?? .zero) + request + firstByte + body
    }

    @Test(
        "The phases of a first request are consecutive and add up to the total",
        arguments: [TransportOptions.Delivery.collected(upTo: 1_000_000), .streamed], [0, 300_000])
    func first(delivery: TransportOptions.Delivery, size: Int) async throws {
        let server = try await RawServer.answering(Self.ok)
        var configuration = NIOTransport.Configuration()
        configuration.resolver = DialTests.Names(four: .addresses(["127.0.0.1"]), six: .failure)
        let request = TransportRequest(
            head: HTTPRequest(
                method: .post, scheme: "http", authority: "bird.test:\(server.port)", path: "/"),
            body: .bytes(Data(count: size))
        ).with { $0.options.delivery = delivery }
        let timings = try await Self.timings(NIOTransport(configuration: configuration), request)
        let (dns, connect) = (try #require(timings.dns), try #require(timings.connect))
        #expect(dns <= connect)
        #expect(timings.tls == nil)
        #expect(!timings.isReusedConnection)
        #expect(try Self.sum(timings) == timings.total)
    }

    @Test("A queued request reports its queue time, and no connect time of another request's connection")
    func queued() async throws {
        let server = try await RawServer.answering(Self.ok)
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        let all = try await withThrowingTaskGroup(of: ExchangeTimings.self) { group in
            for _ in 0..<5 { group.addTask { try await Self.timings(transport, .get(server)) } }
            var all: [ExchangeTimings] = []
            for try await timings in group { all.append(timings) }
            return all
        }
        #expect(all.count { $0.connect != nil } == 1)
        for timings in all {
            #expect(timings.isReusedConnection == (timings.connect == nil))
            #expect(timings.dns == nil, "an IP address is not looked up")
            #expect(try Self.sum(timings) == timings.total)
        }
    }

    @Test("HTTP/2: only one of several requests reports the connect time of their shared connection")
    func http2() async throws {
        let transport = NIOTransport.patient()
        let request = try Peer.faultsInTheClear.request(.get, "/ok")
        let all = try await withThrowingTaskGroup(of: ExchangeTimings.self) { group in
            for _ in 0..<5 { group.addTask { try await Self.timings(transport, request) } }
            var all: [ExchangeTimings] = []
            for try await timings in group { all.append(timings) }
            return all
        }
        #expect(all.count { $0.connect != nil } == 1)
        for timings in all { #expect(try Self.sum(timings) == timings.total) }
    }

    /// Returns the timings of a request whose connection does not open, and the phase in which it failed.
    private static func failed(
        _ authority: String, scheme: String = "http", within limit: Duration = .seconds(60),
        _ names: DialTests.Names? = nil
    ) async throws -> (TransportError.Phase, ExchangeTimings) {
        var configuration = NIOTransport.Configuration()
        configuration.resolver = names
        let transport = NIOTransport(configuration: configuration)
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        ).with {
            // Preparing TLS is part of connecting, and may take a busy machine long.
            $0.options.timeouts.connect = scheme == "https" ? .seconds(3600) : limit
            $0.options.timeouts.tls = limit
        }
        let error = try #require(await failure { try await transport.send(request) })
        #expect(error.connection == nil)
        let timings = try #require(error.timings, "\(error)")
        #expect(timings.request == nil)
        #expect(timings.firstByte == nil)
        #expect(timings.sentBytes == 0)
        let sum = (timings.queue ?? .zero) + (timings.connect ?? .zero) + (timings.tls ?? .zero)
        #expect(sum == timings.total)
        return (error.phase, timings)
    }

    @Test("A failed connection reports the phase that took the time, and how long")
    func failures() async throws {
        try await UnreachablePort.with { unreachable in
            let (refusal, refused) = try await Self.failed("127.0.0.1:\(unreachable.port)")
            #expect(refusal == .connect)
            #expect(refused.dns == nil, "an IP address is not looked up")
            #expect(refused.connect != nil)
            #expect(refused.tls == nil)
        }
        for answer in [DialTests.Names.Answer.failure, .never] {
            let limit = Duration.milliseconds(200)
            let names = DialTests.Names(four: answer, six: answer)
            let (phase, unknown) = try await Self.failed("known.example", within: limit, names)
            #expect(phase == .connect)
            #expect(unknown.dns != nil)
            #expect(unknown.dns == unknown.connect)
            if case .never = answer { #expect(try #require(unknown.dns) >= limit) }
        }
        let silent = try await RawServer { _ in [] }
        let limit = Duration.seconds(2)
        let (phase, late) = try await Self.failed(silent.authority, scheme: "https", within: limit)
        #expect(phase == .tls)
        #expect(late.connect != nil)
        #expect(try #require(late.tls) >= limit)
    }
}
