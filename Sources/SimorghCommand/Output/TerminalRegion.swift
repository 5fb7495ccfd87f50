// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// A block of lines at the bottom of a terminal that is redrawn in place.
///
/// The cursor rests on the first line. Each redraw erases everything below it, however the terminal moved or wrapped
/// the old lines when its size changed, so no row count can become outdated.
package struct TerminalRegion: Sendable, Equatable {
    private var isDrawn = false

    package init() {}

    /// Returns the text that draws lines over the previous ones.
    ///
    /// - Parameter lines: The lines, fewer than the terminal has rows.
    /// - Returns: The text to write to the terminal.
    package mutating func draw(_ lines: [String]) -> String {
        defer { isDrawn = true }
        let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
        return picture(lines) + "\r" + up
    }

    /// Returns the text that draws the final lines, which stay above the cursor.
    ///
    /// - Parameter lines: The lines.
    /// - Returns: The text to write to the terminal; empty if nothing was drawn before.
    package mutating func end(_ lines: [String]) -> String {
        guard isDrawn else { return "" }
        isDrawn = false
        return picture(lines) + (lines.isEmpty ? "" : "\n")
    }

    /// Returns the lines with wrapping disabled, in case the terminal draws a character wider than computed here.
    private func picture(_ lines: [String]) -> String {
        "\r\u{1B}[J\u{1B}[?7l" + lines.joined(separator: "\n") + "\u{1B}[?7h"
    }
}
#endif
