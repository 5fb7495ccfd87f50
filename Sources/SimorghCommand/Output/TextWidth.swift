// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// The columns of a terminal that a text takes, and text cut to a number of them.
///
/// If terminals differ, the larger number is taken: a line that is too short does no harm, one that is too long wraps.
package enum TextWidth {
    /// The columns that a text takes.
    package static func of(_ text: String) -> Int {
        // ASCII, which most names are made of, has one column for each byte.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns that a letter takes, with all that is put on top of it.
    package static func of(_ letter: Character) -> Int {
        var width = 0
        for scalar in letter.unicodeScalars {
            // The selector of the coloured form makes a narrow sign wide.
            width += scalar.value == 0xFE0F && width == 1 ? 1 : of(scalar)
        }
        return width
    }

    /// The text, its middle left out if it takes more columns than there are.
    ///
    /// - Parameters:
    ///   - text: The text; its end, which tells the kind of a file, is kept like its beginning.
    ///   - columns: How many columns there are.
    /// - Returns: Text of at most so many columns.
    package static func elided(_ text: String, to columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 2 else { return cut(text, to: columns) }
        let behind = (columns - 1) / 2
        let end = String(cut(String(text.reversed()), to: behind).reversed())
        return cut(text, to: columns - 1 - of(end)) + "…" + end
    }

    /// The beginning of a text.
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
        // Vowels and finals of Hangul that are written into the consonant before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        guard value >= 0x1100 else { return false }
        // One of the two letters of a flag.
        if (0x1F1E6...0x1F1FF).contains(value) { return false }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(value) }
    }

    /// The blocks of East Asian letters that are wide (Unicode Standard Annex 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DFF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x1B2FB, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
#endif
