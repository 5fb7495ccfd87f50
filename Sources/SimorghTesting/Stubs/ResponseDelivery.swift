// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
package import SimorghCore

/// The delivery of a response: delays, throttling and faults.
package struct ResponseDelivery: Sendable {
    /// A number of bytes that are sent at once, and the time between two sends.
    package struct Throttle: Sendable, Hashable {
        package let bytes: Int
        package let period: Duration

        /// Returns the time that a number of bytes takes.
        func time(for count: Int) -> Duration { period * count / bytes }
    }

    /// The delays of the head, the body and its end.
    package var headDelay = Duration.zero
    package var bodyDelay = Duration.zero
    package var endDelay = Duration.zero
    package var throttle: Throttle?
    /// The interim responses (1xx).
    package var interim: [HTTPResponse] = []
    package var trailers = HTTPFields()
    package var fault: (point: WireFault.Point, fault: WireFault)?
    /// The reported connection and timings of an in-memory response.
    package var connection: ConnectionInfo?
    package var timings = ExchangeTimings()
    /// True if the response is sent when the head of the request has arrived.
    package var isEarly = false
    /// True if the placeholders of the rule's pattern are replaced in the response.
    package var replacesPlaceholders = false

    package init() {}
}
