// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// Gives small frames to the system's socket, past the channel.
///
/// It also says when a task of the event loop may write by itself. It is used on the event loop alone.
///
/// - Warning: This is an optimization: it saves a third of the instructions of a small message there and back. Bytes keep
///   their order only because ``isFree`` is false while the channel has bytes that it has not written. A caller that gives
///   the channel a batch of frames calls ``gaveChannel()`` for the last one before it returns to the loop.
struct DirectWriter {
    /// The number of reads in which tasks do not write by themselves, after one has sent several messages in a row.
    private static let longestPause = 64

    /// The socket; `nil` if all frames go by way of the channel.
    private var socket: OpenSocket?
    /// True if the channel has bytes that it has not written yet, as far as is known.
    private var isInChannel = false
    /// The number of the last batch that the channel got.
    private var lastBatch = 0
    /// True if a task of this loop has written by itself since the last read.
    private var hasAnswered = false
    /// The number of reads until tasks may write by themselves again.
    private var pause = 0

    /// Creates a writer that leaves all to the channel.
    init() {}

    /// Creates a writer for the socket of a channel.
    ///
    /// - Parameters:
    ///   - channel: The channel. If it has TLS or no socket, all frames go by way of it.
    ///   - isInChannel: True if it has bytes that it has not written yet.
    init(of channel: any Channel, isInChannel: Bool) {
        socket = OpenSocket(of: channel)
        self.isInChannel = isWatching && isInChannel
    }

    /// True if frames may be given to the socket now.
    var isFree: Bool { socket != nil && !isInChannel }

    /// True if this has to hear of the channel's writes.
    var isWatching: Bool { socket != nil }

    /// Gives bytes to the socket.
    ///
    /// - Returns: The number of bytes that it took; the channel has to write the others.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int { socket?.send(bytes) ?? 0 }

    /// Notes that the channel gets bytes to write.
    ///
    /// - Returns: A number for ``channelWrote(_:)``.
    mutating func gaveChannel() -> Int {
        lastBatch += 1
        isInChannel = true
        return lastBatch
    }

    /// Notes that the channel has written the bytes with this number, or has failed to.
    mutating func channelWrote(_ number: Int) {
        if number == lastBatch { isInChannel = false }
    }

    // MARK: Tasks of the event loop

    /// True if a task may write by itself: once after each read.
    ///
    /// A task that sends then is likely to wait for an answer, which the server can prepare meanwhile.
    var isTimeToAnswer: Bool { !hasAnswered && pause == 0 }

    /// Notes that bytes came.
    mutating func received() {
        hasAnswered = false
        if pause > 0 { pause -= 1 }
    }

    /// Notes that a task has written by itself.
    mutating func answered() { hasAnswered = true }

    /// Notes that a task has put another message into the outbox.
    ///
    /// If it has written by itself already, a system call for each message costs more than to wait for the next messages:
    /// for a while, they go out together.
    mutating func queued() {
        if hasAnswered { pause = Self.longestPause }
    }
}
