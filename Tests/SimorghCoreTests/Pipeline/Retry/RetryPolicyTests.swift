// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghTesting
import Testing

@Suite("RetryPolicy", .timeLimit(.minutes(10)))
struct RetryPolicyTests {
    @Test(
        "Each delay is twice the previous one, up to maximumDelay, and jitter picks a fraction of it",
        arguments: [
            (1, 1.0, 500), (2, 1.0, 1_000), (3, 1.0, 2_000), (6, 1.0, 16_000), (7, 1.0, 30_000), (90, 1.0, 30_000),
            (Int.max, 1.0, 30_000), (1, 0.5, 250), (3, 0.25, 500), (3, 0.0, 0), (0, 1.0, 500), (-1, 1.0, 500),
        ])
    func delays(number: Int, fraction: Double, milliseconds: Int) {
        #expect(RetryPolicy().delay(before: number, fraction: fraction) == .milliseconds(milliseconds))
    }

    @Test(
        "Extreme settings do not trap",
        arguments: [
            Duration.zero, .seconds(-5), .nanoseconds(1), .seconds(1), .seconds(Int64.max), .seconds(Int64.min),
        ])
    func extremes(base: Duration) {
        for longest in [Duration.zero, .seconds(-1), .seconds(30), .seconds(Int64.max)] {
            var policy = RetryPolicy()
            (policy.baseDelay, policy.maximumDelay) = (base, longest)
            for number in [1, 2, 64, 1_000, Int.max] {
                let delay = policy.delay(before: number, fraction: 0.999)
                #expect(delay >= .zero && delay <= max(.zero, longest))
            }
        }
    }

    @Test("A fixed delay in seconds accepts any number", arguments: [(0.0, 0.0), (1.5, 1.5), (-3.0, 0.0), (.nan, 0.0)])
    func fixed(delay: Double, seconds: Double) {
        let policy = RetryPolicy(maxRetryCount: 2, delay: delay)
        for number in 1...3 { #expect(policy.delay(before: number, fraction: 0.1) == .seconds(seconds)) }
        #expect(RetryPolicy(maxRetryCount: 2, delay: .infinity).delay(before: 1, fraction: 0) > .seconds(86_400))
    }

    @Test("Policies with equal settings are equal; a decider is equal only to itself")
    func equality() {
        let decider = RetryDecider { _ in .retry }
        #expect(RetryPolicy() == RetryPolicy())
        #expect(RetryPolicy(decider: decider) == RetryPolicy(decider: decider))
        #expect(RetryPolicy(decider: decider) != RetryPolicy(decider: RetryDecider { _ in .retry }))
        #expect(RetryPolicy(maximumRetries: 2) != RetryPolicy())
    }

    @Test(
        "Retry-After is seconds or a date in any HTTP format; anything else is ignored",
        arguments: [
            ("120", 120), ("0", 0), (" 7\t", 7), ("Thu, 01 Jan 2026 00:01:00 GMT", 60),
            ("Thursday, 01-Jan-26 00:01:00 GMT", 60), ("Thu Jan  1 00:01:00 2026", 60),
            ("Thu, 01 Jan 2015 00:00:00 GMT", 0), ("99999999999999999999999", 3_155_760_000),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 3_155_760_000), ("", nil), ("-1", nil), ("1.5", nil), ("soon", nil),
            ("1 2", nil), ("+3", nil), ("٣", nil),
        ] as [(String, Int?)])
    func retryAfter(value: String, seconds: Int?) {
        let now = Date(timeIntervalSince1970: 1_767_225_600)
        #expect(RetryAfter.delay(value, now: now) == seconds.map { .seconds($0) })
    }

