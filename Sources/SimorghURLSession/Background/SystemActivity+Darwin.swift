// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin) && !os(macOS)
/// The activities of the system.
enum SystemActivity {
    /// Begins an activity, which lasts until the block returns.
    static func begin(_ reason: String, block: @escaping @Sendable (_ isExpired: Bool) -> Void) {
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block)
    }
}
#endif
