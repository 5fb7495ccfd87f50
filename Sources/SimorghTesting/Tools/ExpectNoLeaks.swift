// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Runs a function, and throws if it leaves something held or running: an exchange, a connection in use, a task, an
/// object.
///
/// ```swift
/// try await expectNoLeaks(in: server, clock) {
///     for try await line in try await client.stream(.get, "events").lines() { … }
/// }
/// ```
/// An exchange, a request or a WebSocket is reported with its number, its method and its URL without the query.
/// Leftovers that end shortly afterwards are waited for, so a passing test takes no longer than the work itself. The
/// function throws and imports no testing library: Swift Testing and XCTest both report thrown errors.
///
/// - Parameters:
///   - watched: The servers, transports, clocks and ``LeakSentinel``s to check.
///   - patience: The time that leftovers have to end; 10 seconds by default.
///   - body: The function to run.
/// - Returns: The function's result.
/// - Throws: The function's error; ``LeakedResourcesError``.
@discardableResult
public func expectNoLeaks<Value>(
    in watched: any LeakWatched..., within patience: Duration = .seconds(10), _ body: () async throws -> Value
) async throws -> Value {
    // Leftovers that existed before are ignored.
    let before = watched.map {
        OpenResource.all(of: $0).reduce(into: [OpenResource: Int]()) { $0[$1, default: 0] += 1 }
    }
    let value = try await body()
    let deadline = ContinuousClock.now + patience
    var pause = Duration.microseconds(200)
    while true {
        let leftovers = zip(watched, before).flatMap { watched, before -> [String] in
            var known = before
            let new = OpenResource.all(of: watched).filter { leftover in
                known[leftover, default: 0] -= 1
                return known[leftover, default: 0] < 0
            }
            return new.map(\.name)
        }
        if leftovers.isEmpty { return value }
        guard ContinuousClock.now < deadline else { throw LeakedResourcesError(leftovers: leftovers) }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
    }
}
