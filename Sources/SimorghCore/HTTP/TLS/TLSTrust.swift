// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Which root certificates are trusted.
///
/// A root is signed by itself, as a server's own certificate may be. A chain has to lead to one: the certificate of an
/// intermediate authority, or of a server, that another authority has signed is none here, though curl takes it for one.
@nonexhaustive
public enum TLSTrust: Sendable, Hashable {
    /// Those of the system.
    case system
    /// Those of the system, and others.
    case systemAnd([PEMSource])
    /// No others than these.
    case only([PEMSource])
}
