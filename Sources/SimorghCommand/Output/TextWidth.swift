// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Measures the terminal columns of a text, and truncates text to a number of columns.
///
/// If terminals differ, the larger width is used: a line that is too short is harmless, one that is too long wraps.
package enum TextWidth {
    /// Returns the columns of a text.
    package static func of(_ text: String) -> Int {
        // Performance: most names are ASCII, with one column per byte.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Returns the columns of a character, including its combining marks.
    package static func of(_ letter: Character) -> Int {
        var width = 0
        for scalar in letter.unicodeScalars {
            // The emoji variation selector makes a narrow character wide.
            width += scalar.value == 0xFE0F && width == 1 ? 1 : of(scalar)
        }
        return width
    }

    /// Returns the text with its middle elided if it takes more columns than allowed.
    ///
    /// - Parameters:
    ///   - text: The text; its end is kept as well as its beginning, because it has the file extension.
    ///   - columns: The maximum number of columns.
    /// - Returns: A text of at most that many columns.
    package static func elided(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 2 else { return cut(text, to: columns) }
        let behind = (columns - 1) / 2
        let end = String(cut(String(text.reversed()), to: behind).reversed())
        return cut(text, to: columns - 1 - of(end)) + "…" + end
    }

    /// Returns the beginning of a text, up to a number of columns.
    package static func cut(_ text: String, to columns: Int) -> String {
        var width = 0
        return String(
            text.prefix { letter in
                width += of(letter)
                return width <= columns
            })
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return scalar.value == 0xAD ? 1 : 0
        default: break
        }
        // Hangul vowels and final consonants, which combine with the preceding consonant.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        guard value >= 0x1100 else { return false }
        // A regional indicator, two of which form a flag.
        if (0x1F1E6...0x1F1FF).contains(value) { return false }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(value) }
    }

    /// The blocks of wide East Asian characters (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DFF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
#endif
