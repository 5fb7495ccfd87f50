// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// The exchanges of a script or a server that have begun and are not over, so that one that is left behind is seen.
package final class RunningExchanges: Sendable {
    private struct State {
        var nextID = 0
        var names: [Int: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var names: [String] { state.withLock { $0.names.sorted { $0.key < $1.key }.map(\.value) } }

    /// The exchanges as something left over, each with its number.
    package var leftovers: [Leftover] {
        state.withLock { state in
            state.names.sorted { $0.key < $1.key }.map { Leftover(id: $0.key, name: "exchange \($0.value)") }
        }
    }

    package func begin(_ name: String) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.names[state.nextID] = name
            return state.nextID
        }
    }

    package func end(_ id: Int) {
        state.withLock { $0.names[id] = nil }
    }
}
