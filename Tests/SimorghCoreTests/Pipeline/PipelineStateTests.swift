// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PipelineStateTests {
    /// An object that runs a closure in `deinit`.
    private final class Thing: Sendable {
        private let onEnd: @Sendable () -> Void

        init(_ onEnd: @escaping @Sendable () -> Void = {}) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    @Test("Creating or releasing a value may access PipelineState again")
    func reentrant() {
        let state = PipelineState()
        let ended = Counter()
        let outer = state.value(for: "outer") {
            let inner = state.value(for: "inner") { Thing() }
            #expect(inner === state.value(for: "inner") { Thing() })
            return Thing {
                ended.next()
                _ = state.value(for: "last") { Thing() }
            }
        }
        #expect(outer === state.value(for: "outer") { Thing() })
        for number in 0..<2 * PipelineState.capacity { _ = state.value(for: number) { Thing { ended.next() } } }
        #expect(ended.count == PipelineState.capacity)
    }

    @Test("Concurrent callers that create the same value all get the first")
    func race() async {
        let state = PipelineState()
        await withTaskGroup(of: Void.self) { group in
            for key in 0..<50 {
                for _ in 0..<4 {
                    group.addTask {
                        let thing = state.value(for: key) { Thing() }
                        #expect(thing === state.value(for: key) { Thing() })
                    }
                }
            }
        }
    }
}
