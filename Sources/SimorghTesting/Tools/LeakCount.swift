// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A number that has to come back to what it was, such as the connections that a transport has lent out.
///
/// ```swift
/// let leased = LeakCount("leased connections") { transport.statistics.leased }
/// try await expectNoLeaks(in: leased, server) { … }
/// ```
public struct LeakCount: LeakWatched {
    private let name: String
    private let count: @Sendable () -> Int

    /// Watches a number.
    ///
    /// - Parameters:
    ///   - name: What is counted, in words.
    ///   - count: Counts it. It is called many times, on the task of who watches.
    public init(_ name: String, _ count: @escaping @Sendable () -> Int) {
        self.name = name
        self.count = count
    }

    /// One line for each that is counted.
    public var leftovers: [String] { (0..<max(0, count())).map { "\(name) \($0 + 1)" } }
}
