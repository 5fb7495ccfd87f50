// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UploadProgressReporterTests {
    /// Records progress and whether two notifications overlapped.
    private final class Observer: Sendable {
        let log = ProgressLog()
        private let inside = Atomic(0)
        private let overlaps = Atomic(0)

        var overlapped: Bool { overlaps.load(ordering: .relaxed) > 0 }

        func observe(_ progress: UploadProgress) {
            if inside.add(1, ordering: .acquiringAndReleasing).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
            log.uploadDidProgress(progress)
            inside.subtract(1, ordering: .acquiringAndReleasing)
        }
    }

    @Test("Concurrent counts and a finish: notifications never overlap or go back, and 1.0 comes once and last")
    func ended() async {
        for round in 0..<300 {
            let observer = Observer()
            let meter = UploadProgressReporter { observer.observe($0) }
            await withTaskGroup(of: Void.self) { group in
                for attempt in 0..<6 {
                    group.addTask {
                        for count in 1...40 {
                            if attempt > 3, count == round % 40 + 1 {
                                await meter.finish()
                                #expect(observer.log.all.last?.isFinished == true)
                            }
                            meter.sent(Int64(count * 25 - attempt), of: 1000)
                        }
                    }
                }
            }
            #expect(observer.log.isMonotoneToTheEnd)
            #expect(observer.log.all.last == UploadProgress(sent: 1000, total: 1000, isFinished: true))
            #expect(!observer.overlapped)
        }
    }

    @Test("While the observer is busy, only the latest progress is kept for it, and counting does not wait")
    func busy() async {
        let meter = Mutex<UploadProgressReporter?>(nil)
        let log = ProgressLog()
        let made = UploadProgressReporter { progress in
            log.uploadDidProgress(progress)
            // Simulates another thread during a notification of this one.
            guard progress.sent == 1, let meter = meter.withLock({ $0 }) else { return }
            for count in 2...9 { meter.sent(Int64(count), of: 10) }
        }
        meter.withLock { $0 = made }
        made.sent(1, of: 10)
        await made.finish()
        #expect(log.all.map(\.sent) == [1, 9, 10])
        meter.withLock { $0 = nil }
    }

    @Test("finish() waits while another thread notifies the observer")
    func late() async {
        let log = ProgressLog()
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let gate = Mutex(false)
        let meter = UploadProgressReporter { progress in
            if !progress.isFinished {
                entering.yield()
                while !gate.withLock({ $0 }) { sched_yield() }
            }
            log.uploadDidProgress(progress)
        }
        let thread = Thread { meter.sent(100, of: 1000) }
        thread.start()
        for await _ in entered { break }
        let isOver = Mutex(false)
        async let end: Void = {
            await meter.finish()
            isOver.withLock { $0 = true }
        }()
        await yieldToOthers(turns: 20)
        #expect(!isOver.withLock { $0 })
        gate.withLock { $0 = true }
        await end
        #expect(log.all.map(\.sent) == [100, 1000])
    }

    @Test("Bytes sent again are not reported again, and the total is not reported before the server accepts it")
    func again() async {
        let log = ProgressLog()
        let meter = UploadProgressReporter { log.uploadDidProgress($0) }
        for _ in 0..<3 { for count in [300, 600, 900, 1000] { meter.sent(Int64(count), of: 1000) } }
        #expect(log.all.map(\.sent) == [300, 600, 900])
        await meter.finish()
        #expect(log.isMonotoneToTheEnd)
    }
}
