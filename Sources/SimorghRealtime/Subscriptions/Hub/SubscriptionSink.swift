// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The receiver of the events and changes of a subscription.
package protocol SubscriptionSink: AnyObject, Sendable {
    /// Receives an event; returns `false` if the reader task must wait for ``waitForRoom()``.
    func deliver(_ payload: SubscriptionPayload) -> Bool
    /// Receives a change.
    func notify(_ notice: SubscriptionNotice)
    /// Receives the end.
    func end(_ error: SubscriptionError?)
    /// Waits until the buffer has room for an event, the subscriber has left, or ``stopWaiting()`` is called.
    func waitForRoom() async
    /// The remaining capacity that ``waitForRoom()`` waits for.
    var capacity: BufferCapacity { get }
    /// Ends the current wait for room, or else the next one.
    func stopWaiting()
}

/// The remaining capacity of a subscriber's buffer.
package enum BufferCapacity: Sendable, Hashable {
    /// The buffer has room.
    case free
    /// The buffer is full, but accepts more events if the reader task would otherwise block a waiting request.
    case slack
    /// The buffer is full, including its slack.
    case full
}

extension SubscriptionSink {
    /// `.free`: by default, the reader task waits once for such a sink.
    package var capacity: BufferCapacity { .free }

    package func stopWaiting() {}
}
