// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghTesting
import Synchronization

/// Gates that are opened one after another.
final class GateSequence: Sendable {
    let gates: [Gate]
    private let opened = Atomic(0)

    init(count: Int) { gates = (0..<count).map { _ in Gate() } }

    /// Opens the first closed gate; has no effect if all are open.
    func openNext() {
        let index = opened.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
        if gates.indices.contains(index) { gates[index].open() }
    }
}
#endif
