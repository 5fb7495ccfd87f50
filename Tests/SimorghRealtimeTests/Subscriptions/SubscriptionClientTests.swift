// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SubscriptionClientTests {
    private static func socket(
        _ server: ScriptedWebSocket, _ wire: PlainProtocol = PlainProtocol(), clock: TestClock = TestClock(),
        _ change: (inout SubscriptionOptions) -> Void = { _ in }
    ) -> SubscriptionClient<PlainProtocol> {
        let client = APIClient.scripted(server, baseURL: nil) {
            $0.time = clock.timeSource
            $0.random = RandomSource { 0.5 }
        }
        var options = SubscriptionOptions()
        change(&options)
        return client.subscriptions(over: wire, options: options)
    }

    private static func text(_ payload: SubscriptionPayload?) -> String? {
        payload.map { String(decoding: $0.message.bytes, as: UTF8.self) }
    }

    /// Sends welcome, and expects hello before it and the messages after it.
    private static func welcome(_ peer: ScriptedPeer, _ expected: [String]) async throws {
        #expect(try await peer.receiveText() == "hello")
        peer.send("welcome")
        for text in expected { #expect(try await peer.receiveText() == text) }
    }

    @Test("Subscriptions share a connection, which opens with the first and closes after the last")
    func shares() async throws {
        let server = ScriptedWebSocket()
        let socket = Self.socket(server)
        #expect(socket.state == .idle && server.requests.isEmpty)
        func listen(_ topic: String) -> (texts: Texts, task: Task<Void, any Error>) {
            let texts = Texts()
            return (texts, Task { for try await payload in socket.events(topic) { texts.add(Self.text(payload)) } })
        }
        let first = listen("a")
        let peer = try await server.peer(at: 0)
        try await Self.welcome(peer, ["sub 1 a"])
        peer.send("event 1 x")
        try await first.texts.wait()
        let second = listen("b")
        #expect(try await peer.receiveText() == "sub 2 b")
        peer.send("event 2 y")
        try await second.texts.wait()
        #expect(first.texts.all == ["x"] && second.texts.all == ["y"])
        first.task.cancel()
        #expect(try await peer.receiveText() == "bye 1")
        peer.send("gone 1")
        second.task.cancel()
        #expect(try await peer.receiveText() == "bye 2")
        peer.send("gone 2")
        #expect(try await peer.receiveText() == "farewell")
        #expect(try await peer.receiveText() == nil)
        #expect(server.requests.count == 1)
        await socket.disconnect()
        #expect(socket.state == .disconnected)
    }

    @Test("Completion by the server, an error, and a lost connection end a subscription in three different ways")
    func ends() async throws {
        let clock = TestClock()
        let server = ScriptedWebSocket()
        let socket = Self.socket(server, clock: clock) {
            $0.webSocket = WebSocketOptions(reconnectPolicy: .none)
            $0.linger = .seconds(60)
        }
        func outcome(_ topic: String) -> Task<Result<Int, any Error>, Never> {
            Task {
                var count = 0
                do {
                    for try await _ in socket.events(topic) { count += 1 }
                    return .success(count)
                } catch {
                    return .failure(error)
                }
            }
        }
        let completed = outcome("a")
        let peer = try await server.peer(at: 0)
        try await Self.welcome(peer, ["sub 1 a"])
        peer.send("event 1 x")
        peer.send("done 1")
        #expect(try await completed.value.get() == 1)

        let failed = outcome("b")
        #expect(try await peer.receiveText() == "sub 2 b")
        peer.send("ok 2")
        peer.send("no 2 why")
        let failure = await #expect(throws: SubscriptionError.self) { try await failed.value.get() }
        #expect(failure?.code == .failed)
        #expect(failure?.underlying as? PlainProtocol.Refusal == .init(why: "why"))

        let lost = outcome("c")
        #expect(try await peer.receiveText() == "sub 3 c")
        peer.drop()
        let loss = await #expect(throws: SubscriptionError.self) { try await lost.value.get() }
        #expect(loss?.code == .connectionLost && loss?.closure?.code == .abnormalClosure)
    }

    @Test("Each attempt requests a new token")
    func freshTokens() async throws {
        let clock = TestClock()
        let server = ScriptedWebSocket()
        let count = Counter()
        var wire = PlainProtocol(greets: false, confirms: false)
        wire.token = { "token-\(count.next())" }
        let socket = Self.socket(server, wire, clock: clock)
        let task = Task { for try await _ in socket.events("a") {} }
        for number in 1...3 {
            let peer = try await server.peer(at: number - 1)
            #expect(peer.request.header(try #require(HTTPField.Name("X-Token"))) == "token-\(number)")
            #expect(try await peer.receiveText() == "sub 1 a")
            peer.drop()
            try await clock.sleeping(forAtMost: .seconds(2))
            clock.advance(by: .seconds(60))
        }
        task.cancel()
        _ = await task.result
    }

    @Test("Operations are completed before they are sent, in order, on each connection")
    func prepares() async throws {
        let clock = TestClock()
        let server = ScriptedWebSocket()
        let socket = Self.socket(
            server, PlainProtocol(confirms: false, preparesOperations: true), clock: clock)
        let tasks = ["a", "b", "c"].map { topic in
            // Each is registered before the next is created.
            let iterator = socket.events(topic).updates.makeAsyncIterator()
            return Task {
                var iterator = iterator
                while try await iterator.next() != nil {}
            }
        }
        let peer = try await server.peer(at: 0)
        #expect(try await peer.receiveText() == "hello")
        peer.send("welcome")
        var asked: Set<String> = []
        for _ in 0..<3 { asked.insert(String(try #require(try await peer.receiveText()).dropFirst(6))) }
        #expect(asked == ["a!", "b!", "c!"])
        peer.drop()
        try await clock.skipWaits(upTo: .seconds(2)) { server.peers.count >= 2 }
        let next = try await server.peer(at: 1)
        #expect(try await next.receiveText() == "hello")
        next.send("welcome")
        var ids: [String] = []
        for _ in 0..<3 { ids.append(String(try #require(try await next.receiveText()).dropFirst(4).prefix(1))) }
        #expect(ids == ["1", "2", "3"])
        for task in tasks { task.cancel() }
    }

    @Test("Pacing: no more than 5 messages per second are sent")
    func pacing() async throws {
        let clock = TestClock()
        let server = ScriptedWebSocket()
        let socket = Self.socket(
            server, PlainProtocol(greets: false, confirms: false, pacing: MessageRateLimit(5, per: .seconds(1))),
            clock: clock)
        let tasks = (1...12).map { number in
            Task { for try await _ in socket.events("t\(number)") {} }
        }
        let peer = try await server.peer(at: 0)
        var received = 0
        for second in 0..<3 {
            for _ in 0..<(second == 2 ? 2 : 5) {
                #expect(try await peer.receiveText() != nil)
                received += 1
            }
            if second < 2 {
                try await clock.sleeping(forAtMost: .seconds(2))
                clock.advance(by: .seconds(1))
            }
        }
        #expect(received == 12)
        for task in tasks { task.cancel() }
    }

    @Test("perform() returns one response; if the connection is lost meanwhile, it throws and is not sent again")
    func performs() async throws {
        let clock = TestClock()
        let server = ScriptedWebSocket()
        let socket = Self.socket(server, clock: clock)
        async let answer = socket.perform("now")
        let peer = try await server.peer(at: 0)
        try await Self.welcome(peer, ["sub 1 now"])
        peer.send("event 1 42")
        peer.send("done 1")
        #expect(try await Self.text(answer) == "42")
        let unanswered = Task { try await socket.perform("again") }
        let other = try await server.peer(at: 1)
        try await Self.welcome(other, ["sub 2 again"])
        other.drop()
        let error = await #expect(throws: SubscriptionError.self) { try await unanswered.value }
        #expect(error?.code == .connectionLost)
        #expect(server.requests.count == 2)
        let empty = Task { try await socket.perform("nothing") }
        let third = try await server.peer(at: 2)
        try await Self.welcome(third, ["sub 3 nothing"])
        third.send("done 3")
        let none = await #expect(throws: SubscriptionError.self) { try await empty.value }
        #expect(none?.code == .noEvent)
    }

    @Test("Cancelling perform() unsubscribes, and cancelling disconnect() returns at once")
    func cancels() async throws {
        let server = ScriptedWebSocket()
        let socket = Self.socket(server)
        let answer = Task { try await socket.perform("slow") }
        let peer = try await server.peer(at: 0)
        try await Self.welcome(peer, ["sub 1 slow"])
        answer.cancel()
        let error = await #expect(throws: SubscriptionError.self) { try await answer.value }
        #expect(error?.code == .cancelled)
        #expect(try await peer.receiveText() == "bye 1")
        let leaving = Task { await socket.disconnect() }
        leaving.cancel()
        await leaving.value
        #expect(peer.isOpen, "the connection still waits for the confirmation")
        peer.send("gone 1")
        #expect(try await peer.receiveText() == "farewell")
        #expect(try await peer.receiveText() == nil)
        try await peer.closed()
    }

    @Test(
        "A slow listener: dropOldest reports the number dropped, fail throws, suspend suspends the reader",
        arguments: [
            SubscriptionOptions.Overflow.dropOldest, .fail, .suspend,
        ])
    func slow(overflow: SubscriptionOptions.Overflow) async throws {
        let server = ScriptedWebSocket()
        let socket = Self.socket(server, PlainProtocol(greets: false, confirms: false)) {
            $0.bufferSize = 4
            $0.overflow = overflow
        }
        var updates = socket.events("slow").updates.makeAsyncIterator()
        guard case .subscribed = try await updates.next() else {
            Issue.record("not subscribed")
            return
        }
        let peer = try await server.peer(at: 0)
        for number in 1...10 { peer.send("event 1 \(number)") }
        peer.send("done 1")
        var told: [String] = []
        if overflow != .suspend {
            // The reader has read everything that was sent.
            #expect(try await peer.receiveText() == "sub 1 slow")
            #expect(try await peer.receiveText() == (overflow == .fail ? "bye 1" : "farewell"))
        }
        do {
            while let update = try await updates.typedNext(isolation: #isolation) {
                switch update {
                case .event(let payload): told.append(Self.text(payload) ?? "")
                case .missed(let count): told.append("missed \(count)")
                default: break
                }
            }
        } catch {
            told.append(error.code.description)
        }
        switch overflow {
        case .dropOldest: #expect(told == ["missed 6", "7", "8", "9", "10"])
        case .fail: #expect(told == ["1", "2", "3", "4", "bufferOverflow"])
        case .suspend: #expect(told == (1...10).map(\.description))
        }
    }

    @Test("disconnect() in any state ends the connection, and nothing runs afterwards", arguments: 0..<5)
    func disconnects(stage: Int) async throws {
        let clock = TestClock()
        let server = ScriptedWebSocket()
        let gate = Gate()
        if stage == 1 {
            server.onOpen { _, _ in
                try await gate.wait(); return .accept
            }
        }
        let socket = Self.socket(server, clock: clock)
        let task = Task { for try await _ in socket.events("a") {} }
        _ = try await server.request(at: 0)
        if stage >= 2 {
            let peer = try await server.peer(at: 0)
            #expect(try await peer.receiveText() == "hello")
            if stage >= 3 {
                peer.send("welcome")
                #expect(try await peer.receiveText() == "sub 1 a")
                if stage == 3 { peer.send("ok 1") }
                if stage == 4 {
                    peer.drop()
                    try await clock.sleeping(forAtMost: .seconds(2))
                }
            }
        }
        let end = Task { await socket.disconnect() }
        if stage == 3 {
            let peer = try await server.peer(at: 0)
            #expect(try await peer.receiveText() == "bye 1")
            peer.send("gone 1")
        }
        await end.value
        _ = await task.result
        #expect(socket.state == .disconnected)
        #expect(server.openCount == 0)
    }

    @Test("A released SubscriptionClient ends, and releases its hub")
    func leavesNothing() async throws {
        let (server, objects) = (ScriptedWebSocket(), LeakSentinel())
        try await expectNoLeaks(in: server, objects, within: .seconds(60)) {
            let client = APIClient.scripted(server)
            let owned = SubscriptionMultiplexer(
                PlainProtocol(greets: false, confirms: false), options: SubscriptionOptions(),
                time: client.configuration.time, random: client.configuration.random
            ) { router, options in
                try await client.openWebSocket(options.link) { try WebSocketRequest(router) }
            }
            objects.watch(owned)
            let socket = SubscriptionClient(owned, options: SubscriptionOptions(), decoder: JSONDecoder())
            var events = socket.events("a").updates.makeAsyncIterator()
            _ = try await events.next()
            #expect(owned.load.sinks == 1 && owned.load.connections == 1)
            await socket.disconnect()
            #expect(owned.load == (0, 0, 0))
        }
    }

    /// The payloads that one listener received.
    private final class Texts: Sendable {
        private let texts = Mutex<[String]>([])
        private let gate = Gate()

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String?) {
            texts.withLock { $0.append(text ?? "nothing") }
            gate.open()
        }

        /// Waits for the first payload.
        func wait() async throws { try await gate.wait() }
    }
}
