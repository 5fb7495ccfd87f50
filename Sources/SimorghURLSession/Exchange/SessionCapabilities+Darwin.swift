// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension SessionCapabilities {
    /// The capabilities on this platform.
    package static let current = SessionCapabilities.apple
}
#endif
