// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// One observer of a connection: what is kept for it, or its wait for more.
package struct WebSocketObserver: Sendable {
    /// An event, and for a loss its reason.
    package struct News: BoundedItem {
        package let event: WebSocketEvent
        package var reason: WebSocketError?

        package init(_ event: WebSocketEvent, because reason: WebSocketError? = nil) {
            self.event = event
            self.reason = reason
        }

        /// The bytes of a message.
        package var cost: Int { if case .message(let message) = event { message.byteCount } else { 0 } }
    }

    package typealias Source = BoundedSource<News, WebSocketError>

    private var source: Source
    private let overflow: WebSocketBuffer.Overflow
    /// How many events were dropped.
    package private(set) var dropped = 0
    /// Why the connection was lost that the last event of a loss told of.
    private(set) var reason: WebSocketError?

    package init(_ bounds: WebSocketBuffer) {
        source = Source(BoundedQueue(maximumCount: max(1, bounds.events), maximumCost: max(0, bounds.bytes)))
        overflow = bounds.overflow
    }

    package var kept: BoundedQueue<News> { source.queue }

    /// True if a message is to wait for it.
    package var suspends: Bool { overflow == .suspend && source.queue.isFull && !source.isAwaited && !source.isOver }

    /// How many bytes a message may have by which it loses nothing, is not waited for and does not end; none below 1.
    package var spareBytes: Int { source.isOver ? .max : source.queue.spareCost }

    /// Gives it an event.
    ///
    /// - Returns: The reader to resume with it, if one waits.
    package mutating func give(_ news: News) -> Source.Reader? {
        guard !source.isOver else { return nil }
        if let reader = source.takeReader() {
            note(news)
            return reader
        }
        // A pong takes no message's place, and ends nothing.
        let isNeeded = news.event != .pong || !source.queue.isFull(for: 0)
        let isLast = if case .disconnected = news.event { true } else { false }
        switch isNeeded ? source.queue.offer(news, overflow, isLast: isLast) : .dropped {
        case .kept(let dropping): dropped += dropping
        case .dropped: dropped += 1
        case .overflow:
            let (count, bytes) = (source.queue.maximumCount, source.queue.maximumCost)
            finish(
                WebSocketError(
                    .bufferOverflow, message: "an observer is more than \(count) events or \(bytes) bytes behind"))
        }
        return nil
    }

    /// Gives it what came before it.
    mutating func takeOver(_ earlier: WebSocketObserver) {
        var earlier = earlier
        dropped += earlier.dropped
        while let news = earlier.source.queue.popFirst() { _ = give(news) }
    }

    private mutating func note(_ news: News) {
        if case .reconnecting = news.event { reason = news.reason }
    }

    /// Says how it ends, unless that is said already: by an error, or well.
    ///
    /// It comes behind an event, so that no reader waits.
    mutating func finish(_ failure: WebSocketError?) { _ = source.finish(failure) }

    /// Takes what is there.
    ///
    /// - Returns: What comes next, `nil` if it has to be waited for; and true if there is room again for a message that waits.
    package mutating func take() -> (taken: Source.Taken?, hasRoom: Bool) { take { $0.take() } }

    /// Takes what is there, or begins to wait for what comes next.
    mutating func take(_ reader: Source.Reader, wait: UInt64) -> (taken: Source.Taken?, hasRoom: Bool) {
        take {
            $0.read(
                reader, wait: wait,
                busy: .failure(
                    WebSocketError(.alreadyReading, message: "another task reads from the same stream")),
                cancelled: .failure(.taskCancelled))
        }
    }

    private mutating func take(_ take: (inout Source) -> Source.Taken?) -> (taken: Source.Taken?, hasRoom: Bool) {
        let wasFull = suspends
        let taken = take(&source)
        if case .success(let news?) = taken { note(news) }
        return (taken, wasFull && !suspends)
    }

    /// Ends the wait of that number, or whatever wait there is.
    mutating func cancel(wait: UInt64? = nil) -> Source.Wake? {
        let reader = if let wait { source.cancel(wait: wait) } else { source.takeReader() }
        return reader.map { Source.Wake($0, .failure(.taskCancelled)) }
    }
}
