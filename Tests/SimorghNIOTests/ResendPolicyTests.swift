// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResendPolicyTests {
    @Test("A new connection that ends before anything was sent does not invalidate idle ones")
    func newEnded() {
        var rule = ResendPolicy()
        #expect(rule.shouldResend(after: .newEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.attempts == 1, "nothing was sent, so it counts as no attempt")
        #expect(rule.shouldResend(after: .newEnded) == false, "a server that ends each connection is not retried")
    }

    @Test("One ended idle connection proves little; after two in a row a fresh one is required")
    func idleEnded() {
        var rule = ResendPolicy()
        #expect(rule.shouldResend(after: .idleEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.shouldResend(after: .idleEnded) == true)
        #expect(rule.needsFresh)
        #expect(rule.shouldResend(after: .newEnded) == false)
        var other = ResendPolicy()
        #expect(other.shouldResend(after: .idleEnded) == true)
        #expect(other.shouldResend(after: .newEnded) == false, "an ended idle connection allows no second new one")
    }

    @Test("An unanswered request is resent once, over a new connection")
    func unanswered() {
        var rule = ResendPolicy()
        #expect(rule.shouldResend(after: .unanswered) == true)
        #expect(rule.needsFresh)
        #expect(rule.attempts == 2)
        #expect(rule.shouldResend(after: .unanswered) == false)
        #expect(rule.shouldResend(after: .newEnded) == false)
    }

    @Test("An unprocessed request is sent four times, and an unsent one is tried sixteen more times")
    func bounds() {
        var rule = ResendPolicy()
        for _ in 1..<ResendPolicy.maximumAttempts { #expect(rule.shouldResend(after: .unprocessed) == true) }
        #expect(rule.shouldResend(after: .unprocessed) == false)
        for _ in 0..<ResendPolicy.maximumUnsentAttempts { #expect(rule.shouldResend(after: .unsent) == true) }
        #expect(rule.shouldResend(after: .unsent) == false)
        #expect(rule.attempts == ResendPolicy.maximumAttempts)
    }

    @Test("Every random sequence of failures ends")
    func ends() {
        var random = SeededNumbers(4)
        for _ in 0..<10_000 {
            var rule = ResendPolicy()
            var rounds = 0
            while let end = ResendPolicy.End.allCases.randomElement(using: &random), rule.shouldResend(after: end) {
                rounds += 1
            }
            #expect(rounds <= ResendPolicy.maximumAttempts + ResendPolicy.maximumUnsentAttempts + 4)
        }
    }
}
