// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension AsyncSequence where Failure == Never {
    /// Returns the last element.
    package func last() async -> Element? {
        var last: Element?
        for await element in self { last = element }
        return last
    }
}
