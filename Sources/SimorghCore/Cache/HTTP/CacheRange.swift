// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// A single byte range (RFC 9110, section 14.1.2).
package enum CacheRange: Sendable, Equatable {
    /// From a first to a last byte, both inclusive and counted from zero; `nil` is the end of the body.
    case from(Int64, to: Int64?)
    /// A number of bytes at the end of the body.
    case last(Int64)

    /// Creates the range of a request; `nil` if it has no range, several ranges, or another unit than bytes.
    package init?(_ fields: HTTPFields) {
        let lines = fields[values: .range]
        guard lines.count == 1 else { return nil }
        self.init(lines[0])
    }

    /// Creates the range of a field value.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].trimmingBlanks.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        switch (first, last, ends[0].isEmpty, ends[1].isEmpty) {
        case (nil, let count?, true, _): self = .last(count)
        case (let first?, nil, _, true): self = .from(first, to: nil)
        case (let first?, let last?, _, _) where first <= last: self = .from(first, to: last)
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(ByteSet.digits.contains) else { return nil }
        return Int64(text)
    }

    /// Returns the bytes of a body in the range; `nil` if the body has none of them.
    package func resolved(in length: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            first < length ? first..<(min(last ?? .max, length - 1) + 1) : nil
        case .last(let count):
            count > 0 && length > 0 ? max(0, length - count)..<length : nil
        }
    }
}
