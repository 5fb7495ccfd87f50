// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport

/// The size of a terminal.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// The size of a terminal that does not tell its own.
    package static let standard = TerminalSize(columns: 80, rows: 24)

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// Asks the system.
    ///
    /// - Parameters:
    ///   - descriptor: The terminal.
    ///   - environment: Whose `COLUMNS` and `LINES` count where the system does not know.
    package init(_ descriptor: Descriptor, environment: [String: String]) {
        var size = winsize()
        let isKnown = ioctl(descriptor.number, UInt(TIOCGWINSZ), &size) == 0
        func number(_ known: UInt16, _ name: String, _ standard: Int) -> Int {
            if isKnown, known > 0 { return Int(known) }
            guard let told = environment[name].flatMap({ Int($0) }), (1...10_000).contains(told) else {
                return standard
            }
            return told
        }
        columns = number(size.ws_col, "COLUMNS", Self.standard.columns)
        rows = number(size.ws_row, "LINES", Self.standard.rows)
    }
}
#endif
