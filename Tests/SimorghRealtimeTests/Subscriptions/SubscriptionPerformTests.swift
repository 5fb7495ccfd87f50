// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghRealtime
import SimorghTesting
import TestSupport
import Testing

@Suite("SubscriptionClient.perform within the loop that reads events", .timeLimit(.minutes(5)))
struct SubscriptionPerformTests {
    private let world = SubscriptionFixture()

    private static func text(_ payload: SubscriptionPayload) -> String {
        String(decoding: payload.message.bytes, as: UTF8.self)
    }

    private static func options(_ size: Int) -> SubscriptionOptions {
        var options = SubscriptionOptions()
        options.bufferSize = size
        options.overflow = .suspend
        return options
    }

    @Test(
        "The response arrives while earlier events are unread, and those are delivered afterwards",
        arguments: [0, 1000], [3, 5])
    func answers(yields: Int, size: Int) async throws {
        let socket = world.socket(PlainProtocol(greets: false, confirms: false)) { $0 = Self.options(size) }
        var updates = socket.events("all").updates.makeAsyncIterator()
        guard case .subscribed = try await updates.next() else {
            Issue.record("not subscribed")
            return
        }
        let peer = try await world.server.peer(at: 0)
        #expect(try await peer.receiveText() == "sub 1 all")
        for number in 1...20 { peer.send("event 1 \(number)") }
        // Before the reader waits for space, or while it does.
        await yieldToOthers(turns: yields)
        for round in 2...3 {
            async let answer = socket.perform("now")
            #expect(try await peer.receiveText() == "sub \(round) now")
            peer.send("event \(round) 42")
            peer.send("done \(round)")
            #expect(try await Self.text(answer) == "42")
        }
        peer.send("done 1")
        var told: [String] = []
        while let update = try await updates.next() {
            if case .event(let payload) = update { told.append(Self.text(payload)) }
        }
        #expect(told == (1...20).map(\.description))
    }

    @Test("perform() in a cancelled task sends nothing")
    func cancelled() async throws {
        let socket = world.socket(PlainProtocol(greets: false))
        socket.connect()
        let peer = try await world.server.peer(at: 0)
        try await eventually { socket.state == .connected }
        let answer = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await socket.perform("now")
        }
        let error = await #expect(throws: SubscriptionError.self) { try await answer.value }
        #expect(error?.code == .cancelled)
        let end = Task { await socket.disconnect() }
        #expect(try await peer.receiveText() == "farewell")
        await end.value
    }

    @Test("SubscriptionBuffer: events buffered beyond the bound are limited in bytes")
    func slack() async throws {
        let mailbox = SubscriptionBuffer(Self.options(1))
        #expect(mailbox.capacity == .free)
        #expect(!mailbox.deliver(SubscriptionPayload(.text("first"))))
        for _ in 0..<2 {
            #expect(mailbox.capacity == .slack)
            #expect(!mailbox.deliver(SubscriptionPayload(.data(Data(count: 1024 * 1024)))))
        }
        #expect(mailbox.capacity == .full)
        for _ in 0..<3 { _ = try await mailbox.next() }
        #expect(mailbox.capacity == .free)
    }

    @Test("SubscriptionBuffer: hurry() ends a wait for space, also one that begins later")
    func stopWaiting() async throws {
        let mailbox = SubscriptionBuffer(Self.options(1))
        #expect(!mailbox.deliver(SubscriptionPayload(.text("first"))))
        for yields in [0, 100] {
            let wait = Task { await mailbox.waitForRoom() }
            await yieldToOthers(turns: yields)
            mailbox.stopWaiting()
            await wait.value
        }
        #expect(mailbox.capacity == .slack)
    }
}
