// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes

/// A transport with connections of its own, which tells how many of them are needed now.
package protocol BusyTransport: Transport {
    /// What its connections do now.
    var occupation: TransportOccupation { get }
}

/// What the connections of a transport do; those that idle are none of it.
package struct TransportOccupation: Sendable, Hashable {
    /// How many carry something.
    package var carrying: Int
    /// How many are being opened.
    package var opening: Int
    /// How many requests wait for one.
    package var waiting: Int
    /// What those asked for that have left HTTP for a WebSocket, or ask to, by numbers of which none comes again.
    package var upgraded: [Int: HTTPRequest]

    package init(carrying: Int, opening: Int, waiting: Int, upgraded: [Int: HTTPRequest]) {
        self.carrying = carrying
        self.opening = opening
        self.waiting = waiting
        self.upgraded = upgraded
    }
}
