// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghTesting
import TestSupport
import Testing

@Suite("Timeouts", .timeLimit(.minutes(10)))
struct TimeoutTests {
    typealias Limit = any WritableKeyPath<Timeouts, Duration?> & Sendable

    private static let short = Duration.milliseconds(30)

    /// A phase, the answer that stalls in it, and the timeout that ends it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var answer: [RawServer.Step] = []
        var isSecure = false
        var delivery = TransportOptions.Delivery.collected(upTo: 1_000_000)
        let phase: TransportError.Phase
        let limit: Limit
        var maySent = true
    }

    static let stalls = [
        Case(testDescription: "head", phase: .head, limit: \.head),
        Case(testDescription: "inside the head", answer: [.send("HTTP/1.1 200 OK\r\nA:")], phase: .head, limit: \.head),
        Case(
            testDescription: "body", answer: [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")],
            phase: .body,
            limit: \.idle),
        Case(testDescription: "total, at the head", phase: .total, limit: \.total),
        Case(
            testDescription: "total, in the body",
            answer: [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")],
            phase: .total, limit: \.total),
        Case(testDescription: "tls", isSecure: true, phase: .tls, limit: \.tls, maySent: false),
        Case(testDescription: "total, in tls", isSecure: true, phase: .total, limit: \.total),
    ]

    @Test("A stalled phase ends with timedOut, and the error names the phase and its limit", arguments: stalls)
    func stall(_ example: Case) async throws {
        let server = try await RawServer { _ in example.answer }
        let transport = NIOTransport()
        var request = TransportRequest.get(server)
        if example.isSecure { request.head.scheme = "https" }
        request.options.timeouts[keyPath: example.limit] = Self.short
        let error = try #require(await failure { try await transport.send(request) })
        #expect(error.code == .timedOut)
        #expect(error.phase == example.phase)
        #expect(error.limit == Self.short)
        // The total timeout may expire in any phase on a slow machine.
        if example.phase != .total { #expect(error.requestMayHaveBeenSent == example.maySent) }
        try await eventually { transport.statistics.leased == 0 }
    }

    @Test(
        "The idle and total timeouts of a streamed body are thrown to its reader",
        arguments: [
            (\Timeouts.idle as Limit, TransportError.Phase.body), (\.total, .total),
        ])
    func stream(_ limit: Limit, _ phase: TransportError.Phase) async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
        var request = TransportRequest.get(server)
        request.options.delivery = .streamed
        request.options.timeouts[keyPath: limit] = .seconds(1)
        let sent = request
        let error = await failure {
            let response = try await NIOTransport().send(sent)
            for try await _ in response.body {}
        }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == phase)
    }

    @Test("idle does not apply while the reader takes nothing from a streamed body")
    func notTaken() async throws {
        let bytes = 4_000_000
        let server = try await RawServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes)\r\n\r\n"), .bytes([UInt8](repeating: 7, count: bytes))]
        }
        var request = TransportRequest.get(server)
        request.options.delivery = .streamed
        request.options.timeouts.idle = .seconds(5)
        let response = try await NIOTransport().send(request)
        // Another exchange serves as the clock: it ends when its own timeout expires.
        let silent = try await RawServer { _ in [] }
        let clock = await failure {
            try await NIOTransport().send(.get(silent).with { $0.options.timeouts.head = .seconds(6) })
        }
        #expect(clock?.phase == .head)
        #expect(try await response.body.collect(upTo: bytes).count == bytes)
    }

    @Test(
        "The queue timeout applies while waiting for a connection, and so does the total one",
        arguments: [
            (\Timeouts.queue as Limit, TransportError.Phase.queue), (\.total, .total),
        ])
    func queue(_ limit: Limit, _ phase: TransportError.Phase) async throws {
        let server = try await RawServer { _ in [] }
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = NIOTransport(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = await failure { try await transport.send(.get(server)) } }
            try await eventually { server.requests.count == 1 }
            let error = await failure {
                try await transport.send(.get(server).with { $0.options.timeouts[keyPath: limit] = Self.short })
            }
            #expect(error?.code == .timedOut)
            #expect(error?.phase == phase)
            #expect(error?.requestMayHaveBeenSent == false)
            #expect(transport.statistics.waiting == 0)
            group.cancelAll()
        }
    }

    @Test("The connect timeout applies")
    func connect() async throws {
        try await UnreachablePort.with(.hangs) { unreachable in
            var request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(unreachable.port)", path: "/"))
            request.options.timeouts.connect = Self.short
            let error = await failure { try await NIOTransport().send(request) }
            #expect(error?.code == .timedOut)
            #expect(error?.phase == .connect)
            #expect(error?.limit == Self.short)
            #expect(error?.requestMayHaveBeenSent == false)
        }
    }

    @Test("Preparing the TLS context is bounded by the connect timeout, and its result serves the next request")
    func makingTLS() async throws {
        let server = try await RawServer { _ in [] }
        let transport = NIOTransport()
        let goOn = transport.holdTLS()
        var request = TransportRequest.get(server)
        request.head.scheme = "https"
        request.options.timeouts.connect = Self.short
        let held = request
        let error = await failure { try await transport.send(held) }
        goOn()
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .connect)
        #expect(error?.limit == Self.short)
        #expect(error?.requestMayHaveBeenSent == false)
        request.options.timeouts.connect = .seconds(3600)
        request.options.timeouts.tls = Self.short
        let other = request
        #expect(await failure { try await transport.send(other) }?.phase == .tls)
        try await eventually { server.accepted > 0 }
        #expect(server.accepted == 1, "no connection is opened for a request that has timed out")
    }

    @Test("maximumWaitingForTLS limits the waiting requests, and one more fails at once")
    func manyWaiters() async throws {
        try await UnreachablePort.with { unreachable in
            var configuration = NIOTransport.Configuration()
            configuration.maximumWaitingForTLS = 3
            let transport = NIOTransport(configuration: configuration)
            let goOn = transport.holdTLS()
            var request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "127.0.0.1:\(unreachable.port)", path: "/"))
            request.options.timeouts.connect = .seconds(3600)
            // HTTP/1.1 only, so that each request has its own connection.
            request.options.httpVersion = .http1Only
            let asked = request
            await withTaskGroup(of: TransportError.Code?.self) { group in
                for _ in 0..<5 { group.addTask { await failure { try await transport.send(asked) }?.code } }
                for _ in 0..<2 { #expect(await group.next() == .resourceUnavailable) }
                goOn()
                for await code in group { #expect(code == .cannotConnectToHost) }
            }
        }
    }

    @Test("A request that timed out waiting for a TLS context frees its slot")
    func formerWaiters() async throws {
        try await UnreachablePort.with { unreachable in
            var configuration = NIOTransport.Configuration()
            configuration.maximumWaitingForTLS = 1
            let transport = NIOTransport(configuration: configuration)
            let goOn = transport.holdTLS()
            for host in ["a.test", "a.test", "b.test", "c.test", "d.test", "e.test", "f.test", "g.test"] {
                var request = TransportRequest(
                    head: HTTPRequest(
                        method: .get, scheme: "https", authority: "127.0.0.1:\(unreachable.port)", path: "/"))
                request.options.timeouts.connect = .milliseconds(50)
                request.options.tls.serverName = host
                let asked = request
                #expect(await failure { try await transport.send(asked) }?.code == .timedOut)
            }
            #expect(transport.readyTLS.making == 4)
            #expect(transport.readyTLS.queued == 0, "no context is created later for requests that have timed out")
            goOn()
        }
    }

    @Test("At most 4 TLS contexts are created at a time, and at most 128 are kept")
    func manyWays() async throws {
        let ways = 150
        try await UnreachablePort.with { unreachable in
            let transport = NIOTransport()
            let goOn = transport.holdTLS()
            try await withThrowingTaskGroup(of: TransportError.Code?.self) { group in
                for number in 0..<ways {
                    var request = TransportRequest(
                        head: HTTPRequest(
                            method: .get, scheme: "https", authority: "127.0.0.1:\(unreachable.port)", path: "/"))
                    request.options.timeouts.connect = .seconds(3600)
                    request.options.tls.serverName = "host\(number).test"
                    let asked = request
                    group.addTask { await failure { try await transport.send(asked) }?.code }
                }
                try await eventually { transport.readyTLS.making + transport.readyTLS.queued == ways }
                #expect(transport.readyTLS.making == 4)
                goOn()
                for try await code in group { #expect(code == .cannotConnectToHost) }
            }
            let ready = transport.readyTLS
            #expect(ready.cached == 128)
            #expect(ready.making == 0)
            #expect(ready.queued == 0)
        }
    }

    @Test(
        "A timeout of zero or less expires at once",
        arguments: [
            Duration.zero, .seconds(-1), .nanoseconds(-1), .seconds(Int64.min),
        ],
        [
            \Timeouts.total as Limit, \.head, \.idle, \.connect,
        ])
    func none(_ time: Duration, _ limit: Limit) async throws {
        let server = try await RawServer { _ in [] }
        let error = await failure {
            try await NIOTransport().send(.get(server).with { $0.options.timeouts[keyPath: limit] = time })
        }
        #expect(error?.code == .timedOut)
        #expect(error?.limit == time)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "The longest timeouts do not overflow",
        arguments: [Duration.seconds(Int64.max), .seconds(1_000_000_000_000)])
    func endless(_ time: Duration) async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        var request = TransportRequest.get(server)
        let limits = [\Timeouts.queue, \.connect, \.tls, \.head, \.idle, \.total]
        for limit in limits { request.options.timeouts[keyPath: limit] = time }
        #expect(try await NIOTransport().send(request).head.status == .ok)
        for limit in limits { request.options.timeouts[keyPath: limit] = nil }
        #expect(try await NIOTransport().send(request).head.status == .ok)
    }
}
