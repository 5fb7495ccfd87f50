// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Parses quantities with a unit: bytes, durations and shares.
package enum Quantity {
    /// Parses a number of bytes: `500k`, `2M`, `1.5g`, of 1,024 each.
    ///
    /// - Returns: The number; `nil` if the text is not a number with or without a unit, or not below 10^15 bytes. A
    ///   fraction of a byte counts as one.
    package static func bytes(_ text: String) -> Int64? {
        let units: [Character: Double] = ["k": 1024, "m": 1024 * 1024, "g": 1024 * 1024 * 1024]
        let unit = text.lowercased().last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text[...] : text.dropLast()) else { return nil }
        let count = number * (unit ?? 1)
        guard count >= 0, count < 1e15 else { return nil }
        return count == 0 ? 0 : Int64(max(1, count))
    }

    /// Parses a duration: `200ms`, `1.5s`, `2m`; a number without a unit is in seconds.
    ///
    /// - Returns: The duration; `nil` if the text is not a number from 0 to 86,400 seconds.
    package static func duration(_ text: String) -> Duration? {
        let lowercased = text.lowercased()
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
        let unit = units.first { lowercased.hasSuffix($0.suffix) }
        guard let number = Double(lowercased.dropLast(unit?.suffix.count ?? 0)) else { return nil }
        let seconds = number * (unit?.seconds ?? 1)
        guard (0...86_400).contains(seconds) else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// Parses a share in percent: `1%`, `0.5`.
    ///
    /// - Returns: The share, from 0 to 1; `nil` if the text is not a number from 0 to 100.
    package static func share(_ text: String) -> Double? {
        guard let percent = Double(text.hasSuffix("%") ? text.dropLast() : text[...]), (0...100).contains(percent)
        else { return nil }
        return percent / 100
    }
}
#endif
