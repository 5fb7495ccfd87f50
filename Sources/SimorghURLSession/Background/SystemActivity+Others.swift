// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if !canImport(Darwin) || os(macOS)
/// Other systems do not suspend programs.
enum SystemActivity {
    /// Does nothing.
    static func begin(_ reason: String, block: @escaping @Sendable (_ isExpired: Bool) -> Void) {}
}
#endif
