// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import Synchronization

/// A bar on a terminal that grows as bytes are sent; on anything else nothing is shown until the end.
package final class ProgressBar: Sendable {
    private struct State {
        var drawn: ContinuousClock.Instant?
        /// What an earlier run had sent already.
        var first: Int64?
        var width = 0
    }

    private static let cells = 30
    private static let interval: Duration = .milliseconds(100)

    private let console: Console
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// Creates a bar.
    ///
    /// - Parameter console: Where it is drawn: on its standard error.
    package init(console: Console) {
        self.console = console
        isShown = console.error.isTerminal
    }

    /// Draws how far it is, at most ten times a second.
    ///
    /// - Parameters:
    ///   - sent: How many bytes were sent.
    ///   - total: How many there are; `nil` where nobody knows.
    package func show(sent: Int64, total: Int64?) {
        guard isShown else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            if let drawn = state.drawn, now - drawn < Self.interval, sent != total { return }
            state.drawn = now
            let first = state.first ?? sent
            state.first = first
            let line = Self.line(sent: sent, total: total, from: first, after: now - start)
            try? console.error.write("\r" + line + String(repeating: " ", count: max(0, state.width - line.count)))
            state.width = line.count
        }
    }

    /// Ends the line of the bar.
    package func finish() {
        let isDrawn = state.withLock { state in
            defer { state.drawn = nil }
            return state.drawn != nil
        }
        if isDrawn { try? console.error.write("\n") }
    }

    /// The bar in words: `[######......]  50%  1.5 MiB of 3.0 MiB, 700.0 KiB/s`.
    ///
    /// - Parameters:
    ///   - sent: How many bytes were sent.
    ///   - total: How many there are; `nil` where nobody knows.
    ///   - first: How many of them an earlier run had sent.
    ///   - time: How long this run took.
    /// - Returns: The line.
    package static func line(sent: Int64, total: Int64?, from first: Int64 = 0, after time: Duration) -> String {
        let seconds = time / .seconds(1)
        let speed = seconds > 0 ? "\(DisplayText.bytes(Double(max(0, sent - first)) / seconds))/s" : "-"
        guard let total else { return "\(DisplayText.bytes(Double(sent))), \(speed)" }
        let fraction = total > 0 ? min(1, max(0, Double(sent) / Double(total))) : 1
        let full = Int(fraction * Double(cells))
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: cells - full)
        let percent = String(Int(fraction * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        let amounts = "\(DisplayText.bytes(Double(sent))) of \(DisplayText.bytes(Double(total)))"
        return "[\(bar)] \(padding)\(percent)%  \(amounts), \(speed)"
    }
}
