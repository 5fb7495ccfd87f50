// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Duration {
    /// One hundred years: a limit for durations that every clock can represent.
    package static let century = Duration.seconds(Int64(3_155_760_000))

    /// Creates a duration of some seconds, limited to the range from zero to 100 years; NaN is zero.
    package init(clampingSeconds seconds: Double) {
        self = .seconds(seconds > 0 ? min(seconds, 3_155_760_000) : 0)
    }

    /// The duration in seconds, including fractions.
    package var secondsAsDouble: Double { self / .seconds(1) }

    /// The duration for a message, rounded: `250 milliseconds`, `2 seconds`, `8.5 seconds`.
    package var shown: String {
        let tenths = (max(0, secondsAsDouble) * 10).rounded()
        if tenths >= 10 {
            let whole = tenths.truncatingRemainder(dividingBy: 10) == 0
            // Limited to 100 years, to fit into an integer.
            let number = Int64(min(tenths, 31_557_600_000))
            let text = whole ? "\(number / 10)" : "\(number / 10).\(number % 10)"
            return text == "1" ? "1 second" : "\(text) seconds"
        }
        let milliseconds = (max(0, secondsAsDouble) * 1000).rounded()
        if milliseconds >= 1000 { return "1 second" }
        return milliseconds == 1 ? "1 millisecond" : "\(Int(milliseconds)) milliseconds"
    }
}
