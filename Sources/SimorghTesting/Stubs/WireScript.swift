// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// How an answer is carried: when its parts come, how fast, and what goes wrong.
package struct WireScript: Sendable {
    /// How many bytes come at once, and how long it is from one time to the next.
    package struct Throttle: Sendable, Hashable {
        package let bytes: Int
        package let period: Duration

        /// How long so many bytes take.
        func time(for count: Int) -> Duration { period * count / bytes }
    }

    /// How long the head, the body and what follows it are waited for.
    package var headDelay = Duration.zero
    package var bodyDelay = Duration.zero
    package var endDelay = Duration.zero
    package var throttle: Throttle?
    /// The responses (1xx) before the final one.
    package var interim: [HTTPResponse] = []
    package var trailers = HTTPFields()
    package var fault: (point: WireFault.Point, fault: WireFault)?
    /// What brought the answer, and how long it took: what is told of it, in memory.
    package var connection: ConnectionInfo?
    package var timings = ExchangeTimings()
    /// Whether the answer is given when the head of the request has come.
    package var isEarly = false
    /// Whether the places of the rule's pattern are filled in.
    package var fillsPlaces = false

    package init() {}
}
