// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The frames that wait to be written, as ``WebSocketConnectionCore`` uses them.
package protocol WebSocketOutbox: AnyObject, Sendable {
    /// Answers a ping.
    ///
    /// While the outbox is full, only the latest ping is answered.
    func pong(_ payload: [UInt8])

    /// Adds a ping, even if another sender is active.
    ///
    /// - Returns: The result, which says if the caller has to schedule a flush.
    func ping(_ payload: [UInt8]) throws(WebSocketError) -> SendTurns.Sending

    /// Accepts no more messages; adds a close frame, if one is given.
    func end(_ error: WebSocketError, closeFrame: (code: WebSocketCloseCode?, reason: String)?)

    /// Discards the unwritten frames.
    func discard()

    /// Frees the memory that is kept for reuse.
    func freeSpareBuffers()
}
