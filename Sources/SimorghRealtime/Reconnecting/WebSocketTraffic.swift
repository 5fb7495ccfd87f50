// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore

/// An item that passes through an open WebSocket channel, or its end.
package enum WebSocketTraffic: Sendable {
    /// A message is about to be sent.
    case sending(WebSocketMessage)
    /// A message was received.
    case received(WebSocketMessage)
    /// A message is about to be sent in parts, which are not observed.
    case sendingParts
    /// A message is received in parts, which are not observed.
    case receivingParts
    /// The server answered a ping after this time.
    case pong(after: Duration)
    /// This side begins the close handshake.
    case closing(WebSocketCloseCode, reason: String)
    /// The connection has ended; `nil` if it was released without a close handshake.
    case ended(WebSocketCloseInfo?)
}

/// An observer of the traffic of one WebSocket channel.
package protocol WebSocketTrafficObserver: Sendable {
    /// Called for each item, in order for each direction.
    func didObserve(_ traffic: WebSocketTraffic)
}

/// An observer of calls that also observes the WebSocket channels that they open.
package protocol WebSocketCallObserver: CallObserver {
    /// Returns the observer of a channel that was opened.
    ///
    /// - Parameters:
    ///   - call: The call that opened it.
    ///   - request: The upgrade request as it was sent.
    ///   - response: The server's response.
    /// - Returns: The observer; `nil` if the channel is not observed.
    func trafficObserver(
        call: CallContext.ID, request: TransportRequest, response: TransportResponse
    ) -> (any WebSocketTrafficObserver)?
}
