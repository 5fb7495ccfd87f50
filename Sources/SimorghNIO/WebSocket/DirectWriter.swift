// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore

/// The fast path of small messages: gives frames to the system's socket without the channel, and says when a task of the
/// event loop may do so itself. On the event loop alone.
///
/// - Warning: This is for speed alone: it saves a third of the instructions of a small message there and back. Bytes keep
///   their order only because ``isFree`` is false as long as the channel has bytes that it has not written: whoever gives
///   the channel anything calls ``gaveChannel()`` first.
struct DirectWriter {
    /// So often something comes before a task that sends many messages in a row may write by itself again.
    private static let longestPatience = 64

    /// `nil` if all goes by way of the channel.
    private var socket: OpenSocket?
    /// True if the channel has bytes that it has not written yet, as far as is known.
    private var isInChannel = false
    /// Tells what the channel was given last from what it was given before.
    private var lastWrite = 0
    /// True if a task of this loop has written by itself since something came.
    private var hasAnswered = false
    /// How often something is to come before one may again.
    private var patience = 0

    /// Creates a writer that leaves all to the channel.
    init() {}

    /// Creates a writer for the socket of a channel.
    ///
    /// - Parameters:
    ///   - channel: The channel; one with TLS, and one without a socket, has all written by itself.
    ///   - isInChannel: True if it has bytes that it has not written yet.
    init(of channel: any Channel, isInChannel: Bool) {
        socket = OpenSocket(of: channel)
        self.isInChannel = isWatching && isInChannel
    }

    /// True if frames may be given to the system here.
    var isFree: Bool { socket != nil && !isInChannel }

    /// True if the channel's writes have to be told.
    var isWatching: Bool { socket != nil }

    /// Gives bytes to the system.
    ///
    /// - Returns: How many of them it took; the channel has to write the others.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int { socket?.send(bytes) ?? 0 }

    /// The channel gets bytes to write.
    ///
    /// - Returns: A number for ``channelWrote(_:)``.
    mutating func gaveChannel() -> Int {
        lastWrite += 1
        isInChannel = true
        return lastWrite
    }

    /// The channel has written what it was given with this number, or cannot.
    mutating func channelWrote(_ number: Int) {
        if number == lastWrite { isInChannel = false }
    }

    // MARK: Tasks of the event loop

    /// True if a task may write by itself: once for each time that something comes. Whoever sends then is likely to wait, and
    /// the server can answer while this side makes ready for that.
    var isTimeToAnswer: Bool { !hasAnswered && patience == 0 }

    /// Something came.
    mutating func received() {
        hasAnswered = false
        if patience > 0 { patience -= 1 }
    }

    /// A task has written by itself.
    mutating func answered() { hasAnswered = true }

    /// A task has put a message into the outbox, and asks whether it may have it written.
    ///
    /// If one has written already and sends on, a system call for each message costs more than to wait for the others, and
    /// they go out together for a while.
    ///
    /// - Returns: True if it may.
    mutating func asksToAnswer() -> Bool {
        if hasAnswered { patience = Self.longestPatience }
        return isTimeToAnswer
    }
}
