// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension DeepText {
    /// A quote, as text in a string writes it: `\"`, in a string of a string `\\\"`; some write `\u0022`.
    struct Quote {
        /// How many backslashes are before it: they tell how deep it stands.
        let run: Int
        let isCode: Bool
        /// Whether it is a double one.
        let isDouble: Bool
        /// Where what follows the backslashes begins, and where all of it ends.
        let mark: Int
        let end: Int

        /// Whether it ends the string that another begins, and is no part of what that says.
        func closes(_ opening: Quote) -> Bool {
            guard isCode == opening.isCode, isDouble == opening.isDouble else { return false }
            // What the string says in quotes, and a backslash at its end, has more of them.
            return run % (isCode ? 4 * opening.run : 2 * (opening.run + 1)) == opening.run
        }
    }
}
