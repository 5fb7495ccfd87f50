// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization
import TestSupport
import Testing

@Suite("CancellationScope", .timeLimit(.minutes(5)))
struct CancellationScopeTests {
    private final class Member: CancellationScope.Member {
        let cancellations = Atomic(0)

        func cancel() { cancellations.add(1, ordering: .relaxed) }

        var count: Int { cancellations.load(ordering: .relaxed) }
    }

    @Test("Members that join and leave in any order: only those inside are cancelled", arguments: 0..<8)
    func random(_ seed: Int) {
        var random = SeededNumbers(UInt64(seed))
        let scope = CancellationScope()
        var inside: [(member: Member, place: Int?)] = []
        var left: [(member: Member, place: Int?)] = []
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1:
                let member = Member()
                inside.append((member, scope.add(member)))
            case 2, 3:
                guard !inside.isEmpty else { continue }
                let gone = inside.remove(at: Int.random(in: 0..<inside.count, using: &random))
                scope.remove(gone.member, from: gone.place)
                left.append(gone)
            default:
                // Removed twice; another member may have the slot by now.
                guard let gone = left.randomElement(using: &random) else { continue }
                scope.remove(gone.member, from: gone.place)
            }
            #expect(scope.count == inside.count)
        }
        #expect(Set(inside.map { $0.place }).count == inside.count)
        scope.cancelAll()
        #expect(inside.allSatisfy { $0.member.count == 1 })
        #expect(left.allSatisfy { $0.member.count == 0 })
        #expect(scope.count == 0)
        let late = Member()
        #expect(scope.add(late) == nil)
        for (member, place) in inside { scope.remove(member, from: place) }
        scope.remove(late, from: nil)
        scope.remove(late, from: -1)
        #expect(scope.count == 0)
    }
}
