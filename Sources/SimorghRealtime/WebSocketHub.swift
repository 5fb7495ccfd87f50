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
        var lastWait = 0
        /// By number, the lowest first.
        ///
        /// No dictionary: what changes in place in one costs blocks of memory that hold a whole observer, and a loop over
        /// its indices copies it.
        var observers: [Place] = []
        /// What happened before the first observer came, for it; `nil` afterwards.
        var prologue: WebSocketBacklog?
        /// How much of that there was no room for.
        var missed = 0
        var isConnected = false
        /// How many connections have stood.
        var connections = 0
        /// What a late observer is told; `nil` while the connection goes on.
        var last: (event: WebSocketEvent, end: Result<Void, WebSocketError>)?
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
    private struct Takers: Sendable {
        private var first: WebSocketObserver.Taker?
        private var others: [WebSocketObserver.Taker] = []

        mutating func append(_ taker: WebSocketObserver.Taker) {
            if first == nil { first = taker } else { others.append(taker) }
        }

        func resume(returning taken: WebSocketObserver.Taken) {
            first?.resume(returning: taken)
            for taker in others { taker.resume(returning: taken) }
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
    private static func prologue(_ bounds: WebSocketBuffer) -> WebSocketBacklog {
        var bounds = bounds
        if bounds.overflow == .fail { bounds.overflow = .dropOldest }
        return WebSocketBacklog(bounds)
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
            if var prologue = state.prologue.take() {
                observer.miss(state.missed)
                while let news = prologue.takeNews() { _ = observer.give(news.event, because: news.reason) }
            } else if let last = state.last {
                _ = observer.give(last.event)
            } else if state.isConnected {
                _ = observer.give(.connected)
            }
            if let end = state.last?.end { _ = observer.finish(end) }
            state.observers.append(Place(id: state.nextID, observer: observer))
            return state.nextID
        }
    }

    /// Takes an observer out, who reads no more.
    package func remove(_ id: Int) {
        let taker = state.withLock { state -> WebSocketObserver.Taker? in
            guard let index = state.index(of: id) else { return nil }
            var observer = state.observers.remove(at: index).observer
            return observer.leave()
        }
        taker?.resume(returning: .cancelled)
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
        let takers = state.withLock { state -> Takers? in
            let isFull = state.prologue?.suspends == true || state.observers.contains { $0.observer.suspends }
            guard state.isHurried || !isFull else { return nil }
            let takers = Self.give(.message(message), &state)
            for _ in 1..<Self.mostAtOnce {
                let spare = state.spareBytes
                guard spare > 0, let next = more(spare) else { break }
                // Nobody waits any more: whoever did has the first one.
                _ = Self.give(.message(next), &state)
            }
            return takers
        }
        guard let takers else { return false }
        takers.resume(returning: .event(.message(message)))
        return true
    }

    /// Brings something that waits for nobody.
    package func tell(_ event: WebSocketEvent, because reason: WebSocketError? = nil) {
        let takers = state.withLock { state in
            switch event {
            case .connected:
                state.isConnected = true
                state.connections += 1
                state.isHurried = false
            case .reconnecting, .disconnected: state.isConnected = false
            case .message, .pong: break
            }
            return Self.give(event, because: reason, &state)
        }
        takers.resume(returning: .event(event))
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

    /// It is over: each observer gets what is kept for it, this last event, and the end.
    package func finish(_ event: WebSocketEvent, _ end: Result<Void, WebSocketError>) {
        let (told, ended) = state.withLock { state in
            state.isConnected = false
            state.isHurried = true
            state.last = (event, end)
            let told = Self.give(event, &state)
            var ended = Takers()
            for index in state.observers.indices {
                if let taker = state.observers[index].observer.finish(end) { ended.append(taker) }
            }
            return (told, ended)
        }
        told.resume(returning: .event(event))
        ended.resume(returning: .end(end))
        room.ring()
    }

    /// A new life begins, for the observers who come from now on.
    package func begin() {
        state.withLock { state in
            state.last = nil
            state.isHurried = false
            state.missed = 0
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
        let (early, hasRoom, wait) = state.withLock { state -> (WebSocketObserver.Taken?, Bool, Int) in
            // Mostly there is something where much comes.
            guard let index = state.index(of: id) else { return (.cancelled, false, 0) }
            let (taken, hasRoom) = state.observers[index].observer.take()
            if taken == nil { state.lastWait += 1 }
            return (taken, hasRoom, state.lastWait)
        }
        if hasRoom { room.ring() }
        let taken: WebSocketObserver.Taken
        if let early {
            taken = early
        } else {
            taken = await self.wait(id, wait)
        }
        switch taken {
        case .event(let event): return event
        case .cancelled: throw .taskCancelled
        case .end(let end):
            try end.get()
            return nil
        }
    }

    private func wait(_ id: Int, _ wait: Int) async -> WebSocketObserver.Taken {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: WebSocketObserver.Taker) in
                let (taken, hasRoom) = state.withLock { state -> (WebSocketObserver.Taken?, Bool) in
                    guard !Task.isCancelled, let index = state.index(of: id) else { return (.cancelled, false) }
                    let (taken, hasRoom) = state.observers[index].observer.take(continuation, wait)
                    return (taken, hasRoom)
                }
                if hasRoom { room.ring() }
                if let taken { continuation.resume(returning: taken) }
            }
        } onCancel: {
            let taker = state.withLock { state -> WebSocketObserver.Taker? in
                guard let index = state.index(of: id) else { return nil }
                return state.observers[index].observer.cancel(wait)
            }
            taker?.resume(returning: .cancelled)
        }
    }

    /// Gives an event to every observer.
    ///
    /// - Returns: Who waited for it.
    private static func give(
        _ event: WebSocketEvent, because reason: WebSocketError? = nil, _ state: inout State
    ) -> Takers {
        switch state.prologue?.offer(event, because: reason) {
        case .kept(let dropping): state.missed += dropping
        case .dropped: state.missed += 1
        case .overflow, nil: break
        }
        var takers = Takers()
        for index in state.observers.indices {
            if let taker = state.observers[index].observer.give(event, because: reason) { takers.append(taker) }
        }
        return takers
    }
}
