// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("NIOTransport: stress", .timeLimit(.minutes(10)))
struct StressTests {
    /// The results of requests, and the number of requests left.
    private struct Tally: Sendable {
        var left = 10_000
        var good = 0
        var failed = 0
        var cancelled = 0
    }

    /// The state shared by the workers.
    private final class Score: Sendable {
        let tally = Mutex(Tally())
        let dice = Mutex(SeededNumbers(42))

        /// Takes a request, and returns false if none is left.
        func takesOne() -> Bool {
            tally.withLock { tally in
                guard tally.left > 0 else { return false }
                tally.left -= 1
                return true
            }
        }

        func count(_ outcome: TransportError.Code?) {
            tally.withLock { tally in
                switch outcome {
                case .none: tally.good += 1
                case .some(.cancelled): tally.cancelled += 1
                case .some: tally.failed += 1
                }
            }
        }
    }

    @Test("10,000 requests, 256 at a time, with random faults and cancellations leave no connection or waiter behind")
    func storm() async throws {
        let score = Score()
        let server = try await RawServer { _ in
            Self.answer(score.dice.withLock { UInt8.random(in: 0..<100, using: &$0) })
        }
        let port = server.port
        var configuration = NIOTransport.Configuration()
        configuration.maximumConnectionsPerHost = 48
        let transport = NIOTransport(configuration: configuration)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<256 as Range<UInt64> {
                group.addTask {
                    var random = SeededNumbers(worker)
                    while score.takesOne() { score.count(await Self.one(transport, server, &random)) }
                }
            }
        }
        let end = score.tally.withLock { $0 }
        #expect(end.good + end.failed + end.cancelled == 10_000)
        // The number of requests within their timeouts depends on the machine.
        #expect(end.good > 500)
        #expect(end.failed > 1_000)
        #expect(end.cancelled > 200)
        try await eventually { transport.statistics.leased == 0 && transport.statistics.waiting == 0 }
        let statistics = transport.statistics
        #expect(statistics.open == statistics.idle)
        #expect(statistics.open <= 48)
        try await eventually { server.open == transport.statistics.open }
        // The kernel closes a socket shortly after it was counted as closed.
        try await eventually { ((try? Sockets.open(port)) ?? .max) <= 2 * transport.statistics.open + 1 }
    }

    /// Sends one request, streamed or collected, with or without a body, and sometimes cancels it.
    private static func one(
        _ transport: NIOTransport, _ server: RawServer, _ random: inout SeededNumbers
    ) async -> TransportError.Code? {
        var request = TransportRequest.get(server)
        request.options.timeouts.head = .milliseconds(200)
        request.options.timeouts.idle = .milliseconds(200)
        request.options.delivery = Bool.random(using: &random) ? .streamed : .collected(upTo: 100_000)
        if Int.random(in: 0..<4, using: &random) == 0 {
            request.head.method = .post
            request.body = .stream {
                AsyncThrowingStream { stream in
                    for _ in 0..<3 { stream.yield(Data(count: 100)) }
                    stream.finish()
                }
            }
        }
        let leavesEarly = Int.random(in: 0..<10, using: &random) == 0
        let sent = request
        let task = Task {
            await failure {
                let response = try await transport.send(sent)
                for try await _ in response.body where leavesEarly { break }
            }
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
            // Half of them at once: on a slow machine most of the others have ended before.
            let turns = Bool.random(using: &random) ? 0 : Int.random(in: 1..<200, using: &random)
            await yieldToOthers(turns: turns)
            task.cancel()
        }
        return await task.value?.code
    }

    /// Returns mostly a valid response, often one that goes wrong.
    private static func answer(_ dice: UInt8) -> [RawServer.Step] {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
        switch dice {
        case 0..<50: return [.send(head + "0123456789")]
        case 50..<60:
            return [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")]
        case 60..<65: return [.send(head + "0123456789"), .close]
        case 65..<70: return [.close]
        case 70..<74: return [.reset]
        case 74..<78: return [.send("HTTP/1.1 200 OK\r\nCont"), .close]
        case 78..<82: return [.send(head + "01234"), .close]
        case 82..<85: return [.send(head + "01234"), .reset]
        case 85..<88: return [.send("what?\r\n\r\n")]
        case 88..<91: return [.send(head + "0123456789garbage")]
        case 91..<93: return [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")]
        case 93..<95: return [.send("HTTP/1.1 200 OK\r\n\r\nuntil the end"), .close]
        case 95..<97: return [.send(head + "01234")]
        default: return []
        }
    }
}
