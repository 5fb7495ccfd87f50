// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

/// Absurd limits lead to a response or a typed error, never to a crash.
@Suite("Extreme limits", .timeLimit(.minutes(5)))
struct ExtremeLimitsTests {
    private static let extremes = [Int.min, -1, 0, 1, .max]
    private static let answer =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"

    @Test("headBytes, headerFields and the decompression limits", arguments: extremes, [true, false])
    func headBytes(_ limit: Int, isHTTP2: Bool) async throws {
        let server = try await RawServer.answering(Self.answer)
        var request = isHTTP2 ? try Peer.faultsInTheClear.request(.get, "/ok") : .get(server)
        request.options.limits.headBytes = limit
        request.options.limits.headerFields = limit
        request.options.limits.decompressionRatio = limit
        request.options.limits.decompressionFloor = limit
        if limit == .max {
            let response = try await NIOTransport().send(request)
            #expect(response.head.status == .ok)
        } else {
            let error = await failure { try await NIOTransport().send(request) }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test("The limit of a collected body", arguments: extremes, [true, false])
    func collected(_ limit: Int, isHTTP2: Bool) async throws {
        let server = try await RawServer.answering(Self.answer)
        var request = isHTTP2 ? try Peer.faultsInTheClear.request(.get, "/ok") : .get(server)
        request.options.delivery = .collected(upTo: limit)
        if limit == .max {
            let response = try await NIOTransport().send(request)
            #expect(response.text == (isHTTP2 ? "ok" : "hello"))
        } else {
            let error = await failure { try await NIOTransport().send(request) }
            #expect(error?.code == .dataLengthExceedsMaximum)
        }
    }

    @Test(
        "idle, head and total timeouts",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max), .seconds(Int64.min)], [true, false])
    func idle(_ limit: Duration, isHTTP2: Bool) async throws {
        let server = try await RawServer.answering(Self.answer)
        var request = isHTTP2 ? try Peer.faultsInTheClear.request(.get, "/ok") : .get(server)
        request.options.timeouts.idle = limit
        request.options.timeouts.head = limit
        request.options.timeouts.total = limit
        if limit > .zero {
            let response = try await NIOTransport().send(request)
            #expect(response.head.status == .ok)
        } else {
            let error = await failure { try await NIOTransport().send(request) }
            #expect(error?.code == .timedOut)
        }
    }

    @Test(
        "idleTimeout of zero, below zero, and for ever",
        arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func idleConnections(_ limit: Duration) async throws {
        let server = try await RawServer.answering(Self.answer)
        var configuration = NIOTransport.Configuration()
        configuration.idleTimeout = limit
        let transport = NIOTransport(configuration: configuration)
        for _ in 0..<3 {
            let response = try await transport.send(.get(server))
            #expect(response.text == "hello")
        }
    }

    @Test("CollectedBody clamps its bound to the capacity of a ByteBuffer")
    func bound() {
        #expect(CollectedBody.effectiveLimit(.max) < Int(UInt32.max) - 1_000_000)
        #expect(CollectedBody.effectiveLimit(5) == 5)
        #expect(CollectedBody.effectiveLimit(.min) == 0)
        var body = CollectedBody()
        let part = ByteBuffer(string: "hello")
        let taken = [body.append(part, upTo: 10), body.append(part, upTo: 10)]
        #expect(taken == [true, true])
        #expect(body.data == Data("hellohello".utf8))
        let isTaken = body.append(part, upTo: 10)
        #expect(!isTaken)
    }
}
