// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// A line of progress information that fits into the width of a terminal.
package struct ProgressLine: Sendable, Equatable {
    /// The beginning of the line, which gets the columns that the rest leaves.
    package enum Lead: Sendable, Equatable {
        /// A name; if it is too long, its middle is elided.
        case name(String)
        /// A bar, filled from 0 to 1.
        case bar(Double)
        case nothing
    }

    /// A piece of information after the lead.
    package struct Part: Sendable, Equatable {
        /// The text before it, unless it is the first.
        let separator: String
        let text: String
        /// The priority of the part: if columns are short, the part with the lowest rank is left out first.
        let rank: Int

        init(_ text: String, rank: Int, separator: String = ", ") {
            self.separator = separator
            self.text = text
            self.rank = rank
        }
    }

    private static let maximumBarWidth = 30
    private static let minimumBarWidth = 5

    let lead: Lead
    let parts: [Part]

    package init(_ lead: Lead, parts: [Part]) {
        self.lead = lead
        self.parts = parts
    }

    /// Returns the line.
    ///
    /// - Parameter columns: The terminal's columns; the last one stays empty, because some terminals wrap when it is
    ///   written.
    /// - Returns: A text that takes fewer columns.
    package func text(columns: Int) -> String {
        let room = max(1, columns - 1)
        var parts = parts
        while parts.count > 1,
            TextWidth.of(Self.joined(parts)) + minimumLeadWidth(parts: parts, columns: columns) > room,
            let lowest = parts.indices.min(by: { parts[$0].rank < parts[$1].rank })
        {
            parts.remove(at: lowest)
        }
        let rest = Self.joined(parts)
        return TextWidth.cut(shownLead(width: room - TextWidth.of(rest), parts: parts) + rest, to: room)
    }

    private static func joined(_ parts: [Part]) -> String {
        parts.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : $1.element.separator) + $1.element.text }
    }

    /// Returns the minimum columns of the lead, including the space after it.
    private func minimumLeadWidth(parts: [Part], columns: Int) -> Int {
        switch lead {
        // Two fifths of the line are enough to tell apart long names with a common prefix.
        case .name(let name): min(TextWidth.of(name), max(10, columns / 5 * 2)) + (parts.isEmpty ? 0 : 2)
        case .bar: Self.minimumBarWidth + 3
        case .nothing: 0
        }
    }

    private func shownLead(width: Int, parts: [Part]) -> String {
        switch lead {
        case .nothing: return ""
        case .name(let name):
            let blank = parts.isEmpty ? "" : "  "
            let shown = TextWidth.elided(name, to: max(0, width - TextWidth.of(blank)))
            return shown.isEmpty ? "" : shown + blank
        case .bar(let fraction):
            let cells = min(Self.maximumBarWidth, width - 3)
            guard cells >= Self.minimumBarWidth else { return "" }
            let full = Int(min(1, max(0, fraction)) * Double(cells))
            return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: cells - full) + "] "
        }
    }
}
#endif
