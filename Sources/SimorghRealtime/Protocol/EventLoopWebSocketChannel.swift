// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A WebSocket link whose connection runs on an event loop.
package protocol EventLoopWebSocketChannel: WebSocketChannel {
    /// The executor that keeps a task on that event loop; `nil` if it has no executor.
    var taskExecutor: (any TaskExecutor)? { get }

    /// Removes and returns the next message if it has already arrived, is complete and fits the limit.
    ///
    /// It does not wait and does not call code of other components, so that it may be called under a lock.
    ///
    /// - Parameter maximumSize: The largest message to return, in bytes.
    /// - Returns: The message; `nil` if only ``WebSocketChannel/receive()`` can return the next message or the end.
    func takeBufferedMessage(upTo maximumSize: Int) -> WebSocketMessage?

    /// Sends a message if that needs no waiting: the message is small, and no other message is queued before it.
    ///
    /// - Parameter message: The message.
    /// - Returns: True if it was sent. Otherwise call ``WebSocketChannel/send(_:)``, which sends it or throws, and which
    ///   also checks for cancellation of the task.
    func sendImmediately(_ message: WebSocketMessage) -> Bool

    /// Sets the function that receives messages directly on the event loop.
    ///
    /// From now on, a complete message that arrives while a task waits in ``WebSocketChannel/receive()``, with no
    /// message before it, is passed to `sink`. If `sink` returns false, ``WebSocketChannel/receive()`` returns the
    /// message instead. This saves waking a task for each message. If a task is cancelled in
    /// ``WebSocketChannel/receive()``, messages that arrived just before may still be passed to `sink`.
    ///
    /// - Parameter sink: The receiver of the messages. It must not wait and must not call code of other components.
    func deliverMessages(to sink: @escaping MessageSink)
}

/// A function that receives a message, and possibly some of the messages after it.
///
/// `message` is the first message. `more` removes and returns the next message of at most the given number of bytes
/// if it has already arrived. The function returns true if it accepted the first message; if it returns false, it has
/// not called `more`.
package typealias MessageSink =
    @Sendable (
        _ message: WebSocketMessage, _ more: (_ maximumSize: Int) -> WebSocketMessage?
    ) -> Bool
