// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import SimorghNIO
import Synchronization
import Testing

@Suite("EventLoopTimer", .timeLimit(.minutes(5)))
struct EventLoopTimerTests {
    private static let loop = MultiThreadedEventLoopGroup.singleton.any()

    @Test("A timer fires once, for its last start, and not at all if it was stopped")
    func once() async throws {
        let rung = Mutex<[String]>([])
        let isOver = Self.loop.makePromise(of: Void.self)
        try await Self.loop.submit {
            let clock = EventLoopTimerWheel(Self.loop)
            let (moved, stopped, last) = (EventLoopTimer(clock), EventLoopTimer(clock), EventLoopTimer(clock))
            moved.start(.milliseconds(1)) { rung.withLock { $0.append("too early") } }
            moved.start(.milliseconds(5)) { rung.withLock { $0.append("moved") } }
            stopped.start(.milliseconds(1)) { rung.withLock { $0.append("stopped") } }
            stopped.stop()
            stopped.stop()
            last.start(.milliseconds(20)) {
                // A timer may be restarted from its own callback.
                last.start(.zero) { isOver.succeed() }
            }
        }.get()
        try await isOver.futureResult.get()
        #expect(rung.withLock { $0 } == ["moved"])
    }

    @Test("A timer restarted or stopped by another one that is due at the same time does not fire")
    func together() async throws {
        let rung = Mutex<[String]>([])
        let isOver = Self.loop.makePromise(of: Void.self)
        try await Self.loop.submit {
            let clock = EventLoopTimerWheel(Self.loop)
            let (first, moved, stopped, last) = (
                EventLoopTimer(clock), EventLoopTimer(clock), EventLoopTimer(clock), EventLoopTimer(clock)
            )
            first.start(.zero) {
                rung.withLock { $0.append("first") }
                moved.start(.seconds(3600)) { rung.withLock { $0.append("too early") } }
                stopped.stop()
            }
            moved.start(.zero) { rung.withLock { $0.append("moved") } }
            stopped.start(.zero) { rung.withLock { $0.append("stopped") } }
            last.start(.milliseconds(5)) {
                moved.stop()
                isOver.succeed()
            }
        }.get()
        try await isOver.futureResult.get()
        #expect(rung.withLock { $0 } == ["first"])
    }

    @Test("Shutting the loop down calls otherwise of a running timer, and not of a stopped one")
    func shutDown() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let told = Mutex<[String]>([])
        let clock = try await loop.submit {
            let clock = EventLoopTimerWheel(loop)
            let (running, stopped, last) = (EventLoopTimer(clock), EventLoopTimer(clock), EventLoopTimer(clock))
            stopped.start(.seconds(60)) {
                told.withLock { $0.append("rung") }
            } otherwise: {
                told.withLock { $0.append("stopped") }
            }
            running.start(.seconds(3600)) {
                told.withLock { $0.append("rung") }
            } otherwise: {
                told.withLock { $0.append("running") }
                last.stop()
            }
            last.start(.seconds(7200)) {
                told.withLock { $0.append("rung") }
            } otherwise: {
                told.withLock { $0.append("last") }
            }
            stopped.stop()
            return NIOLoopBound(clock, eventLoop: loop)
        }.get()
        try await group.shutdownGracefully()
        #expect(told.withLock { $0 } == ["running"])
        withExtendedLifetime(clock) {}
    }
}
