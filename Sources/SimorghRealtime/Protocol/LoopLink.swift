// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A link whose connection lives on an event loop.
package protocol LoopLink: WebSocketLink {
    /// What keeps a task on that loop; `nil` where nothing does.
    var taskExecutor: (any TaskExecutor)? { get }

    /// Takes the next message, where it is here already, whole and not too large.
    ///
    /// It waits for nothing and runs nobody else's code, so that it may be asked under a lock.
    ///
    /// - Parameter most: The most bytes of the message.
    /// - Returns: The message; `nil` where only ``WebSocketLink/receive()`` knows what comes next.
    func takeMessage(upTo most: Int) -> WebSocketMessage?

    /// Sends a message, where that takes no waiting: it is small, and nobody is before it.
    ///
    /// - Parameter message: The message.
    /// - Returns: Whether it was sent. Where not, ``WebSocketLink/send(_:)`` sends it or knows why it cannot; that one heeds
    ///   the task's cancellation, too.
    func sendAtOnce(_ message: WebSocketMessage) -> Bool

    /// From now on, whole messages that come while somebody waits in ``WebSocketLink/receive()``, and nothing before them,
    /// go to somebody else, who is called on the loop and may say no: then they are received.
    ///
    /// A task less is woken for a message then. Whoever is cancelled in ``WebSocketLink/receive()`` may see some that came
    /// just before go there still.
    ///
    /// - Parameter hand: Who gets them; it waits for nothing and runs nobody else's code.
    func handMessages(to hand: @escaping MessageHand)
}

/// Takes a message that came, and some of those behind it.
///
/// The first is the message; `more` takes the next one of up to so many bytes where it is here already. It says whether it
/// took the first: if not, it has taken none.
package typealias MessageHand =
    @Sendable (
        _ message: WebSocketMessage, _ more: (_ most: Int) -> WebSocketMessage?
    ) -> Bool
