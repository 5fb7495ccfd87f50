// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import NIOCore
import NIOSSL

/// The socket of a connection without TLS, for small messages that must be sent now, without the channel's write
/// queue.
///
/// Use it only if the channel has no pending writes: bytes that are written here overtake them.
struct DirectSocketWriter {
    /// Cached: a pipeline's `withUnsafeTransportIfAvailable` repeats a cast that costs 14,000 instructions, nearly as
    /// much as the rest of a message's round trip.
    private let core: any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>

    /// Creates a writer for the socket of a channel; called on the channel's loop.
    ///
    /// - Parameter channel: The channel. The result is `nil` if it uses TLS or has no socket.
    init?(of channel: any Channel) {
        guard let core = channel._channelCore as? any NIOTransportAccessibleChannelCore<NIOBSDSocket.Handle>,
            (try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)) == nil
        else { return nil }
        self.core = core
    }

    /// Writes as many bytes as the system takes at once.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: The number of bytes that the system took. It is 0 if the socket is full or broken; the channel finds
    ///   out which.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        // A closed channel has no socket, and throws.
        let count = try? core.withUnsafeTransport { sendImmediately(bytes, to: $0) }
        return max(count ?? 0, 0)
    }
}

/// Writes without blocking, and without the SIGPIPE that ends a process whose peer has closed.
///
/// A free function, because the type's own `send` hides the system's.
private func sendImmediately(_ bytes: UnsafeRawBufferPointer, to socket: CInt) -> Int {
    send(socket, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
}
#endif
