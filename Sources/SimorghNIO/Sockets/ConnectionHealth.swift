// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// A check of whether an idle connection is still open.
///
/// An event loop learns of a closed connection in its next tick. A request that gets the connection before that would
/// be written to a closed peer, which is fatal for a request that may not be sent twice. So the transport asks the
/// system if the connection was idle for long or the request must not be lost. It is one system call that sends
/// nothing.
package enum ConnectionHealth {
    /// The idle time up to which a connection is used without a check.
    static let trust = TimeAmount.seconds(1)

    /// Returns true if the peer has closed the connection, as far as the system knows; called on the channel's loop.
    package static func isOver(_ channel: any Channel) -> Bool {
        // Unix sockets have no TCP state.
        guard let options = channel as? any SocketOptionProvider else { return false }
        var isEstablished = true
        state(of: options).assumeIsolated().whenSuccess { isEstablished = $0 }
        return !isEstablished
    }
}
