// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DrainGateTests {
    /// A member that counts what the gate asks of it.
    private final class Member: DrainMember {
        let begins = Counter()
        let ends = Counter()

        func beginDrain() -> Int {
            begins.next()
            return 1
        }

        func drained() async {}

        func endImmediately() -> Bool {
            ends.next()
            return true
        }
    }

    @Test("Operations of many threads enter before the drain, or are refused, and the gate becomes idle")
    func threads() async {
        let gate = DrainGate()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while gate.enter(.call) {
                        gate.leave(.call)
                        await Task.yield()
                    }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    let members = gate.begin()
                    await gate.untilEnded(members)
                    gate.end(members) {}
                }
            }
        }
        await gate.untilReported()
        #expect(gate.isOver && gate.outcome == DrainGate.Outcome())
    }

    @Test("Each of several drains at the same time sees the whole outcome", arguments: 0..<50)
    func outcome(number: Int) async {
        let gate = DrainGate()
        let member = Member()
        gate.add(member)
        let isAdmitted = gate.enter(.call)
        let cancels = Counter()
        let outcomes = await withTaskGroup(of: DrainGate.Outcome.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let members = gate.begin()
                    gate.end(members) { cancels.next() }
                    await gate.untilReported()
                    return gate.outcome
                }
            }
            var outcomes: [DrainGate.Outcome] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        var expected = DrainGate.Outcome()
        (expected.calls, expected.connections, expected.downloads) = (1, 1, 1)
        #expect(isAdmitted && outcomes == Array(repeating: expected, count: 4))
        #expect(cancels.count == 1 && member.begins.count == 1 && member.ends.count == 1)
    }
}
