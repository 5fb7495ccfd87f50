// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// A parser for the `Retry-After` header field (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Returns the wait that a field value requests: seconds, or a date in any of the three HTTP formats.
    ///
    /// - Parameters:
    ///   - value: The field value.
    ///   - now: The current date.
    /// - Returns: The wait, at least zero; `nil` for an invalid value.
    package static func delay(_ value: String, now: Date) -> Duration? {
        let text = value.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let trimmed = String(decoding: text.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed(), as: UTF8.self)
        guard !trimmed.isEmpty else { return nil }
        if trimmed.utf8.allSatisfy(ByteSet.digits.contains) {
            // A number of any length is valid; the wait is limited to 100 years.
            return .seconds(min(Int64(trimmed) ?? .max, maximumSeconds))
        }
        guard let date = HTTPDate.parse(trimmed, now: now) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(maximumSeconds)))
    }

    private static let maximumSeconds: Int64 = 3_155_760_000
}
