// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// How words of one kind look on a terminal: an escape sequence before, another after; both empty without colour.
package struct Palette: Sendable, Hashable {
    /// A kind of words.
    package enum Style: Sendable, CaseIterable {
        case key, string, number, literal, faint, strong, good, bad
    }

    private let isColoured: Bool

    package static let plain = Palette(isColoured: false)
    package static let coloured = Palette(isColoured: true)

    /// What switches a style on.
    package func start(_ style: Style) -> String {
        guard isColoured else { return "" }
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

    /// What switches every style off.
    package var end: String { isColoured ? "\u{1B}[0m" : "" }

    /// Words in a style.
    package func styled(_ text: String, _ style: Style) -> String { start(style) + text + end }
}
#endif
