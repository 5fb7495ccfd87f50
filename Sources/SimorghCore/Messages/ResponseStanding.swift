// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// For how long a response is that of the same request, word by word, and what the next one is.
package protocol ResponseStanding: AnyObject, Sendable {
    /// Whether it still is.
    ///
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: Whether the same request is answered with the same response.
    func holds(at now: Int64) -> Bool

    /// What the same request is answered with now, with nothing to wait for.
    ///
    /// - Returns: The response; `nil` where the whole chain has to be asked.
    /// - Throws: What the chain would, which may be asked all the same.
    func renewed() async throws -> TransportResponse?
}
