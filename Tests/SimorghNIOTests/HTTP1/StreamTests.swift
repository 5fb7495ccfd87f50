// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import TestSupport
import Testing

@Suite("Bodies that stream", .timeLimit(.minutes(10)))
struct StreamTests {
    private static func streamed(_ server: RawServer) -> TransportRequest {
        .get(server).with { $0.options.delivery = .streamed }
    }

    /// The head of a body that is larger than what arrives.
    private static let endless = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhello"

    @Test("The head comes before the body, and the connection is kept when the body has ended")
    func reuse() async throws {
        let server = try await RawServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let transport = NIOTransport.patient()
        for _ in 0..<3 {
            let response = try await transport.send(Self.streamed(server))
            #expect(try await response.body.collect(upTo: 5) == Data("hello".utf8))
        }
        #expect(server.accepted == 1)
    }

    @Test("A body that nobody reads closes its exchange when it is let go")
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

    @Test("A cancelled task gets no chunk more, though some have come", arguments: [true, false])
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

    @Test("Leaving the loop closes the exchange at once, though the response is still held")
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
        await #expect(throws: ResponseBody.AlreadyConsumed.self) { for try await _ in response.body {} }
    }

    @Test("A reader that is cancelled hears so, and the exchange is closed")
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

    @Test("What came of a long body reaches a reader who waits, though no more comes until it has")
    func gathered() async throws {
        let (hello, count) = (Array("hello".utf8), 1000)
        let server = try await RawServer.answering(Self.endless)
        let response = try await NIOTransport().send(Self.streamed(server))
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data(hello))
        for _ in 0..<count {
            // Soon after the last time it was woken, on most turns: it is gathered, and then handed over by time.
            try await server.send(hello)
            #expect(try await iterator.next() == Data(hello))
        }
        // And what is left of it comes whole, through all of that.
        let rest = 1_000_000 - (count + 1) * hello.count
        try await server.send([UInt8](repeating: 7, count: rest))
        var left = rest
        while let chunk = try await iterator.next() { left -= chunk.count }
        #expect(left == 0)
    }

    @Test("A connection carries short bodies after a long one, of which it reads more at once")
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

    @Test("More of a long body is read at once, and of a shorter one after it no more than ever")
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
            // NIO by itself reads at most so much at once, and a chunk is of one read.
            #expect((largest > 64 * 1024) == isLong, "\(largest)")
        }
        #expect(server.accepted == 1)
    }

    @Test("What nobody takes stays at the server, but for a bounded part")
    func backPressure() async throws {
        let size = 64_000_000
        let server = try await RawServer { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"), .bytes([UInt8](repeating: 7, count: size))]
        }
        let transport = NIOTransport()
        let response = try await transport.send(Self.streamed(server))
        var iterator = response.body.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        // The server pushes as hard as it can until another exchange has run into its time limit.
        let silent = try await RawServer { _ in [] }
        let clock = await failure {
            try await transport.send(.get(silent).with { $0.options.timeouts.head = .milliseconds(300) })
        }
        #expect(clock?.phase == .head)
        // The two sockets' own buffers take their share, some megabytes each.
        #expect(try await server.unsent() > size / 2)
        while let chunk = try await iterator.next() { count += chunk.count }
        #expect(count == size)
    }
}
