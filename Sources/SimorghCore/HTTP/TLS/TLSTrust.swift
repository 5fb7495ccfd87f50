// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The trusted root certificates.
///
/// A root is self-signed, and so may a server's own certificate be. A chain must lead to a root: unlike in curl, an
/// intermediate or server certificate that another authority has signed does not count as a root.
@nonexhaustive
public enum TLSTrust: Sendable, Hashable {
    /// The system's root certificates.
    case system
    /// The system's root certificates, and the given ones.
    case systemAnd([PEMSource])
    /// Only the given root certificates.
    case only([PEMSource])
}
