// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import TestSupport
import Testing

@Suite("ReconnectBackoff: backoff", .timeLimit(.minutes(5)))
struct ReconnectBackoffTests {
    private let exact = WebSocketReconnectPolicy(
        maximumAttempts: 3, initialDelay: 1, multiplier: 2, maximumDelay: 30)

    @Test(
        "SIM7: invalid values of the policy are clamped",
        arguments: [(-1, -1.0, -1.0, -1.0), (-100, -0.5, 0.5, -30), (0, .nan, .nan, .nan), (0, -.infinity, 0, 0)])
    func clamping(attempts: Int, initial: Double, multiplier: Double, maximum: Double) {
        let policy = WebSocketReconnectPolicy(
            maximumAttempts: attempts, initialDelay: initial, multiplier: multiplier, maximumDelay: maximum)
        #expect(policy.maximumAttempts == 0)
        #expect(policy.initialDelay == 0)
        #expect(policy.multiplier == 1)
        #expect(policy.maximumDelay == 0)
    }

    @Test("SIM7: maximumDelay is never less than initialDelay")
    func longestWait() {
        let policy = WebSocketReconnectPolicy(
            maximumAttempts: 1, initialDelay: 5, multiplier: 2, maximumDelay: 1)
        #expect(policy.maximumDelay == 5)
        #expect(policy.delay(before: 7) == .seconds(5))
    }

    @Test(
        "The delay grows by the multiplier up to maximumDelay, for any number of attempts",
        arguments: [(1, 1), (2, 2), (3, 4), (5, 16), (6, 30), (7, 30), (1000, 30), (Int.max, 30)])
    func growth(attempt: Int, seconds: Int) {
        #expect(exact.delay(before: attempt) == .seconds(seconds))
    }

    @Test("A delay too long for Duration is clamped to 100 years")
    func endless() {
        let policy = WebSocketReconnectPolicy(
            maximumAttempts: 9, initialDelay: .infinity, multiplier: .infinity, maximumDelay: .infinity)
        #expect(policy.delay(before: 9) == .seconds(3_155_760_000))
    }

