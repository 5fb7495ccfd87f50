// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Something that tells what is still held or running of its own; see ``expectNoLeaks(in:within:_:)``.
public protocol LeakWatched: Sendable {
    /// What is held or running now, one line each; empty where nothing is.
    var leftovers: [String] { get }
}
