// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import NIOCore
import NIOSSL

/// The socket below a connection in the clear, for what is small and must go now: the system takes it at once, where the
/// channel would put it into a list first.
///
/// Only for who knows that nothing lies with the channel: what is written here comes before that.
struct OpenSocket {
    /// Kept: a pipeline's `withUnsafeTransportIfAvailable` looks for it anew each time, by a cast that costs 14,000
    /// instructions, nearly as much as all else that a message costs there and back.
    private let core: any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>

    /// The socket of a channel whose bytes go out as they are written; asked on its event loop.
    ///
    /// - Parameter channel: The channel; `nil` comes of one with TLS, and of one that has no socket.
    init?(of channel: any Channel) {
        guard let core = channel._channelCore as? any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>,
            (try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)) == nil
        else { return nil }
        self.core = core
    }

    /// Writes what the system takes at once.
    ///
    /// - Parameter bytes: What there is.
    /// - Returns: How many of them it took. None where it takes none just now, or never again: the channel finds out which.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        // A channel that is closed has no socket any more, and says so.
        let count = try? core.withUnsafeTransport { sendAtOnce(bytes, to: $0) }
        return max(count ?? 0, 0)
    }
}

/// Writes without waiting, and without the signal that ends a process whose peer has left; apart from the type, whose own
/// method hides the system's.
private func sendAtOnce(_ bytes: UnsafeRawBufferPointer, to socket: CInt) -> Int {
    send(socket, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
}
#endif
