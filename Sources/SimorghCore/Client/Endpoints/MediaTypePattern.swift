// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Patterns for media types: `application/json`, `image/*`, `*/*` (RFC 9110, section 12.5.1).
package enum MediaTypePattern {
    /// Returns true if a type matches a pattern.
    ///
    /// Ignores parameters and letter case.
    package static func matches(_ type: String, pattern: String) -> Bool {
        let type = essence(of: type)
        let pattern = essence(of: pattern)
        if pattern == "*/*" || pattern == type { return true }
        guard pattern.hasSuffix("/*") else { return false }
        return type.hasPrefix(pattern.dropLast())
    }

    /// Returns the type and subtype, without parameters, in lowercase.
    package static func essence(of type: String) -> String {
        let essence = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 }
        return String(decoding: essence, as: UTF8.self).lowercased()
    }
}
