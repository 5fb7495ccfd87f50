// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import SimorghCore
import SimorghNIO
import Synchronization
import TestSupport
import Testing

@Suite("withEventLoop and event loop task executors", .timeLimit(.minutes(10)))
struct EventLoopTests {
    /// A server that answers with the path of the request.
    private static func echo() async throws -> RawServer {
        try await RawServer { request in
            let path = String(request.text.split(separator: " ")[1])
            return [.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")]
        }
    }

    private static func get(_ transport: NIOTransport, _ server: RawServer, _ path: String) async throws -> String {
        let response = try await transport.send(.get(server, path))
        return String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
    }

    private struct Fault: Error, Equatable {}

    private final class Progress: Sendable {
        let isDone = Mutex(false)
    }

    /// The event loop of the current thread.
    private static var here: ObjectIdentifier? {
        MultiThreadedEventLoopGroup.currentEventLoop.map { ObjectIdentifier($0) }
    }

    @Test("A task whose event loop is shut down continues on another executor, and so does a task started later")
    func ended() async throws {
        let (transport, group) = NIOTransport.onLoops(1)
        let executor = transport.nextTaskExecutor()
        let (signal, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task(executorPreference: executor) {
            let before = Self.here
            for await _ in signal {}
            return [before != nil, Self.here == nil]
        }
        // All work submitted to the loop so far runs before it ends.
        try await group.shutdownGracefully()
        continuation.finish()
        #expect(await task.value == [true, true])
        #expect(await Task(executorPreference: executor) { Self.here == nil }.value)
        withExtendedLifetime(transport) {}
    }

    @Test("A task on a loop that was shut down before its first task runs on another executor")
    func endedBefore() async throws {
        let (transport, group) = NIOTransport.onLoops(1)
        try await group.shutdownGracefully()
        #expect(await Task(executorPreference: transport.nextTaskExecutor()) { Self.here == nil }.value)
        withExtendedLifetime(transport) {}
    }

    @Test("The closure, its awaits and its child tasks run on one event loop of the transport's group")
    func whichThread() async throws {
        let server = try await Self.echo()
        let (transport, group) = NIOTransport.onLoops(3)
        let own = Set(group.makeIterator().map { ObjectIdentifier($0) })
        #expect(Self.here == nil)
        let seen = try await transport.withEventLoop {
            var seen = [Self.here]
            _ = try await Self.get(transport, server, "/1")
            seen.append(Self.here)
            async let child = {
                _ = try await Self.get(transport, server, "/2")
                return Self.here
            }()
            seen.append(try await child)
            return seen
        }
        #expect(Set(seen).count == 1)
        #expect(seen.allSatisfy { $0.map(own.contains) ?? false })
        #expect(Self.here == nil)
        try await group.shutdownGracefully()
    }

    @Test("Connections are opened on the calling event loop, and the next call there reuses them", arguments: 1...4)
    func affinity(calls: Int) async throws {
        let server = try await Self.echo()
        let (transport, group) = NIOTransport.onLoops(4)
        let executor = transport.nextTaskExecutor()
        for round in 0..<4 {
            try await withTaskExecutorPreference(executor) {
                try await withThrowingTaskGroup(of: String.self) { tasks in
                    for call in 0..<calls { tasks.addTask { try await Self.get(transport, server, "/\(call)") } }
                    for try await _ in tasks {}
                }
                let eventLoopIndex = try #require(transport.currentEventLoopIndex)
                let statistics = transport.statistics
                #expect(transport.idleConnections(onEventLoop: eventLoopIndex) == statistics.idle, "round \(round)")
            }
        }
        #expect(transport.statistics.dialed <= calls)
        try await group.shutdownGracefully()
    }

    @Test("A connection of another event loop carries requests as well")
    func foreign() async throws {
        let server = try await Self.echo()
        let (transport, group) = NIOTransport.onLoops(2)
        let first = transport.nextTaskExecutor()
        let second = transport.nextTaskExecutor()
        for executor in [first, second, first] {
            let answers = try await withTaskExecutorPreference(executor) {
                var answers: [String] = []
                for number in 0..<10 { answers.append(try await Self.get(transport, server, "/\(number)")) }
                return answers
            }
            #expect(answers == (0..<10).map { "/\($0)" })
        }
        #expect(transport.statistics.dialed == 1)
        #expect(transport.statistics.reused == 29)
        try await group.shutdownGracefully()
    }

    @Test("1,000 concurrent calls on one event loop each receive their own response", arguments: [1, 2])
    func many(loops: Int) async throws {
        let server = try await Self.echo()
        let (transport, group) = NIOTransport.onLoops(loops)
        let right = try await transport.withEventLoop {
            try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for number in 0..<1_000 {
                    tasks.addTask { try await Self.get(transport, server, "/\(number)") == "/\(number)" }
                }
                return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(right == 1_000)
        let statistics = transport.statistics
        #expect(statistics.leased == 0)
        #expect(statistics.waiting == 0)
        #expect(statistics.open <= 64)
        try await group.shutdownGracefully()
    }

    @Test("Streamed responses and uploads work on an event loop")
    func streams() async throws {
        let server = try await RawServer.answering(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
        let (transport, group) = NIOTransport.onLoops(2)
        let text = try await transport.withEventLoop {
            var request = TransportRequest.to(server, .post)
            request.options.delivery = .streamed
            request.body = .stream {
                AsyncThrowingStream { stream in
                    for _ in 0..<3 { stream.yield(Data("abc".utf8)) }
                    stream.finish()
                }
            }
            var text = ""
            for try await chunk in try await transport.send(request).body {
                text += String(decoding: chunk, as: UTF8.self)
            }
            return text
        }
        #expect(text == "hello")
        #expect(server.requests.first?.text.contains("abc") == true)
        try await group.shutdownGracefully()
    }

    @Test("A call cancelled on an event loop ends and closes its connection")
    func cancellation() async throws {
        let server = try await RawServer { _ in [] }
        let (transport, group) = NIOTransport.onLoops(1)
        let task = Task {
            await failure { try await transport.withEventLoop { try await Self.get(transport, server, "/") } }
        }
        try await eventually { server.requests.count == 1 }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        try await eventually { transport.statistics.open == 0 && server.open == 0 }
        #expect(transport.statistics.open == 0)
        try await group.shutdownGracefully()
    }

    @Test("A task that polls in a yield loop does not block the response")
    func impatience() async throws {
        let server = try await Self.echo()
        let (transport, group) = NIOTransport.onLoops(1)
        let progress = Progress()
        let answer = try await transport.withEventLoop {
            async let answer = {
                defer { progress.isDone.withLock { $0 = true } }
                return try await Self.get(transport, server, "/x")
            }()
            while !progress.isDone.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            return try await answer
        }
        #expect(answer == "/x")
        try await group.shutdownGracefully()
    }

    @Test("withEventLoop rethrows the error unchanged")
    func errors() async {
        let (transport, group) = NIOTransport.onLoops(1)
        await #expect(throws: Fault()) { try await transport.withEventLoop { throw Fault() } }
        try? await group.shutdownGracefully()
    }
}
