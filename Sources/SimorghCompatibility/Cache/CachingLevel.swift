// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// The tiers in which an application stores a response and searches for one.
public enum CachingLevel: Sendable, Hashable, CaseIterable {
    /// No cache: nothing is searched, stored or removed.
    case none
    /// Memory, until the program ends. No file is read or written, but storing a new entry removes an older file of the
    /// same key.
    case memory
    /// Memory and a file.
    case memoryAndFile
}
