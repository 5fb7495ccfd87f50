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

    typealias Taker = CheckedContinuation<Taken, Never>

    private var backlog: WebSocketBacklog
    /// How many events were dropped.
    private(set) var dropped = 0
    /// How it ends when all is taken; `nil` while it goes on.
    private var end: Result<Void, WebSocketError>?
    private var taker: Taker?
    /// Whether its wait was cancelled before it had begun.
    private var isCancelled = false

    init(_ bounds: WebSocketBuffer) { backlog = WebSocketBacklog(bounds) }

    /// Whether a message is to wait for it.
    var suspends: Bool { taker == nil && end == nil && backlog.suspends }

    /// Gives it an event.
    ///
    /// - Returns: Whom to wake with it, where somebody waits.
    mutating func give(_ event: WebSocketEvent) -> Taker? {
        guard end == nil else { return nil }
        if let taker = taker.take() { return taker }
        switch backlog.offer(event) {
        case .kept(let dropping): dropped += dropping
        case .overflow:
            let bounds = backlog.bounds
            end = .failure(
                WebSocketError(
                    .bufferOverflow,
                    message: "an observer is more than \(bounds.events) events or \(bounds.bytes) bytes behind"))
        }
        return nil
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
        return taker
    }

    /// Takes what comes next, or begins to wait for it.
    ///
    /// - Returns: What comes next; `nil` for a wait.
    mutating func take(_ continuation: Taker) -> Taken? {
        if isCancelled {
            isCancelled = false
            return .cancelled
        }
        if let event = backlog.takeFirst() { return .event(event) }
        if let end {
            self.end = .success(())
            return .end(end)
        }
        guard taker == nil else {
            return .end(.failure(WebSocketError(.alreadyReading, message: "another task reads from the same stream")))
        }
        taker = continuation
        return nil
    }

    /// Ends a wait, or the next one.
    mutating func cancel() -> Taker? {
        if let taker = taker.take() { return taker }
        isCancelled = true
        return nil
    }

    /// Ends a wait for good.
    mutating func leave() -> Taker? { taker.take() }
}
