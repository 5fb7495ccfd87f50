// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Duration {
    /// A wait of so many seconds: what is no number or negative is none, and more than a hundred years are a hundred.
    package init(clampingSeconds seconds: Double) {
        self = .seconds(seconds > 0 ? min(seconds, 3_155_760_000) : 0)
    }

    /// How many seconds it is, parts of one included.
    package var inSeconds: Double { self / .seconds(1) }
}
