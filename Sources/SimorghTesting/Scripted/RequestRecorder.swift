// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Keeps requests in their order and wakes those who wait for one.
package final class RequestRecorder: Sendable {
    /// The most requests that are kept; later ones are only counted.
    package static let capacity = 100_000

    /// A request was asked for that is never kept.
    package struct NotRecorded: Error, CustomStringConvertible {
        let index: Int
        package var description: String { "request \(index) is not one of the first \(capacity), which are kept" }
    }

    private struct State {
        var count = 0
        var requests: [RecordedRequest] = []
        /// One gate for each index somebody waits for.
        var awaited: [Int: Gate] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var requests: [RecordedRequest] { state.withLock { $0.requests } }

    package var count: Int { state.withLock { $0.count } }

    package func record(_ request: TransportRequest, body: Data) -> RecordedRequest {
        record { RecordedRequest(index: $0, head: request.head, body: body, options: request.options) }
    }

    /// Keeps what is made of its number.
    package func record(_ make: (Int) -> RecordedRequest) -> RecordedRequest {
        let (recorded, gate) = state.withLock { state in
            let recorded = make(state.count)
            if state.requests.count < Self.capacity { state.requests.append(recorded) }
            state.count += 1
            return (recorded, state.awaited.removeValue(forKey: recorded.index))
        }
        gate?.open()
        return recorded
    }

    package func request(at index: Int) async throws -> RecordedRequest {
        guard (0..<Self.capacity).contains(index) else { throw NotRecorded(index: index) }
        while true {
            let (found, gate): (RecordedRequest?, Gate?) = state.withLock { state in
                if index < state.requests.count { return (state.requests[index], nil) }
                let gate = state.awaited[index] ?? Gate()
                state.awaited[index] = gate
                return (nil, gate)
            }
            if let found { return found }
            try await gate?.wait()
        }
    }
}
