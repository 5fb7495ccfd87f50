// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// The size of a terminal.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// The size to assume if it is unknown.
    package static let standard = TerminalSize(columns: 80, rows: 24)

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Creates the current size of a terminal.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - environment: The environment, whose `COLUMNS` and `LINES` are used if the system does not know the size.
    package init(_ descriptor: Descriptor, environment: [String: String]) {
        var size = winsize()
        let isKnown = ioctl(descriptor.number, UInt(TIOCGWINSZ), &size) == 0
        func number(_ known: UInt16, variable: String, standard: Int) -> Int {
            if isKnown, known > 0 { return Int(known) }
            guard let value = environment[variable].flatMap({ Int($0) }), (1...10_000).contains(value) else {
                return standard
            }
            return value
        }
        columns = number(size.ws_col, variable: "COLUMNS", standard: Self.standard.columns)
        rows = number(size.ws_row, variable: "LINES", standard: Self.standard.rows)
    }
}
#endif
