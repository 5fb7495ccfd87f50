// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResendRuleTests {
    @Test("A new connection that ends before anything was sent does not invalidate idle ones")
    func newEnded() {
        var rule = ResendRule()
        #expect(rule.goesOn(after: .newEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.attempts == 1, "nothing was sent, so it counts as no attempt")
        #expect(rule.goesOn(after: .newEnded) == false, "a server that ends each connection is not retried")
    }

    @Test("One ended idle connection proves little; after two in a row a fresh one is required")
    func idleEnded() {
        var rule = ResendRule()
        #expect(rule.goesOn(after: .idleEnded) == true)
        #expect(!rule.needsFresh)
        #expect(rule.goesOn(after: .idleEnded) == true)
        #expect(rule.needsFresh)
        #expect(rule.goesOn(after: .newEnded) == false)
        var other = ResendRule()
        #expect(other.goesOn(after: .idleEnded) == true)
        #expect(other.goesOn(after: .newEnded) == false, "an ended idle connection allows no second new one")
    }

    @Test("An unanswered request is resent once, over a new connection")
    func unanswered() {
        var rule = ResendRule()
        #expect(rule.goesOn(after: .unanswered) == true)
        #expect(rule.needsFresh)
        #expect(rule.attempts == 2)
        #expect(rule.goesOn(after: .unanswered) == false)
        #expect(rule.goesOn(after: .newEnded) == false)
    }

    @Test("An unprocessed request is sent four times, and an unsent one is tried sixteen more times")
    func bounds() {
        var rule = ResendRule()
        for _ in 1..<ResendRule.mostAttempts { #expect(rule.goesOn(after: .unprocessed) == true) }
        #expect(rule.goesOn(after: .unprocessed) == false)
        for _ in 0..<ResendRule.mostMisses { #expect(rule.goesOn(after: .unsent) == true) }
        #expect(rule.goesOn(after: .unsent) == false)
        #expect(rule.attempts == ResendRule.mostAttempts)
    }

    @Test("Every random sequence of failures ends")
    func ends() {
        var random = SeededNumbers(4)
        for _ in 0..<10_000 {
            var rule = ResendRule()
            var rounds = 0
            while let end = ResendRule.End.allCases.randomElement(using: &random), rule.goesOn(after: end) {
                rounds += 1
            }
            #expect(rounds <= ResendRule.mostAttempts + ResendRule.mostMisses + 4)
        }
    }
}
