// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Streamed response bodies", .timeLimit(.minutes(10)))
struct StreamTests {
    private static func streamed(_ server: RawServer) -> TransportRequest {
        .get(server).with { $0.options.delivery = .streamed }
    }

    /// The head and the first bytes of a body that never becomes complete.
    private static let endless = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhello"

    @Test("The head is delivered before the body, and the connection is kept when the body has ended")
    func reuse() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let transport = NIOTransport.patient()
        for _ in 0..<3 {
            let response = try await transport.send(Self.streamed(server))
            #expect(try await response.body.collect(upTo: 5) == Data("hello".utf8))
        }
        #expect(server.accepted == 1)
    }

    @Test("Dropping an unread body closes its connection")
    func neverRead() async throws {
        let server = try await RawServer.answering(Self.endless)
        let transport = NIOTransport()
        do {
            let response = try await transport.send(Self.streamed(server))
            #expect(response.head.status == .ok)
            #expect(transport.statistics.leased == 1)
        }
        try await eventually { server.open == 0 }
        #expect(transport.statistics.open == 0)
    }

    @Test("A cancelled task receives no further chunk, even if some are buffered", arguments: [true, false])
    func cancelledWithChunks(compressed: Bool) async throws {
        let zeros = DecompressionTests.deflated([UInt8](repeating: 0, count: 900_000), windowBits: 31)
        let server = try await RawServer { _ in
            [
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\(compressed ? "Content-Encoding: gzip\r\n" : "")\r\n"
                ),
                .bytes(compressed ? zeros : [UInt8](repeating: 0, count: 900_000)),
            ]
        }
        let response = try await NIOTransport().send(Self.streamed(server))
        let task = Task { () -> (chunks: Int, error: TransportError?) in
            var chunks = 0
            do {
                for try await _ in response.body {
                    chunks += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return (chunks, nil)
            } catch {
                return (chunks, error as? TransportError)
            }
        }
        let (chunks, error) = await task.value
        #expect(chunks == 1)
        #expect(error?.code == .cancelled)
        try await eventually { server.open == 0 }
    }

    @Test("Leaving the loop closes the connection at once, even if the response is still retained")
    func left() async throws {
        let server = try await RawServer.answering(Self.endless)
        let transport = NIOTransport()
        let response = try await transport.send(Self.streamed(server))
        for try await chunk in response.body {
            #expect(chunk == Data("hello".utf8))
            break
        }
        try await eventually { server.open == 0 }
        #expect(response.head.status == .ok)
        await #expect(throws: ResponseBody.AlreadyConsumedError.self) { for try await _ in response.body {} }
    }

    @Test("Cancelling a reader throws .cancelled and closes the connection")
    func cancelled() async throws {
        let server = try await RawServer.answering(Self.endless)
        let transport = NIOTransport()
        let response = try await transport.send(Self.streamed(server))
        let reader = Task {
            await failure { for try await _ in response.body {} }
        }
        await Task.yield()
        reader.cancel()
        #expect(await reader.value?.code == .cancelled)
        try await eventually { server.open == 0 }
    }

    @Test("A waiting reader receives the buffered part of a body, even if no more arrives until then")
    func gathered() async throws {
        let (hello, count) = (Array("hello".utf8), 1000)
        let server = try await RawServer.answering(Self.endless)
        let response = try await NIOTransport().send(Self.streamed(server))
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data(hello))
        for _ in 0..<count {
            // Usually soon after the last wakeup, so the bytes are coalesced and delivered by the timer.
            try await server.send(hello)
            #expect(try await iterator.next() == Data(hello))
        }
        // The rest arrives complete as well.
        let rest = 1_000_000 - (count + 1) * hello.count
        try await server.send([UInt8](repeating: 7, count: rest))
        var left = rest
        while let chunk = try await iterator.next() { left -= chunk.count }
        #expect(left == 0)
    }

    @Test("A connection carries short bodies after a long one, for which its reads grew")
    func longAndShort() async throws {
        let long = 5_000_000
        let server = try await RawServer { request in
            let size = request.number.isMultiple(of: 2) ? long : 5
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .bytes((0..<size).map { UInt8(truncatingIfNeeded: $0 / 1000) }),
            ]
        }
        let transport = NIOTransport.patient()
        for number in 0..<6 {
            let response = try await transport.send(Self.streamed(server))
            var count = 0
            for try await chunk in response.body {
                #expect(chunk.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: (count + $0) / 1000) })
                count += chunk.count
            }
            #expect(count == (number.isMultiple(of: 2) ? long : 5))
        }
        #expect(server.accepted == 1)
    }

    @Test("Reads grow for a long body, and shrink again for a shorter one after it")
    func largeReads() async throws {
        let server = try await RawServer { request in
            let size = request.number.isMultiple(of: 2) ? 32_000_000 : 900_000
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .bytes([UInt8](repeating: 7, count: size)),
            ]
        }
        let transport = NIOTransport.patient()
        for isLong in [true, false, true, false] {
            let response = try await transport.send(Self.streamed(server))
            var largest = 0
            for try await chunk in response.body { largest = max(largest, chunk.count) }
            // By default NIO reads at most 64 KiB at once, and a chunk is the result of one read.
            #expect((largest > 64 * 1024) == isLong, "\(largest)")
        }
        #expect(server.accepted == 1)
    }

    @Test("Back-pressure: a body that is not read stays at the server, except for a bounded part")
    func backPressure() async throws {
        let size = 64_000_000
        let server = try await RawServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .bytes([UInt8](repeating: 7, count: size))]
        }
        let transport = NIOTransport()
        let response = try await transport.send(Self.streamed(server))
        var iterator = response.body.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        // The server sends as fast as it can until another exchange has timed out.
        let silent = try await RawServer { _ in [] }
        let clock = await failure {
            try await transport.send(.get(silent).with { $0.options.timeouts.head = .milliseconds(300) })
        }
        #expect(clock?.phase == .head)
        // The two socket buffers hold some megabytes each.
        #expect(try await server.unsent() > size / 2)
        while let chunk = try await iterator.next() { count += chunk.count }
        #expect(count == size)
    }
}
