// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import SimorghCore
import SimorghDownloads
import SimorghTesting
import Synchronization
import TestSupport
import Testing

/// Maximum and minimum speed.
@Suite(.timeLimit(.minutes(5)))
struct DownloadLimitsTests {
    @Test("Limits for all, per host and per download apply together, and changes apply at once")
    func budgets() {
        let clock = TestClock()
        var config = DownloadManagerConfig()
        config.maximumBytesPerSecond = 1000
        config.maximumBytesPerSecondPerHost = 500
        let budgets = BandwidthLimits(config, time: clock.timeSource)
        let (a, b) = (UUID(), UUID())
        budgets.change(a, to: 100)
        #expect(budgets.take(1000, for: a, from: "h") == .seconds(10))
        #expect(budgets.owed(by: a, to: "h") == .seconds(10))
        #expect(budgets.owed(by: b, to: "h") == .seconds(2))
        #expect(budgets.owed(by: b, to: "other") == .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(budgets.owed(by: b, to: "other") == .zero)
        budgets.change(all: nil, perHost: nil)
        #expect(budgets.owed(by: b, to: "h") == .zero && budgets.take(1 << 40, for: b, from: "h") == .zero)
        budgets.change(a, to: 900)
        #expect(budgets.owed(by: a, to: "h") < .seconds(2))
        budgets.change(a, to: nil)
        #expect(budgets.owed(by: a, to: "h") == .zero)
    }

    @Test("A download slower than lowSpeed fails with tooSlow")
    func lowSpeed() async throws {
        let place = DownloadTestFolder()
        let origin = FakeOrigin(DownloadTestFolder.bytes(100_000))
        origin.change { $0.isHeld = true }
        var client = APIClient.Configuration()
        client.time = TestClock(movesItself: true).timeSource
        let manager = try place.manager(origin, client: client) { config in
            config.lowSpeed = DownloadManagerConfig.LowSpeed(bytesPerSecond: 1000, seconds: 5)
            // Each attempt receives the first bytes of the rest, which would permit another attempt.
            config.retryPolicy = .none
        }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        let last = try #require(await manager.progress(for: id).last())
        #expect(last.state == .failed && last.error == .tooSlow)
        #expect(origin.requests.count == 1)
        await place.end(manager)
    }

    /// A clock whose `now` blocks outside of tasks, which is where the queue that writes files runs.
    private final class HeldClock: Clock {
        private struct State {
            var isHeld = false
            var waiting = 0
        }

        private let base = TestClock()
        private let state = Mutex(State())
        private let gate = DispatchSemaphore(value: 0)

        var now: TestClock.Instant {
            let isOutside = withUnsafeCurrentTask { $0 == nil }
            let waits = state.withLock { state in
                guard isOutside, state.isHeld else { return false }
                state.waiting += 1
                return true
            }
            if waits { gate.wait() }
            return base.now
        }

        var minimumResolution: Duration { base.minimumResolution }
        var timeSource: TimeSource { TimeSource(clock: self) { Date() } }
        var isHolding: Bool { state.withLock { $0.waiting > 0 } }

        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
            try await base.sleep(until: deadline, tolerance: tolerance)
        }

        /// Advances the clock by 0.1 seconds whenever a task sleeps for that long.
        func run() async throws {
            while true {
                try await base.sleeping(forAtMost: .milliseconds(100))
                base.advance(by: .milliseconds(100))
            }
        }

        func hold() { state.withLock { $0.isHeld = true } }

        func release() {
            let waiting = state.withLock { state in
                defer { state = State() }
                return state.waiting
            }
            for _ in 0..<waiting { gate.signal() }
        }
    }

    @Test("While the disk blocks, progress is reported, and the transfer does not count as too slow")
    func slowDisk() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(2 * 1024 * 1024)
        let origin = FakeOrigin(bytes)
        origin.change { $0.isHeld = true }
        let clock = HeldClock()
        var client = APIClient.Configuration()
        client.time = clock.timeSource
        let manager = try place.manager(origin, client: client) { config in
            // Long, since the reader may pause between the last bytes it reads and its wait for the disk.
            config.lowSpeed = DownloadManagerConfig.LowSpeed(bytesPerSecond: 1000, seconds: 60)
            config.retryPolicy = .none
        }
        let id = try manager.enqueue(url: DownloadTestFolder.url)
        try await eventually { origin.sent > 0 }
        clock.hold()
        origin.change { $0.isHeld = false }
        // One piece is being written now, and the next one waits.
        try await eventually { clock.isHolding && origin.sent >= 512 * 1024 }
        let running = Task { try await clock.run() }
        defer { running.cancel() }
        var told: [DownloadProgress] = []
        for await progress in manager.progress(for: id) {
            told.append(progress)
            // One report per second, for longer than lowSpeed permits.
            if told.count == 70 { break }
        }
        #expect(told.count == 70 && told.allSatisfy { $0.state == .downloading })
        clock.release()
        let last = try #require(await manager.progress(for: id).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        await place.end(manager)
    }

    @Test("HTTP/2: a file that arrives within two seconds is fetched over one connection")
    func oneConnection() async throws {
        let place = DownloadTestFolder()
        let bytes = DownloadTestFolder.bytes(800_000)
        let origin = FakeOrigin(bytes)
        origin.change { $0.speaksHTTP2 = true }
        let manager = try place.manager(origin) { $0.segments = 4 }
        let last = try #require(await manager.download(url: DownloadTestFolder.url).last())
        #expect(try Array(Data(contentsOf: #require(last.localURL))) == bytes)
        #expect(origin.requests.count == 1 && origin.state.withLock { $0.maximumActive } == 1)
        await place.end(manager)
    }
}
