// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ServerLogTests {
    @Test("Only the latest requests are kept, all are counted, and one that is gone is an error")
    func bounded() async throws {
        let log = ServerLog(capacity: 3)
        for number in 0..<20 {
            let index = log.began { Self.request($0, "/\(number)") }
            #expect(index == number)
            #expect(log.requests.count == min(number + 1, 3))
        }
        #expect(log.requests.map(\.target) == ["/17", "/18", "/19"])
        #expect(log.requestCount == 20)
        log.received(0, bytes: 5, isComplete: true)
        log.received(19, bytes: 7, isComplete: true)
        #expect(try await log.request(at: 19).bodyLength == 7)
        await #expect(throws: ServerLog.Forgotten.self) { try await log.request(at: 0) }
        await #expect(throws: ServerLog.Forgotten.self) { try await log.request(at: -1) }
    }

    @Test("Who waits for a request is woken by it; who is cancelled is let go")
    func waits() async throws {
        let log = ServerLog(capacity: 10)
        let waiting = Task { try await log.request(at: 1) }
        let cancelled = Task { try await log.request(at: 2) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        for path in ["/a", "/b"] { _ = log.began { Self.request($0, path) } }
        #expect(try await waiting.value.target == "/b")
    }

    private static func request(_ index: Int, _ target: String) -> LoggedRequest {
        LoggedRequest(index: index, connection: 0, isSecure: false, method: .get, target: target, headers: [])
    }
}
