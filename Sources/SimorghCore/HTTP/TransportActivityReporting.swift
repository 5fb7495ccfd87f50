// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A transport that owns connections and reports how many of them are in use.
package protocol TransportActivityReporting: Transport {
    /// The current use of its connections.
    var activity: TransportActivity { get }
}

/// The number of a transport's connections and requests in each state; idle connections are not counted.
package struct TransportActivity: Sendable, Hashable {
    /// The number of connections that carry a request.
    package var carrying: Int
    /// The number of connections that are being opened.
    package var opening: Int
    /// The number of requests that wait for a connection.
    package var waiting: Int
    /// The requests whose connections were upgraded from HTTP to a WebSocket or are being upgraded, by unique numbers.
    package var upgraded: [Int: HTTPRequest]

    package init(carrying: Int, opening: Int, waiting: Int, upgraded: [Int: HTTPRequest]) {
        self.carrying = carrying
        self.opening = opening
        self.waiting = waiting
        self.upgraded = upgraded
    }
}
