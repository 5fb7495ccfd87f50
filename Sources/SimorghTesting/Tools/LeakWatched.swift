// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A type that reports what it still holds or runs; see ``expectNoLeaks(in:within:_:)``.
public protocol LeakWatched: Sendable {
    /// The resources that are held or running now, one line each.
    var leftovers: [String] { get }
}