    @Test("The documented initializer sets no jitter, the default policy sets full jitter")
    func defaultJitter() {
        #expect(exact.jitter == .none)
        #expect(WebSocketReconnectPolicy.default.jitter == .full)
        #expect(WebSocketReconnectPolicy.none.maximumAttempts == 0)
        var machine = ReconnectBackoff(exact)
        #expect(
            machine.after(.closed(.abnormalClosure), fraction: 0.01) == .reconnect(attempt: 1, after: .seconds(1)))
    }

    @Test(
        "Codes that reconnect", arguments: [1001, 1006, 1011, 1012, 1013, 1014, 3001, 3008, 4000, 4999] as [UInt16])
    func comesBack(code: UInt16) {
        var machine = ReconnectBackoff(exact)
        let decision = machine.after(.closed(.init(rawValue: code)), fraction: 0)
        #expect(decision == .reconnect(attempt: 1, after: .seconds(1)))
    }

    @Test(
        "Codes that are final",
        arguments: [1000, 1002, 1003, 1004, 1005, 1007, 1008, 1009, 1010, 1015, 2000, 3000, 3003, 0, 999] as [UInt16])
    func final(code: UInt16) {
        var machine = ReconnectBackoff(exact)
        #expect(machine.after(.closed(.init(rawValue: code)), fraction: 0) == .end)
    }

    @Test("Codes in finalCloseCodes are final")
    func namedCode() {
        var policy = exact
        policy.finalCloseCodes = [1012, 4401]
        var machine = ReconnectBackoff(policy)
        #expect(machine.after(.closed(1012), fraction: 0) == .end)
        #expect(machine.after(.closed(4401), fraction: 0) == .end)
        #expect(machine.after(.closed(4400), fraction: 0) != .end)
    }

    @Test(
        "Response status codes that reconnect",
        arguments: [408, 425, 429, 500, 502, 503, 504, 520, 599])
    func refusedForNow(status: Int) {
        var machine = ReconnectBackoff(exact)
        let decision = machine.after(.refused(status: status, retryAfter: nil), fraction: 0)
        #expect(decision == .reconnect(attempt: 1, after: .seconds(1)))
    }

    @Test("Response status codes that are final", arguments: [200, 204, 301, 302, 400, 401, 403, 404, 426, 501, 505])
    func refusedForGood(status: Int) {
        var machine = ReconnectBackoff(exact)
        #expect(machine.after(.refused(status: status, retryAfter: .seconds(1)), fraction: 0) == .end)
    }

    @Test("A transient failure reconnects, a permanent one is final")
    func failed() {
        var machine = ReconnectBackoff(exact)
        #expect(machine.after(.failed(isTransient: true), fraction: 0) == .reconnect(attempt: 1, after: .seconds(1)))
        #expect(machine.after(.failed(isTransient: false), fraction: 0) == .end)
    }

    @Test(
        "Retry-After is honored up to an hour, and never shortens the delay",
        arguments: [(0, 1), (1, 1), (90, 90), (3600, 3600), (86_400, 3600)])
    func retryAfter(asked: Int, waited: Int) {
        for (jitter, fraction) in [(WebSocketReconnectPolicy.Jitter.none, 1.0), (.full, 1.0)] {
            var policy = exact
            policy.jitter = jitter
            var machine = ReconnectBackoff(policy)
            let decision = machine.after(.refused(status: 503, retryAfter: .seconds(asked)), fraction: fraction)
            #expect(decision == .reconnect(attempt: 1, after: .seconds(waited)))
        }
    }

    @Test("After maximumAttempts failed attempts the result is exhausted; reset() restarts the count")
    func exhaustion() {
        var machine = ReconnectBackoff(exact)
        for attempt in 1...3 {
            let decision = machine.after(.failed(isTransient: true), fraction: 0)
            #expect(decision == .reconnect(attempt: attempt, after: .seconds(1 << (attempt - 1))))
        }
        #expect(machine.after(.failed(isTransient: true), fraction: 0) == .exhausted)
        machine.reset()
        #expect(machine.after(.failed(isTransient: true), fraction: 0) == .reconnect(attempt: 1, after: .seconds(1)))
    }

    @Test("Only a connection that was stable restarts the count of attempts", arguments: [(9, 2), (10, 1), (100, 1)])
    func stability(uptime: Int, attempt: Int) {
        var machine = ReconnectBackoff(exact)
        _ = machine.after(.failed(isTransient: true), fraction: 0)
        let decision = machine.after(.closed(.abnormalClosure), uptime: .seconds(uptime), fraction: 0)
        #expect(decision == .reconnect(attempt: attempt, after: .seconds(attempt)))
    }

    @Test("Full jitter: the delays after 1,000 drops are spread evenly over the range of the policy")
    func spread() {
        var policy = WebSocketReconnectPolicy(
            maximumAttempts: 10, initialDelay: 16, multiplier: 2, maximumDelay: 16, jitter: .full)
        policy.stableAfter = 10
        var random = SeededNumbers(7)
        var machine = ReconnectBackoff(policy)
        var tenths = [Int](repeating: 0, count: 10)
        var sum = Duration.zero
        for _ in 0..<1000 {
            let fraction = Double.random(in: 0..<1, using: &random)
            guard
                case .reconnect(1, let delay) = machine.after(
                    .closed(.abnormalClosure), uptime: .seconds(60), fraction: fraction)
            else {
                Issue.record("no reconnect with attempt 1")
                return
            }
            #expect(delay >= .zero && delay < .seconds(16))
            tenths[min(9, Int(delay / .milliseconds(1600)))] += 1
            sum += delay
        }
        // 100 each on average; the bounds allow five standard deviations (of 9.5 each), so chance does not exceed
        // them.
        for tenth in tenths { #expect((52...148).contains(tenth)) }
        #expect(sum > .seconds(7200) && sum < .seconds(8800))
    }
}
