// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension StreamingResponse {
    /// The body as lines of text, each as soon as it has arrived.
    ///
    /// - Parameter limit: The longest line to accept, in bytes; 1 MiB by default.
    /// - Returns: The lines; like ``chunks`` they can be iterated once.
    public func lines(limit: Int = 1024 * 1024) -> ResponseLines { chunks.lines(limit: limit) }
}