    @Test("Each reason not to retry is found, and the first one that applies is reported")
    func judgement() {
        let policy = RetryPolicy()
        let good = RetryEvaluation.Facts(
            failure: "status 503", isTransient: true, retries: 0, method: "GET", isSafe: true, isReplayable: true)
        func judge(_ change: (inout RetryEvaluation.Facts) -> Void) -> RetryEvaluation {
            var facts = good
            change(&facts)
            return RetryEvaluation(facts, by: policy, fraction: 0.5)
        }
        func reason(_ change: (inout RetryEvaluation.Facts) -> Void) -> String? {
            guard case .giveUp(let reason) = judge(change) else { return nil }
            return reason
        }
        #expect(judge { _ in } == .retry(after: .milliseconds(250), because: "status 503"))
        #expect(reason { $0.isTransient = false }?.contains("not retried") == true)
        #expect(reason { $0.retries = 3 }?.contains("limit of 3 retries") == true)
        #expect(reason { $0.isReplayable = false }?.contains("only once") == true)
        #expect(reason { $0.isSafe = false }?.contains("Idempotency-Key") == true)
        #expect(reason { $0.serverDelay = .seconds(3601) }?.contains("longer than allowed") == true)
        #expect(reason { $0.remaining = .milliseconds(250) }?.contains("deadline") == true)
        #expect(judge { $0.remaining = .milliseconds(251) } == .retry(after: .milliseconds(250), because: "status 503"))
        // A server's delay may exceed maximumDelay and is still honored; a decider's delay overrides both.
        let asked = judge { $0.serverDelay = .seconds(90) }
        #expect(asked == .retry(after: .seconds(90), because: "status 503, as the server asks"))
        let chosen = judge { ($0.serverDelay, $0.chosenDelay) = (.seconds(9_000), .seconds(-4)) }
        #expect(chosen == .retry(after: .zero, because: "status 503"))
    }

    @Test("RetryBudget: retries add at most a fifth to the load, and an idle client has ten")
    func budget() {
        var budget = RetryBudget(ratio: 0.2, now: .zero)
        var retries = 0
        for _ in 0..<1_000 {
            budget.requested(now: .zero)
            for _ in 0..<3 where budget.takeRetry(now: .zero) { retries += 1 }
        }
        #expect((200...210).contains(retries), "\(retries)")
        let soon = budget.takeRetry(now: .zero)
        #expect(!soon)
        let later = budget.takeRetry(now: .seconds(2))
        #expect(later)
        var quiet = RetryBudget(ratio: 0.2, now: .zero)
        let taken = (0..<20).map { _ in quiet.takeRetry(now: .zero) }.count { $0 }
        #expect(taken == 10)
        let again = (0..<20).map { _ in quiet.takeRetry(now: .seconds(3_600)) }.count { $0 }
        #expect(again == 10)
        var saved = RetryBudget(ratio: 0.2, now: .zero)
        for _ in 0..<100_000 { saved.requested(now: .zero) }
        let burst = (0..<1_000).map { _ in saved.takeRetry(now: .zero) }.count { $0 }
        #expect(burst == 100)
        var strange = RetryBudget(ratio: .nan, now: .seconds(5))
        strange.requested(now: .zero)
        let one = strange.takeRetry(now: .zero)
        #expect(one)
    }

    @Test("A cache hit adds nothing to the retry budget; a forwarded request does", arguments: [false, true])
    func earned(isForwarded: Bool) async throws {
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/x"))
        let report = CacheReport(forward: isForwarded ? .stale : nil)
        let budgets = RetryBudgets(ratio: 1, time: TestClock().timeSource)
        let step = RetryExchange(RetryPolicy(), budgets: budgets)
        for _ in 0..<50 {
            _ = try await step.send(request) { _ in
                var response = TransportResponse(head: HTTPResponse(status: .ok))
                response.cacheReport = report
                return response
            }
        }
        let taken = (0..<100).map { _ in budgets.takeRetry(request.head.origin) }.count { $0 }
        #expect(taken == (isForwarded ? 60 : 10))
    }

    @Test("OriginLRU: above the capacity the least recently used origin is evicted")
    func origins() {
        var table = OriginLRU<Int>(capacity: 2)
        for origin in ["a", "b", "a", "c"] { table.update(origin, default: { 0 }, with: { $0 += 1 }) }
        #expect(table.count == 2)
        let kept = table.update("a", default: { 0 }, with: { $0 })
        let forgotten = table.update("b", default: { 0 }, with: { $0 })
        #expect((kept, forgotten) == (2, 0))
    }
}
