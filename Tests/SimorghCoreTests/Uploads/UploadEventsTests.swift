// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UploadEventsTests {
    /// Creates the events of an upload whose bytes are counted by several threads, also while it finishes.
    private func events(threads: Int) -> UploadEvents<String> {
        UploadEvents { observe async throws(NetworkError) in
            let meter = UploadProgressReporter(observe)
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<threads {
                    group.addTask { for count in 1...50 { meter.sent(Int64(count * 20 - thread), of: 1000) } }
                }
            }
            async let last: Void = { for count in 1...50 { meter.sent(Int64(count * 20 - threads), of: 1000) } }()
            await meter.finish()
            await last
            return "arrived"
        }
    }

    private func read(_ events: UploadEvents<String>, pausing: Bool) async throws -> [UploadEvent<String>] {
        var seen: [UploadEvent<String>] = []
        for try await event in events {
            seen.append(event)
            if pausing { await yieldToOthers(turns: 20) }
        }
        return seen
    }

    @Test("Progress never decreases, 1.0 comes before the value, and the value is last", arguments: [false, true])
    func order(pausing: Bool) async throws {
        for _ in 0..<200 {
            let seen = try await read(events(threads: 4), pausing: pausing)
            let fractions = seen.dropLast().map(\.fraction)
            #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(fractions.last == 1 && fractions.dropLast().allSatisfy { $0 < 1 })
            #expect(seen.last == .value("arrived"))
        }
    }

    @Test("Progress reported after the end is dropped")
    func late() async throws {
        let kept = Mutex<(@Sendable (UploadProgress) -> Void)?>(nil)
        let events = UploadEvents<Int> { observe async throws(NetworkError) in
            kept.withLock { $0 = observe }
            observe(UploadProgress(sent: 10, total: 10, isFinished: true))
            return 7
        }
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.fraction == 1)
        kept.withLock { $0 }?(UploadProgress(sent: 5, total: 10))
        #expect(try await iterator.next() == .value(7))
        kept.withLock { $0 }?(UploadProgress(sent: 6, total: 10))
        #expect(try await iterator.next() == nil)
    }

    @Test("A released or cancelled reader stops the upload", arguments: [false, true])
    func stopped(byCancelling: Bool) async throws {
        let (begun, never, ended) = (Gate(), Gate(), Gate())
        let events = UploadEvents<Int> { observe async throws(NetworkError) in
            observe(UploadProgress(sent: 1, total: 10))
            // From here on the upload blocks, so the reader can be released.
            begun.open()
            try? await never.wait()
            ended.open()
            throw .unknown
        }
        let reader = Task {
            for try await _ in events where !byCancelling { break }
        }
        try await begun.wait()
        if byCancelling { reader.cancel() }
        try await ended.wait()
        _ = await reader.result
    }
}
