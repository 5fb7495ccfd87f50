// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationNetworking)
extension SessionCapabilities {
    /// The capabilities on this platform.
    package static let current = SessionCapabilities.linux
}
#endif
