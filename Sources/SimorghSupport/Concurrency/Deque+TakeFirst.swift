// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Deque {
    /// Removes the first element, and with the last one the memory that a burst took: a deque does not shrink by itself.
    ///
    /// - Returns: The element; `nil` if there is none.
    @discardableResult
    package mutating func takeFirst() -> Element? {
        let first = popFirst()
        if isEmpty { self = Deque() }
        return first
    }
}
