// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Duration {
    /// A wait of so many seconds: what is no number or negative is none, and more than a hundred years are a hundred.
    package init(clampingSeconds seconds: Double) {
        self = .seconds(seconds > 0 ? min(seconds, 3_155_760_000) : 0)
    }

    /// How many seconds it is, parts of one included.
    package var inSeconds: Double { self / .seconds(1) }

    /// The duration for a sentence, rounded: `250 milliseconds`, `2 seconds`, `8.5 seconds`.
    package var shown: String {
        let tenths = (max(0, inSeconds) * 10).rounded()
        if tenths >= 10 {
            let whole = tenths.truncatingRemainder(dividingBy: 10) == 0
            // More than fits a whole number is cut to a hundred years.
            let number = min(tenths, 31_557_600_000)
            let text = whole ? "\(Int(number / 10))" : "\(Int(number / 10)).\(Int(number) % 10)"
            return text == "1" ? "1 second" : "\(text) seconds"
        }
        let milliseconds = (max(0, inSeconds) * 1000).rounded()
        if milliseconds >= 1000 { return "1 second" }
        return milliseconds == 1 ? "1 millisecond" : "\(Int(milliseconds)) milliseconds"
    }
}
