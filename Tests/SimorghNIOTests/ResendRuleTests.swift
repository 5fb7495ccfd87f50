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
        #expect(rule.goesOn(after: .newEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.attempts == 1, "what never left was no attempt")
        #expect(rule.goesOn(after: .newEnded) == false, "a server that ends each is not pestered")
    }

    @Test("Of those that idle, one that ended says little, and two in a row condemn the rest")
    func idleEnded() {
        var rule = ResendPolicy()
        #expect(rule.goesOn(after: .idleEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.goesOn(after: .idleEnded) == true)
        #expect(rule.needsFresh)
        #expect(rule.goesOn(after: .newEnded) == false)
        var other = ResendPolicy()
        #expect(other.goesOn(after: .idleEnded) == true)
        #expect(other.goesOn(after: .newEnded) == false, "not once more because an old one ended")
    }

    @Test("What had no answer goes out once more, over a new connection")
    func unanswered() {
        var rule = ResendPolicy()
        #expect(rule.goesOn(after: .unanswered) == true)
        #expect(rule.needsFresh)
        #expect(rule.attempts == 2)
        #expect(rule.goesOn(after: .unanswered) == false)
        #expect(rule.goesOn(after: .newEnded) == false)
    }

    @Test("What the server did not look at goes out four times, and what could not leave sixteen times more")
    func bounds() {
        var rule = ResendPolicy()
        for _ in 1..<ResendPolicy.mostAttempts { #expect(rule.goesOn(after: .unprocessed) == true) }
        #expect(rule.goesOn(after: .unprocessed) == false)
        for _ in 0..<ResendPolicy.mostMisses { #expect(rule.goesOn(after: .unsent) == true) }
        #expect(rule.goesOn(after: .unsent) == false)
        #expect(rule.attempts == ResendPolicy.mostAttempts)
    }

    @Test("Whatever comes in whatever order, it ends")
    func ends() {
        var random = SeededNumbers(4)
        for _ in 0..<10_000 {
            var rule = ResendPolicy()
            var rounds = 0
            while let end = ResendPolicy.End.allCases.randomElement(using: &random), rule.goesOn(after: end) {
                rounds += 1
            }
            #expect(rounds <= ResendPolicy.mostAttempts + ResendPolicy.mostMisses + 4)
        }
    }
}
