// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension AsyncStream where Element == Void {
    /// Waits for the next event.
    func next() async {
        var iterator = makeAsyncIterator()
        _ = await iterator.next()
    }
}
