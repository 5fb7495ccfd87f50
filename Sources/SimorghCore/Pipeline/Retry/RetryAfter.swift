// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// How long a server wants to be left alone (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The wait that a field's value asks for: seconds, or a date in any of its three forms.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - now: The date.
    /// - Returns: The wait, not less than zero; `nil` for a value that says nothing.
    package static func delay(_ value: String, now: Date) -> Duration? {
        let text = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let trimmed = String(decoding: text.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed(), as: UTF8.self)
        guard !trimmed.isEmpty else { return nil }
        if trimmed.utf8.allSatisfy(ByteSet.digits.contains) {
            // More than a hundred years is as good as for ever, and a number of any length is a number.
            return .seconds(min(Int64(trimmed) ?? .max, longest))
        }
        guard let date = HTTPDate.parse(trimmed, now: now) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(longest)))
    }

    private static let longest: Int64 = 3_155_760_000
}
