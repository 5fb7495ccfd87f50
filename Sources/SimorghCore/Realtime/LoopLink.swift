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
}
