// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore

/// Where an application keeps an answer, and looks for one.
public enum CachingLevel: Sendable, Hashable, CaseIterable {
    /// Nowhere: nothing is looked for, kept or forgotten.
    case none
    /// In memory, until the program ends; no file is read or written, but an older one of the same thing is removed when
    /// something new is kept.
    case memory
    /// In memory and in a file.
    case memoryAndFile
}
