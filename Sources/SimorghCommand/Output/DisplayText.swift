// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

/// Sanitizes untrusted text for a terminal, which must not interpret control characters that a server sent.
package enum DisplayText {
    /// Returns the text with each control character, including line breaks, replaced by U+FFFD.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text without control characters.
    package static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: LogText.isControl) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { shown.append(LogText.isControl(scalar) ? "\u{FFFD}" : scalar) }
        return String(shown)
    }

    /// Joins the lines of a message into one, with commas between the items of a list.
    ///
    /// - Parameter text: The message of the argument parser.
    /// - Returns: One line.
    package static func joinedLines(_ text: String) -> String {
        var line = ""
        var isInList = false
        for part in text.split(whereSeparator: \.isNewline) {
            let content = part.drop { $0 == " " || $0 == "\t" }
            let isItem = content.hasPrefix("- ")
            if !line.isEmpty { line += isItem && isInList ? ", " : " " }
            line += isItem ? content.dropFirst(2) : content
            isInList = isItem
        }
        return line
    }

    /// Returns the text without control characters, except tabs and line feeds, which a record may need.
    ///
    /// - Parameter text: The text.
    /// - Returns: The text without terminal control sequences.
    package static func record(_ text: String) -> String {
        let shown = text.unicodeScalars.filter { !LogText.isControl($0) || $0 == "\t" || $0 == "\n" }
        return String(String.UnicodeScalarView(shown))
    }

    /// Returns a line of JSON with its control characters escaped, which does not change its meaning.
    ///
    /// - Parameter line: The line, made by this program, with no white space between its tokens.
    /// - Returns: The line without terminal control sequences.
    package static func json(_ line: String) -> String {
        guard line.unicodeScalars.contains(where: LogText.isControl) else { return line }
        var shown = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            guard LogText.isControl(scalar) else {
                shown.append(scalar)
                continue
            }
            // Each control character is one UTF-16 code unit.
            let digits = String(scalar.value, radix: 16)
            let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
            shown.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
        }
        return String(shown)
    }

    /// Formats a number of bytes with one decimal place, such as `1.5 MiB`.
    ///
    /// - Parameter count: The number of bytes.
    /// - Returns: The number with its unit.
    package static func bytes(_ count: Double) -> String {
        var (count, unit) = (count.isFinite ? max(0, count) : 0, 0)
        while count >= 1024, unit < units.count - 1 { (count, unit) = (count / 1024, unit + 1) }
        guard unit > 0 else { return "\(Int(count)) \(units[0])" }
        let tenths = Int((count * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]

    /// Formats a duration in milliseconds with one decimal place.
    ///
    /// - Parameter duration: The duration; `nil` for a phase that did not happen.
    /// - Returns: A text such as `12.3 ms`, or a hyphen.
    package static func milliseconds(_ duration: Duration?) -> String {
        guard let duration else { return "-" }
        let (seconds, attoseconds) = duration.components
        let tenths = seconds * 10_000 + (attoseconds + 50_000_000_000_000) / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
#endif
