// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ExpectNoLeaksTests {
    @Test("A held, unread body is a leak; a released one is not")
    func bodies() async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: transport, within: .zero) {
                try await transport.ask(.get, "http://api.test/held?key=s3cret") { $0.delivery = .streamed }
            }
        }
        #expect(error?.leftovers == ["exchange 1: GET http://api.test/held?…"])
        try await expectNoLeaks(in: transport, within: .seconds(3600)) {
            let answer = try await transport.ask(.get, "http://api.test/read") { $0.delivery = .streamed }
            var chunks = answer.response.body.makeAsyncIterator()
            _ = try await chunks.next()
        }
    }

    @Test("A leak is reported even if another resource with the same name existed before")
    func sameNames() async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let url = "http://api.test/held"
        let before = try await transport.ask(.get, url) { $0.delivery = .streamed }
        try await expectNoLeaks(in: transport, within: .zero) {}
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: transport, within: .zero) {
                try await transport.ask(.get, url) { $0.delivery = .streamed }
            }
        }
        #expect(error?.leftovers == ["exchange 2: GET http://api.test/held"])
        withExtendedLifetime(before) {}
    }

    @Test("A resource that existed before and has ended does not hide a new one with the same name")
    func exchanged() async throws {
        let transport = StubServer { _ in .chunks([.bytes(Data("a".utf8)), .wait(Gate())]) }
        let url = "http://api.test/held"
        var before: Answer? = try await transport.ask(.get, url) { $0.delivery = .streamed }
        #expect(before != nil)
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: transport, within: .zero) {
                before = nil
                return try await transport.ask(.get, url) { $0.delivery = .streamed }
            }
        }
        #expect(error?.leftovers == ["exchange 2: GET http://api.test/held"])
    }

    @Test("Stopping one monitor does not make the others leaks, and a running one is reported by its number")
    func monitors() async throws {
        let network = ScriptedNetwork()
        let (first, second) = (network.monitor(), network.monitor())
        first.startMonitoring()
        second.startMonitoring()
        try await expectNoLeaks(in: network, within: .zero) {
            second.stopMonitoring()
            try await eventually { network.watchers == 1 }
        }
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: network, within: .zero) { second.startMonitoring() }
        }
        #expect(error?.leftovers == ["monitor 3"])
        first.stopMonitoring()
        second.stopMonitoring()
        try await eventually { network.leftovers.isEmpty }
    }

    @Test("A count above its earlier value is a leak")
    func counts() async throws {
        let count = Mutex(1)
        let watched = LeakCount("connection") { count.withLock { $0 } }
        try await expectNoLeaks(in: watched, within: .zero) { count.withLock { $0 = 0 } }
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: watched, within: .zero) { count.withLock { $0 = 2 } }
        }
        #expect(error?.leftovers == ["connection 1", "connection 2"])
    }

    @Test("A task that still sleeps is a leak, and so is an object that is still alive")
    func tasks() async throws {
        let (clock, objects) = (TestClock(), LeakSentinel())
        final class Bird: Sendable {}
        let kept = Bird()
        let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(5)), tolerance: nil) }
        try await clock.sleeping()
        // Resources that existed before are not leaks.
        try await expectNoLeaks(in: clock, objects, within: .zero) {
            _ = objects.watch(Bird())
            clock.advance(by: .seconds(1))
        }
        let error = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: objects, within: .zero) { _ = objects.watch(kept) }
        }
        #expect(error?.leftovers == ["Bird"])
        let second = Mutex<Task<Void, any Error>?>(nil)
        let leak = await #expect(throws: LeakedResourcesError.self) {
            try await expectNoLeaks(in: clock, within: .zero) {
                let task = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(6)), tolerance: nil) }
                second.withLock { $0 = task }
                try await clock.sleeping(2)
            }
        }
        #expect(leak?.leftovers == ["a task that sleeps until 7.0 seconds"])
        sleeper.cancel()
        second.withLock { $0 }?.cancel()
        withExtendedLifetime(kept) {}
    }
}
