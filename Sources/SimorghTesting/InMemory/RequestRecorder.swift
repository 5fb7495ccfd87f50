// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport
import Synchronization

/// Records requests in order and wakes the tasks that wait for one.
package final class RequestRecorder: Sendable {
    /// The maximum number of requests that are kept; later ones are only counted.
    package static let capacity = 100_000
    /// The maximum total size of the bodies that are kept, in bytes.
    package static let byteCapacity = 256 * 1024 * 1024

    /// The error for an index that is never recorded.
    package struct NotRecordedError: Error, CustomStringConvertible {
        let index: Int
        let recordedCount: Int
        package var description: String {
            "request \(index) was not recorded: only the first \(recordedCount) are kept"
        }
    }

    private struct State {
        var count = 0
        var bytes = 0
        /// True once a request was not kept.
        ///
        /// No later one is kept then, so that the kept ones are the first.
        var isFull = false
        var requests: [RecordedRequest] = []
        /// One gate for each awaited index.
        var awaited: [Int: Gate] = [:]
    }

    private let state = Mutex(State())

    private let capacity: Int
    private let byteCapacity: Int

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of requests to keep.
    ///   - byteCapacity: The maximum total size of their bodies, in bytes.
    package init(
        capacity: Int = RequestRecorder.capacity, byteCapacity: Int = RequestRecorder.byteCapacity
    ) {
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    package var requests: [RecordedRequest] { state.withLock { $0.requests } }

    package var count: Int { state.withLock { $0.count } }

    package func record(_ request: TransportRequest, body: Data) -> RecordedRequest {
        var options = request.options
        // These refer to the client, which holds the transport that owns this recorder.
        (options.call, options.progress, options.informational, options.wire) = (nil, nil, nil, nil)
        return record { RecordedRequest(index: $0, head: request.head, body: body, options: options) }
    }

    /// Records the request that the function creates from its number.
    package func record(_ make: (Int) -> RecordedRequest) -> RecordedRequest {
        let (recorded, gates) = state.withLock { state -> (RecordedRequest, [Gate]) in
            let recorded = make(state.count)
            let bytes = state.bytes + recorded.body.count
            if !state.isFull, state.requests.count < capacity, bytes <= byteCapacity {
                state.requests.append(recorded)
                state.bytes = bytes
            } else {
                state.isFull = true
            }
            state.count += 1
            // A full recorder never gets an awaited request.
            if state.isFull {
                defer { state.awaited = [:] }
                return (recorded, Array(state.awaited.values))
            }
            return (recorded, state.awaited.removeValue(forKey: recorded.index).map { [$0] } ?? [])
        }
        for gate in gates { gate.open() }
        return recorded
    }

    package func request(at index: Int) async throws -> RecordedRequest {
        guard (0..<capacity).contains(index) else { throw NotRecordedError(index: index, recordedCount: capacity) }
        while true {
            let (found, gate, recordedCount): (RecordedRequest?, Gate?, Int) = state.withLock { state in
                if index < state.requests.count { return (state.requests[index], nil, state.requests.count) }
                if state.isFull { return (nil, nil, state.requests.count) }
                let gate = state.awaited[index] ?? Gate()
                state.awaited[index] = gate
                return (nil, gate, state.requests.count)
            }
            if let found { return found }
            guard let gate else { throw NotRecordedError(index: index, recordedCount: recordedCount) }
            try await gate.wait()
        }
    }
}
