// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import Synchronization

/// The exchanges of a stub or mock server that have begun and not ended, for leak detection.
package final class RunningExchanges: Sendable {
    private struct State {
        var nextID = 0
        var heads: [Int: HTTPRequest] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// The exchanges as leftovers, numbered from 1 in the order in which they began.
    package var leftovers: [OpenResource] {
        let heads = state.withLock { $0.heads }
        return heads.sorted { $0.key < $1.key }.map { id, head in
            OpenResource(id: id, name: "exchange \(id): \(OpenResource.name(of: head))")
        }
    }

    package func begin(_ head: HTTPRequest) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.heads[state.nextID] = head
            return state.nextID
        }
    }

    package func end(_ id: Int) {
        state.withLock { $0.heads[id] = nil }
    }
}
