// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A count that has to return to its initial value, such as the number of leased connections.
///
/// ```swift
/// let leased = LeakCount("leased connections") { transport.statistics.leased }
/// try await expectNoLeaks(in: leased, server) { … }
/// ```
public struct LeakCount: LeakWatched {
    private let name: String
    private let count: @Sendable () -> Int

    /// Creates a leak check for a count.
    ///
    /// - Parameters:
    ///   - name: The name of the counted thing.
    ///   - count: Returns the count. It is called many times, on the task that checks.
    public init(_ name: String, count: @escaping @Sendable () -> Int) {
        self.name = name
        self.count = count
    }

    /// One line per counted item.
    public var leftovers: [String] { (0..<max(0, count())).map { "\(name) \($0 + 1)" } }
}
