// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResendPolicyTests {
    @Test("A new connection that ends before anything left is no reason to close those that idle")
    func newEnded() {
        var rule = ResendPolicy()
        #expect(rule.shouldResend(after: .newEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.attempts == 1, "what never left was no attempt")
        #expect(rule.shouldResend(after: .newEnded) == false, "a server that ends each is not pestered")
    }

    @Test("Of those that idle, one that ended says little, and two in a row condemn the rest")
    func idleEnded() {
        var rule = ResendPolicy()
        #expect(rule.shouldResend(after: .idleEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.shouldResend(after: .idleEnded) == true)
        #expect(rule.needsFresh)
        #expect(rule.shouldResend(after: .newEnded) == false)
        var other = ResendPolicy()
        #expect(other.shouldResend(after: .idleEnded) == true)
        #expect(other.shouldResend(after: .newEnded) == false, "not once more because an old one ended")
    }

    @Test("What had no answer goes out once more, over a new connection")
    func unanswered() {
        var rule = ResendPolicy()
        #expect(rule.shouldResend(after: .unanswered) == true)
        #expect(rule.needsFresh)
        #expect(rule.attempts == 2)
        #expect(rule.shouldResend(after: .unanswered) == false)
        #expect(rule.shouldResend(after: .newEnded) == false)
    }

    @Test("What the server did not look at goes out four times, and what could not leave sixteen times more")
    func bounds() {
        var rule = ResendPolicy()
        for _ in 1..<ResendPolicy.maximumAttempts { #expect(rule.shouldResend(after: .unprocessed) == true) }
        #expect(rule.shouldResend(after: .unprocessed) == false)
        for _ in 0..<ResendPolicy.maximumUnsentAttempts { #expect(rule.shouldResend(after: .unsent) == true) }
        #expect(rule.shouldResend(after: .unsent) == false)
        #expect(rule.attempts == ResendPolicy.maximumAttempts)
    }

    @Test("Whatever comes in whatever order, it ends")
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
