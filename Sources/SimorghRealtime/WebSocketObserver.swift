// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// One observer of a connection: what is kept for it, or its wait for more.
struct WebSocketObserver: Sendable {
    /// What a wait ends with.
    enum Taken: Sendable {
        case event(WebSocketEvent)
        case end(Result<Void, WebSocketError>)
        case cancelled
    }

    /// Who waits.
    ///
    /// Not a checked one, which costs an object for each wait: whoever takes it out under the lock resumes it, once.
    typealias Taker = UnsafeContinuation<Taken, Never>

    private var backlog: WebSocketBacklog
    /// How many events were dropped.
    private(set) var dropped = 0
    /// How it ends when all is taken; `nil` while it goes on.
    private var end: Result<Void, WebSocketError>?
    /// Who waits, and which wait it is: a cancellation that comes late finds its own wait or none.
    private var taker: (id: Int, continuation: Taker)?
    /// Why the connection was lost that the last event of a loss told of.
    private(set) var reason: WebSocketError?

    init(_ bounds: WebSocketBuffer) { backlog = WebSocketBacklog(bounds) }

    /// Whether a message is to wait for it.
    var suspends: Bool { taker == nil && end == nil && backlog.suspends }

    /// How many bytes a message may have by which it loses nothing, is not waited for and does not end; none below 1.
    var spareBytes: Int { end == nil ? backlog.spareBytes : .max }

    /// Gives it an event.
    ///
    /// - Returns: Whom to wake with it, where somebody waits.
    mutating func give(_ event: WebSocketEvent, because reason: WebSocketError? = nil) -> Taker? {
        guard end == nil else { return nil }
        if let taker = taker.take() {
            note(event, reason)
            return taker.continuation
        }
        switch backlog.offer(event, because: reason) {
        case .kept(let dropping): dropped += dropping
        case .dropped: dropped += 1
        case .overflow:
            let bounds = backlog.bounds
            end = .failure(
                WebSocketError(
                    .bufferOverflow,
                    message: "an observer is more than \(bounds.events) events or \(bounds.bytes) bytes behind"))
        }
        return nil
    }

    /// So many events were lost before it came.
    mutating func miss(_ count: Int) { dropped += count }

    private mutating func note(_ event: WebSocketEvent, _ reason: WebSocketError?) {
        if case .reconnecting = event { self.reason = reason }
    }

    /// Says how it ends, unless that is said already.
    ///
    /// - Returns: Whom to wake with it, where somebody waits.
    mutating func finish(_ end: Result<Void, WebSocketError>) -> Taker? {
        guard self.end == nil else { return nil }
        // Who waits has taken all, and is told of an error once.
        guard let taker = taker.take() else {
            self.end = end
            return nil
        }
        self.end = .success(())
        return taker.continuation
    }

    /// Takes what is there.
    ///
    /// - Returns: What comes next, `nil` where it has to be waited for; and whether there is room again for a message
    ///   that waits.
    mutating func take() -> (taken: Taken?, hasRoom: Bool) {
        let wasFull = suspends
        let taken = next()
        return (taken, wasFull && !suspends)
    }

    /// Takes what is there, or begins to wait for what comes next.
    ///
    /// - Parameters:
    ///   - continuation: Who waits.
    ///   - id: The wait's number.
    /// - Returns: What comes next, `nil` for a wait; and whether there is room again for a message that waits.
    mutating func take(_ continuation: Taker, _ id: Int) -> (taken: Taken?, hasRoom: Bool) {
        let (taken, hasRoom) = take()
        if taken == nil { taker = (id, continuation) }
        return (taken, hasRoom)
    }

    private mutating func next() -> Taken? {
        if let news = backlog.takeNews() {
            note(news.event, news.reason)
            return .event(news.event)
        }
        if let end {
            self.end = .success(())
            return .end(end)
        }
        guard taker == nil else {
            return .end(.failure(WebSocketError(.alreadyReading, message: "another task reads from the same stream")))
        }
        return nil
    }

    /// Ends a wait, if it still is one.
    mutating func cancel(_ id: Int) -> Taker? { taker?.id == id ? taker.take()?.continuation : nil }

    /// Ends whatever wait there is.
    mutating func leave() -> Taker? { taker.take()?.continuation }
}
