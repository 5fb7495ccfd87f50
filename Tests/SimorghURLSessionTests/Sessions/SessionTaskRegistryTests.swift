// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghURLSession
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SessionTaskRegistryTests {
    @Test("An owner is found by its task until it is removed")
    func owners() {
        let registry = SessionTaskRegistry<String>()
        #expect(registry.add("a", for: 1) && registry.add("b", for: 2))
        #expect(registry[1] == "a" && registry[3] == nil)
        #expect(registry.remove(1) == "a")
        #expect(registry[1] == nil && registry.remove(1) == nil)
        #expect(registry.removeAll() == ["b"])
        #expect(registry.removeAll().isEmpty)
    }

    @Test("After all were cancelled, a later owner has to cancel its task, and is found for the task's last events")
    func cancelled() {
        let registry = SessionTaskRegistry<String>()
        #expect(registry.add("a", for: 1))
        #expect(registry.cancelAll() == ["a"])
        #expect(!registry.add("late", for: 2))
        #expect(registry[1] == "a" && registry[2] == "late")
        #expect(registry.cancelAll().sorted() == ["a", "late"])
        #expect(registry.remove(2) == "late")
    }
}
