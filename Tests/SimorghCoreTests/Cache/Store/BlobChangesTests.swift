// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite("BlobChanges", .timeLimit(.minutes(5)))
struct BlobChangesTests {
    /// Identifies changes.
    private func names(_ changes: [BlobChanges.Change]) -> Set<ObjectIdentifier> {
        Set(changes.map { ObjectIdentifier($0.done) })
    }

    @Test(
        "Each change of a family waits only for the previous one, however many are pending",
        arguments: [nil, 7] as [UInt64?])
    func chain(family: UInt64?) {
        var changes = BlobChanges()
        var before: [BlobChanges.Change] = []
        for _ in 0..<1000 {
            let next = changes.begin(of: family, isRemoval: false)
            #expect(names(next.earlier) == names(before))
            before = [next.change]
        }
        #expect(changes.count == 1000)
    }

    @Test("A change of all families waits for all earlier changes, and later changes wait for it")
    func everything() {
        var changes = BlobChanges()
        var first: [BlobChanges.Change] = []
        for family in UInt64(0)..<3 { first.append(changes.begin(of: family, isRemoval: false).change) }
        let all = changes.begin(of: nil, isRemoval: true)
        #expect(names(all.earlier) == names(first))
        let next = changes.begin(of: 1, isRemoval: false)
        #expect(names(next.earlier) == names([all.change]))
        let last = changes.begin(of: 1, isRemoval: false)
        #expect(names(last.earlier) == names([next.change]))
        let end = changes.begin(of: nil, isRemoval: true)
        #expect(names(end.earlier) == names([all.change, next.change, last.change]))
    }

    @Test("A change does not wait for ended changes or for changes of another family")
    func over() {
        var changes = BlobChanges()
        let first = changes.begin(of: 1, isRemoval: true)
        let other = changes.begin(of: 2, isRemoval: false)
        #expect(other.earlier.isEmpty)
        #expect(changes.removal(of: 1) != nil && changes.removal(of: 2) == nil && changes.removals.count == 1)
        changes.end(first.number)
        let again = changes.begin(of: 1, isRemoval: false)
        #expect(again.earlier.isEmpty)
        #expect(changes.removal(of: 1) == nil && changes.removals.isEmpty && changes.count == 2)
        let all = changes.begin(of: nil, isRemoval: true)
        #expect(names(all.earlier) == names([other.change, again.change]))
        #expect(changes.removal(of: 3) != nil)
        for change in [other, again, all] { changes.end(change.number) }
        let later = changes.begin(of: 3, isRemoval: false)
        #expect(later.earlier.isEmpty && changes.count == 1)
    }
}
