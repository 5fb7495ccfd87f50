// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Harness
import Simorgh
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of readers that have stopped.
private final class Stopped: Sendable {
    let readers = Atomic(0)
}

/// Opens streamed responses whose readers stop, so that the memory of the process can be measured.
///
/// Never returns.
///
/// Prints a line when the last reader has stopped. An earlier request opens the connection, so that all of them share
/// it over HTTP/2.
func stall(_ client: APIClient, path: String, harness: Harness) async throws {
    _ = try await client.call(.head, path).data()
    let stopped = Stopped()
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<harness.stalled {
            group.addTask {
                let response = try await client.call(.get, path).stream()
                var iterator = response.chunks.makeAsyncIterator()
                var count = 0
                while count < harness.read, let chunk = try await iterator.next() { count += chunk.count }
                if stopped.readers.add(1, ordering: .relaxed).newValue == harness.stalled {
                    print("stalled")
                    fflush(nil)
                }
                // The response lives as long as the process, which is ended from outside.
                while true { try await Task.sleep(for: .seconds(3600)) }
            }
        }
        try await group.waitForAll()
    }
}
