// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// The colors of a terminal: escape sequences before and after a text, which are empty if color is disabled.
package struct Palette: Sendable, Hashable {
    /// A kind of text.
    package enum Style: Sendable, CaseIterable {
        case key, string, number, literal, faint, strong, good, bad
    }

    private let isColored: Bool

    package static let plain = Palette(isColored: false)
    package static let colored = Palette(isColored: true)

    /// Returns the escape sequence that starts a style.
    package func start(_ style: Style) -> String {
        guard isColored else { return "" }
        return switch style {
        case .key: "\u{1B}[34m"
        case .string: "\u{1B}[32m"
        case .number: "\u{1B}[36m"
        case .literal: "\u{1B}[35m"
        case .faint: "\u{1B}[2m"
        case .strong: "\u{1B}[1m"
        case .good: "\u{1B}[32m"
        case .bad: "\u{1B}[31m"
        }
    }

    /// The escape sequence that ends every style.
    package var end: String { isColored ? "\u{1B}[0m" : "" }

    /// Returns a text in a style.
    package func styled(_ text: String, as style: Style) -> String { start(style) + text + end }
}
#endif
