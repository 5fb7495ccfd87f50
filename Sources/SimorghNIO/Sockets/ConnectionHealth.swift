// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import NIOCore

/// Whether a connection that idled can be trusted with a request.
///
/// An event loop hears of an end in its turn. A request that comes to a connection in the same turn would be written to a
/// peer that is gone, which one that may not be sent twice does not survive. So the system is asked where much time has
/// passed or much is at stake: one call of it, which sends nothing.
package enum ConnectionHealth {
    /// How long a connection may have idled to be used without a look.
    static let trust = TimeAmount.seconds(1)

    /// Whether the peer has ended the connection, as far as the system knows; asked on its loop.
    package static func isOver(_ channel: any Channel) -> Bool {
        // Unix sockets are none of TCP's, and tell nothing.
        guard let options = channel as? any SocketOptionProvider else { return false }
        var isEstablished = true
        state(of: options).assumeIsolated().whenSuccess { isEstablished = $0 }
        return !isEstablished
    }
}
