// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Some lines at the bottom of a terminal that are drawn over again and again.
///
/// The cursor rests on the first of them. From there all below is erased before the next picture, however the terminal
/// moved or wrapped the old lines when its size changed: no number of rows is remembered that could be wrong by then.
package struct TerminalBoard: Sendable, Equatable {
    private var isDrawn = false

    package init() {}

    /// Returns the text that draws a picture over the last one.
    ///
    /// - Parameter lines: Its lines, fewer than the terminal has rows.
    /// - Returns: What is written to the terminal.
    package mutating func draw(_ lines: [String]) -> String {
        defer { isDrawn = true }
        let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
        return picture(lines) + "\r" + up
    }

    /// Returns the text that draws the last picture, which stays; the cursor is below it then.
    ///
    /// - Parameter lines: Its lines.
    /// - Returns: What is written to the terminal; nothing where nothing was drawn.
    package mutating func end(_ lines: [String]) -> String {
        guard isDrawn else { return "" }
        isDrawn = false
        return picture(lines) + (lines.isEmpty ? "" : "\n")
    }

    /// Lines without wrapping, should the terminal think that a letter is wider than we do.
    private func picture(_ lines: [String]) -> String {
        "\r\u{1B}[J\u{1B}[?7l" + lines.joined(separator: "\n") + "\u{1B}[?7h"
    }
}
#endif
