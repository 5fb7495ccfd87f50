// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Hands the events of one connection to all its observers, each at its own speed and within its own bounds.
///
/// Before the first observer has come, events are kept for it.
package final class WebSocketHub: Sendable {
    private struct State {
        var nextID = 0
        var lastWait: UInt64 = 0
        /// By number, the lowest first.
        ///
        /// No dictionary: what changes in place in one costs blocks of memory that hold a whole observer, and a loop over
        /// its indices copies it.
        var observers: [Place] = []
        /// What happened before the first observer came, for it; `nil` afterwards.
        var prologue: WebSocketObserver?
        var isConnected = false
        /// How many connections have stood.
        var connections = 0
        /// What a late observer is told; `nil` while the connection goes on.
        var last: (event: WebSocketEvent, failure: WebSocketError?)?
        /// Whether nobody is waited for: what comes is kept beyond the bounds, as there is little more of it.
        var isHurried = false

        /// How many bytes a message may have for which nobody loses anything, is waited for, or ends; for none below 1.
        var spareBytes: Int {
            observers.reduce(prologue?.spareBytes ?? .max) { min($0, $1.observer.spareBytes) }
        }

        /// Where an observer is; `nil` of one that left.
        func index(of id: Int) -> Int? {
            var (low, high) = (0, observers.count)
            while low < high {
                let middle = (low + high) / 2
                if observers[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low < observers.count && observers[low].id == id ? low : nil
        }
    }

    private struct Place {
        let id: Int
        var observer: WebSocketObserver
    }

    /// Those who are woken: mostly one, for whom no array is made.
    private struct Readers: Sendable {
        private var first: WebSocketObserver.Source.Reader?
        private var others: [WebSocketObserver.Source.Reader] = []

        mutating func append(_ reader: WebSocketObserver.Source.Reader) {
            if first == nil { first = reader } else { others.append(reader) }
        }

        func resume(with news: WebSocketObserver.News) {
            first?.resume(returning: .success(news))
            for reader in others { reader.resume(returning: .success(news)) }
        }
    }

    /// How many messages are brought at once.
    private static let mostAtOnce = 64

    private let state: Mutex<State>
    private let bounds: WebSocketBuffer
    /// Rung when an observer that was full has room again.
    private let room = Bell()

    package init(_ bounds: WebSocketBuffer) {
        self.bounds = bounds
        state = Mutex(State(prologue: Self.prologue(bounds)))
    }

    /// Before anybody listens nobody can fail.
    private static func prologue(_ bounds: WebSocketBuffer) -> WebSocketObserver {
        var bounds = bounds
        if bounds.overflow == .fail { bounds.overflow = .dropOldest }
        return WebSocketObserver(bounds)
    }

    /// How many observe.
    package var count: Int { state.withLock { $0.observers.count } }

    /// Adds an observer, who gets every event from now on; the first one also what came before.
    ///
    /// Where the connection stands, it begins with that.
    package func add(_ bounds: WebSocketBuffer?) -> Int {
        // Whoever waited for the first one looks again.
        defer { room.ring() }
        return state.withLock { state in
            state.nextID += 1
            var observer = WebSocketObserver(bounds ?? self.bounds)
            if let prologue = state.prologue.take() {
                observer.takeOver(prologue)
            } else if let last = state.last {
                _ = observer.give(.init(last.event))
            } else if state.isConnected {
                _ = observer.give(.init(.connected))
            }
            if let last = state.last { observer.finish(last.failure) }
            state.observers.append(Place(id: state.nextID, observer: observer))
            return state.nextID
        }
    }

    /// Takes an observer out, who reads no more.
    package func remove(_ id: Int) {
        let wake = state.withLock { state -> WebSocketObserver.Source.Wake? in
            guard let index = state.index(of: id) else { return nil }
            var observer = state.observers.remove(at: index).observer
            return observer.cancel()
        }
        wake?.resume()
        room.ring()
    }

    /// How many events an observer has lost.
    package func dropped(_ id: Int) -> Int {
        state.withLock { state in
            guard let index = state.index(of: id) else { return 0 }
            return state.observers[index].observer.dropped
        }
    }

    /// Why the connection was lost that an observer was told of last.
    package func reason(_ id: Int) -> WebSocketError? {
        state.withLock { state -> WebSocketError? in
            guard let index = state.index(of: id) else { return nil }
            return state.observers[index].observer.reason
        }
    }

    /// Brings a message, as soon as all observers who are waited for have room, and with it some of those behind it.
    ///
    /// An observer is woken once for all of them, and finds the others without meeting who brings them at each one.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - more: Takes the next one, of up to so many bytes, where it is here already; called under a lock. No message
    ///     is taken that would have to wait, or by which somebody would lose another or end.
    /// - Throws: `CancellationError` when the task is cancelled; nobody has got the message then, and none was taken.
    package func bring(
        _ message: WebSocketMessage, _ more: @Sendable (_ most: Int) -> WebSocketMessage? = { _ in nil }
    ) async throws {
        // Mostly there is room.
        if hand(message, more) { return }
        while true {
            let heard = room.count
            if hand(message, more) { return }
            try await room.wait(after: heard)
        }
    }

    /// Gives a message to all, if those who are waited for have room, and what is behind it as far as all have room.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - more: Takes the next one, as for ``bring(_:_:)``.
    /// - Returns: Whether they had; where not, nobody has got it, and none behind it was taken.
    package func hand(_ message: WebSocketMessage, _ more: (_ most: Int) -> WebSocketMessage?) -> Bool {
        let news = WebSocketObserver.News(.message(message))
        let readers = state.withLock { state -> Readers? in
            let isFull = state.prologue?.suspends == true || state.observers.contains { $0.observer.suspends }
            guard state.isHurried || !isFull else { return nil }
            let readers = Self.give(news, &state)
            for _ in 1..<Self.mostAtOnce {
                let spare = state.spareBytes
                guard spare > 0, let next = more(spare) else { break }
                // Nobody waits any more: whoever did has the first one.
                _ = Self.give(.init(.message(next)), &state)
            }
            return readers
        }
        guard let readers else { return false }
        readers.resume(with: news)
        return true
    }

    /// Brings something that waits for nobody.
    package func tell(_ event: WebSocketEvent, because reason: WebSocketError? = nil) {
        let news = WebSocketObserver.News(event, because: reason)
        let readers = state.withLock { state in
            switch event {
            case .connected:
                state.isConnected = true
                state.connections += 1
                state.isHurried = false
            case .reconnecting, .disconnected: state.isConnected = false
            case .message, .pong: break
            }
            return Self.give(news, &state)
        }
        readers.resume(with: news)
    }

    /// Waits for nobody any more until the next connection stands: the end of this one must not wait for an observer.
    package func hurry() {
        state.withLock { $0.isHurried = true }
        room.ring()
    }

    /// Waits for nobody any more, unless another connection stands meanwhile, or this one does not yet.
    ///
    /// - Parameter number: How many connections have stood when it is the last one.
    package func hurry(connection number: Int) {
        let isMeant = state.withLock { state in
            guard state.connections == number else { return false }
            state.isHurried = true
            return true
        }
        if isMeant { room.ring() }
    }

    /// It is over: each observer gets what is kept for it, this last event, and the end, be it an error.
    package func finish(_ event: WebSocketEvent, _ failure: WebSocketError?) {
        let news = WebSocketObserver.News(event)
        let readers = state.withLock { state in
            state.isConnected = false
            state.isHurried = true
            state.last = (event, failure)
            defer { for index in state.observers.indices { state.observers[index].observer.finish(failure) } }
            return Self.give(news, &state)
        }
        readers.resume(with: news)
        room.ring()
    }

    /// A new life begins, for the observers who come from now on.
    package func begin() {
        state.withLock { state in
            state.last = nil
            state.isHurried = false
            state.prologue = Self.prologue(bounds)
        }
    }

    /// Waits for an observer's next event.
    ///
    /// - Parameter id: The observer.
    /// - Returns: The event; `nil` at the end.
    /// - Throws: ``WebSocketError``: why it ended, or that the task was cancelled.
    package func next(_ id: Int) async throws(WebSocketError) -> WebSocketEvent? {
        guard !Task.isCancelled else { throw .taskCancelled }
        let (early, hasRoom, wait) = state.withLock { state -> (WebSocketObserver.Source.Taken?, Bool, UInt64) in
            // Mostly there is something where much comes.
            guard let index = state.index(of: id) else { return (.failure(.taskCancelled), false, 0) }
            let (taken, hasRoom) = state.observers[index].observer.take()
            if taken == nil { state.lastWait += 1 }
            return (taken, hasRoom, state.lastWait)
        }
        if hasRoom { room.ring() }
        if let early { return try early.get()?.event }
        return try await self.wait(id, wait).get()?.event
    }

    private func wait(_ id: Int, _ wait: UInt64) async -> WebSocketObserver.Source.Taken {
        await WebSocketObserver.Source.suspend { reader in
            let (taken, hasRoom) = state.withLock { state -> (WebSocketObserver.Source.Taken?, Bool) in
                guard let index = state.index(of: id) else { return (.failure(.taskCancelled), false) }
                return state.observers[index].observer.take(reader, wait: wait)
            }
            if hasRoom { room.ring() }
            return taken
        } onCancel: {
            state.withLock { state in
                state.index(of: id).flatMap { state.observers[$0].observer.cancel(wait: wait) }
            }
        }
    }

    /// Gives an event to every observer.
    ///
    /// - Returns: The readers that waited for it.
    private static func give(_ news: WebSocketObserver.News, _ state: inout State) -> Readers {
        _ = state.prologue?.give(news)
        var readers = Readers()
        for index in state.observers.indices {
            if let reader = state.observers[index].observer.give(news) { readers.append(reader) }
        }
        return readers
    }
}
