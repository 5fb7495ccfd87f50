// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import Synchronization

/// A progress bar on a terminal; elsewhere nothing is shown.
package final class ProgressBar: Sendable {
    private struct State {
        var drawn: ContinuousClock.Instant?
        /// The number of bytes that an earlier run had already sent.
        var first: Int64?
        var region = TerminalRegion()
        /// The line to draw next: only the newest, however slow the terminal is.
        var next: ProgressLine?
        /// The newest line.
        var last: ProgressLine?
        var isDrawing = false
        /// True once the bar has ended: later progress is not shown.
        var hasEnded = false
    }

    private static let interval: Duration = .milliseconds(100)

    private let output: ConsoleQueue
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// Creates a bar.
    ///
    /// - Parameters:
    ///   - console: The console; the bar is drawn on its standard error.
    ///   - isShown: True to draw the bar. Default: if standard error is a terminal.
    package init(console: Console, isShown: Bool? = nil) {
        output = ConsoleQueue(console)
        self.isShown = isShown ?? console.showsPictures
    }

    /// Shows the progress, at most ten times per second, without waiting for the terminal.
    ///
    /// - Parameters:
    ///   - sent: The number of bytes sent.
    ///   - total: The total number of bytes; `nil` if unknown.
    package func show(sent: Int64, total: Int64?) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let begins = state.withLock { state -> Bool in
            guard !state.hasEnded else { return false }
            let first = state.first ?? sent
            state.first = first
            let line = Self.line(sent: sent, total: total, from: first, after: now - start)
            state.last = line
            if let drawn = state.drawn, now - drawn < Self.interval, sent != total { return false }
            state.drawn = now
            state.next = line
            defer { state.isDrawing = true }
            return !state.isDrawing
        }
        if begins { output.later { [self] console in draw(on: console) } }
    }

    private func draw(on console: Console) {
        while let text = next(console.size) { try? console.error.write(text) }
    }

    /// Returns the text to draw next; `nil` if everything is drawn.
    private func next(_ size: TerminalSize) -> String? {
        state.withLock { state -> String? in
            guard let line = state.next.take() else {
                state.isDrawing = false
                return nil
            }
            return state.region.draw([line.text(columns: size.columns)])
        }
    }

    /// Ends the bar, if it was drawn, with the newest progress.
    package func finish() async {
        let last = state.withLock { state -> ProgressLine? in
            defer { (state.drawn, state.last, state.hasEnded) = (nil, nil, true) }
            return state.drawn == nil ? nil : state.last
        }
        guard let last else { return }
        try? await output.write { [self] console throws(OutputError) in
            let text = last.text(columns: console.size.columns)
            try console.error.write(state.withLock { $0.region.end([text]) })
        }
    }

    /// Returns the line of the bar: `[######......]  50%  1.5 MiB of 3.0 MiB, 700.0 KiB/s`.
    ///
    /// - Parameters:
    ///   - sent: The number of bytes sent.
    ///   - total: The total number of bytes; `nil` if unknown.
    ///   - first: The number of bytes that an earlier run had sent.
    ///   - time: The duration of this run.
    /// - Returns: The line.
    package static func line(
        sent: Int64, total: Int64?, from first: Int64 = 0, after time: Duration
    ) -> ProgressLine {
        let seconds = time / .seconds(1)
        let speed = seconds > 0 ? "\(DisplayText.bytes(Double(max(0, sent - first)) / seconds))/s" : "-"
        guard let total else {
            return ProgressLine(
                .nothing, parts: [.init(DisplayText.bytes(Double(sent)), rank: 2), .init(speed, rank: 1)])
        }
        let fraction = total > 0 ? min(1, max(0, Double(sent) / Double(total))) : 1
        let percent = String(Int(fraction * 100))
        let padding = String(repeating: " ", count: 3 - percent.count)
        let amounts = "\(DisplayText.bytes(Double(sent))) of \(DisplayText.bytes(Double(total)))"
        return ProgressLine(
            .bar(fraction),
            parts: [
                .init("\(padding)\(percent)%", rank: 3), .init(amounts, rank: 1, separator: "  "),
                .init(speed, rank: 2),
            ])
    }
}
#endif
