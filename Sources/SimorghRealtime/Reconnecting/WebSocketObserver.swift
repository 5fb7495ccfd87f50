// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The state of one observer: its buffer, or the reader that waits for the next event.
package struct WebSocketObserver: Sendable {
    /// An event; for a `reconnecting` event also the error that caused it.
    package struct Entry: BoundedItem {
        package let event: WebSocketEvent
        package var reason: WebSocketError?

        package init(_ event: WebSocketEvent, because reason: WebSocketError? = nil) {
            self.event = event
            self.reason = reason
        }

        /// The size of a message in bytes; 0 for any other event.
        package var cost: Int { if case .message(let message) = event { message.byteCount } else { 0 } }
    }

    package typealias Source = BoundedSource<Entry, WebSocketError>

    private var source: Source
    private let overflow: WebSocketBuffer.Overflow
    /// The number of dropped events.
    package private(set) var dropped = 0
    /// The error of the last `reconnecting` event that was read.
    private(set) var reason: WebSocketError?

    package init(_ bounds: WebSocketBuffer) {
        source = Source(BoundedQueue(maximumCount: max(1, bounds.events), maximumCost: max(0, bounds.bytes)))
        overflow = bounds.overflow
    }

    package var buffered: BoundedQueue<Entry> { source.queue }

    /// True if a message must wait for this observer.
    package var suspends: Bool { overflow == .suspend && source.queue.isFull && !source.isAwaited && !source.isOver }

    /// The largest message that fits without dropping, suspending or overflowing, in bytes; less than 1 if none fits.
    package var remainingCapacity: Int { source.isOver ? .max : source.queue.spareCost }

    /// Adds an event, or passes it to the waiting reader.
    ///
    /// - Returns: The reader to resume with the event, if one is waiting.
    package mutating func add(_ entry: Entry) -> Source.Reader? {
        guard !source.isOver else { return nil }
        if let reader = source.takeReader() {
            record(entry)
            return reader
        }
        // A pong never displaces a message and never overflows the buffer.
        let isNeeded = entry.event != .pong || !source.queue.isFull(for: 0)
        let isLast = if case .disconnected = entry.event { true } else { false }
        switch isNeeded ? source.queue.offer(entry, overflow: overflow, isLast: isLast) : .dropped {
        case .added(let dropping): dropped += dropping
        case .dropped: dropped += 1
        case .overflow:
            let (count, bytes) = (source.queue.maximumCount, source.queue.maximumCost)
            finish(
                WebSocketError(
                    .bufferOverflow,
                    message: """
                        the buffer of an observer is full: \(count) events or \(bytes) bytes; read faster, or choose a \
                        larger buffer or another overflow policy
                        """))
        }
        return nil
    }

    /// Takes over the events that were buffered before this observer was added.
    mutating func takeOver(_ earlier: WebSocketObserver) {
        var earlier = earlier
        dropped += earlier.dropped
        while let entry = earlier.source.queue.popFirst() { _ = add(entry) }
    }

    private mutating func record(_ entry: Entry) {
        if case .reconnecting = entry.event { reason = entry.reason }
    }

    /// Sets the end of the stream, with or without an error, unless it is already set.
    ///
    /// It is called after an event was added, so no reader is waiting.
    mutating func finish(_ failure: WebSocketError?) { _ = source.finish(failure) }

    /// Removes and returns the next event.
    ///
    /// - Returns: The event or the end, `nil` if the reader has to wait; and true if a waiting message fits again.
    package mutating func take() -> (taken: Source.Taken?, hasRoom: Bool) { remove { $0.take() } }

    /// Removes and returns the next event, or registers the reader to wait for it.
    mutating func take(_ reader: Source.Reader, wait: UInt64) -> (taken: Source.Taken?, hasRoom: Bool) {
        remove {
            $0.read(
                reader, wait: wait,
                busy: .failure(
                    WebSocketError(.alreadyReading, message: "another task reads from the same stream")),
                cancelled: .failure(.taskCancelled))
        }
    }

    /// Removes an event with `take`, and finds out if a message that waited fits now.
    private mutating func remove(_ take: (inout Source) -> Source.Taken?) -> (taken: Source.Taken?, hasRoom: Bool) {
        let wasFull = suspends
        let taken = take(&source)
        if case .success(let entry?) = taken { record(entry) }
        return (taken, wasFull && !suspends)
    }

    /// Removes the reader of the wait with this number, or any waiting reader.
    mutating func cancel(wait: UInt64? = nil) -> Source.Wake? {
        let reader = if let wait { source.cancel(wait: wait) } else { source.takeReader() }
        return reader.map { Source.Wake(reader: $0, taken: .failure(.taskCancelled)) }
    }
}
