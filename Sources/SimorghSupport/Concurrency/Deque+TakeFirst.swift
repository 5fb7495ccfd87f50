// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension Deque {
    /// Removes the first element; if the deque is then empty, also releases its memory, since a deque does not shrink.
    ///
    /// - Returns: The element; `nil` if the deque is empty.
    @discardableResult
    package mutating func takeFirst() -> Element? {
        let first = popFirst()
        if isEmpty { self = Deque() }
        return first
    }
}
