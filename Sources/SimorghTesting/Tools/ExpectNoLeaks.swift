// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Runs a function, and fails where it leaves something held or running: an exchange, a connection's work, a task, an object.
///
/// ```swift
/// try await expectNoLeaks(in: server, clock) {
///     for try await line in try await client.stream(.get, "events").lines() { … }
/// }
/// ```
/// An exchange, a request or a WebSocket that is left is told by its number, its method and its URL without the query.
/// What ends a moment later is waited for, so that a test which passes takes no longer than the work itself. It throws and
/// imports no testing library: Swift Testing and XCTest both report what a test throws.
///
/// - Parameters:
///   - watched: What is looked at: servers, transports, clocks, a ``LeakSentinel``.
///   - patience: How long leftovers have to go; 10 seconds by default.
///   - body: What is run.
/// - Returns: What the function returns.
/// - Throws: What the function throws; ``LeakedResources``.
@discardableResult
public func expectNoLeaks<Value>(
    in watched: any LeakWatched..., within patience: Duration = .seconds(10), _ body: () async throws -> Value
) async throws -> Value {
    // What was there before is none of the function's doing.
    let before = watched.map { Leftover.all(of: $0).reduce(into: [Leftover: Int]()) { $0[$1, default: 0] += 1 } }
    let value = try await body()
    let deadline = ContinuousClock.now + patience
    var pause = Duration.microseconds(200)
    while true {
        let leftovers = zip(watched, before).flatMap { watched, before -> [String] in
            var known = before
            let new = Leftover.all(of: watched).filter { leftover in
                known[leftover, default: 0] -= 1
                return known[leftover, default: 0] < 0
            }
            return new.map(\.name)
        }
        if leftovers.isEmpty { return value }
        guard ContinuousClock.now < deadline else { throw LeakedResources(leftovers: leftovers) }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
    }
}
