// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which root certificates are trusted.
@nonexhaustive
public enum TLSTrust: Sendable, Hashable {
    /// Those of the system.
    case system
    /// Those of the system, and others.
    case systemAnd([PEMSource])
    /// No others than these.
    case only([PEMSource])
}
