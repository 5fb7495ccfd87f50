// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension NestedTextRedactor {
    /// A quote as written in text in a string: `\"`, in a string of a string `\\\"`; some encoders write `\u0022`.
    struct Quote {
        /// The number of backslashes before the quote, which determines its nesting depth.
        let run: Int
        let isCode: Bool
        /// True for a double quote.
        let isDouble: Bool
        /// The index after the backslashes, and the end of the quote.
        let mark: Int
        let end: Int

        /// Returns true if the quote ends the string that another one begins, and is not a part of its content.
        func closes(_ opening: Quote) -> Bool {
            guard isCode == opening.isCode, isDouble == opening.isDouble else { return false }
            // Quotes in the content of the string, and after a backslash at its end, have more backslashes.
            return run % (isCode ? 4 * opening.run : 2 * (opening.run + 1)) == opening.run
        }
    }
}
