// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// For how long a response is that of the same request, word by word, and what it is then.
package protocol ResponseStanding: AnyObject, Sendable {
    /// Whether it still is.
    ///
    /// - Parameter now: The time, in milliseconds since 1970.
    /// - Returns: Whether the same request is answered with the same response.
    func holds(at now: Int64) -> Bool

    /// What the same request is answered with now, and for how long.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - now: The time, in milliseconds since 1970.
    /// - Returns: The answer; `nil` where more than time has passed, so that the whole chain has to be asked.
    func renewed(_ response: CollectedResponse, at now: Int64) -> (CollectedResponse, any ResponseStanding)?
}
