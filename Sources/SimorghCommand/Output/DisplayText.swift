// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh

/// Text of strangers made safe to show: a terminal must never obey what a server sent.
package enum DisplayText {
    /// The text with each control character replaced by a mark.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text without control characters, line breaks among them.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: LogText.isControl) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { shown.append(LogText.isControl(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown)
    }

    /// Joins the lines of a message into one: the items of a list with commas between them.
    ///
    /// - Parameter text: The message, as the parser of arguments makes it.
    /// - Returns: One line.
    package static func joinedLines(_ text: String) -> String {
        var line = ""
        var isInList = false
        for part in text.split(whereSeparator: \.isNewline) {
            let words = part.drop { $0 == " " || $0 == "\t" }
            let isItem = words.hasPrefix("- ")
            if !line.isEmpty { line += isItem && isInList ? ", " : " " }
            line += isItem ? words.dropFirst(2) : words
            isInList = isItem
        }
        return line
    }

    /// A record without control characters but tabs and line ends, which it may need.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text without what a terminal might obey.
    package static func record(_ text: String) -> String {
        let shown = text.unicodeScalars.filter { !LogText.isControl($0) || $0 == "\t" || $0 == "\n" }
        return String(String.UnicodeScalarView(shown))
    }

    /// A line of JSON, made by this program, whose control characters are written as escapes, which mean the same.
    ///
    /// - Parameter line: The line, with no white space between its parts.
    /// - Returns: The line without what a terminal might obey.
    package static func json(_ line: String) -> String {
        guard line.unicodeScalars.contains(where: LogText.isControl) else { return line }
        var shown = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            guard LogText.isControl(scalar) else {
                shown.append(scalar)
                continue
            }
            // Each of them is one unit of UTF-16.
            let digits = String(scalar.value, radix: 16)
            let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
            shown.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
        }
        return String(shown)
    }

    /// A number of bytes with one place, such as `1.5 MiB`.
    ///
    /// - Parameter count: The number.
    /// - Returns: The number with its unit.
    package static func bytes(_ count: Double) -> String {
        var (count, unit) = (count.isFinite ? max(0, count) : 0, 0)
        while count >= 1024, unit < units.count - 1 { (count, unit) = (count / 1024, unit + 1) }
        guard unit > 0 else { return "\(Int(count)) \(units[0])" }
        let tenths = Int((count * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]

    /// A time in milliseconds with one place.
    ///
    /// - Parameter duration: The time; `nil` for a phase that did not happen.
    /// - Returns: Such as `12.3 ms`, or a hyphen.
    package static func milliseconds(_ duration: Duration?) -> String {
        guard let duration else { return "-" }
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
#endif
