// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Broadcasts the events of one connection to all its observers, each with its own buffer and reading speed.
///
/// Events before the first observer are buffered for it.
package final class WebSocketEventBroadcaster: Sendable {
    private struct State {
        var nextID = 0
        var lastWait: UInt64 = 0
        /// The observers, sorted by ascending ID.
        ///
        /// Performance: an array, because in-place changes in a dictionary of such large values allocate memory, and
        /// a loop over its indices copies it.
        var observers: [Registration] = []
        /// The buffer of the events before the first observer; `nil` once it has been added.
        var prologue: WebSocketObserver?
        var isConnected = false
        /// The number of connections that were opened.
        var connections = 0
        /// The final event, for observers that are added after the end; `nil` while the connection goes on.
        var last: (event: WebSocketEvent, failure: WebSocketError?)?
        /// True if full buffers are no longer waited for: the few remaining messages are kept beyond the bounds.
        var ignoresCapacity = false

        /// The largest message that fits without dropping, suspending or overflowing, in bytes.
        ///
        /// It is less than 1 if none fits.
        var remainingCapacity: Int {
            observers.reduce(prologue?.remainingCapacity ?? .max) { min($0, $1.observer.remainingCapacity) }
        }

        /// Returns the index of an observer; `nil` if it was removed.
        func index(of id: Int) -> Int? {
            var (low, high) = (0, observers.count)
            while low < high {
                let middle = (low + high) / 2
                if observers[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low < observers.count && observers[low].id == id ? low : nil
        }
    }

    private struct Registration {
        let id: Int
        var observer: WebSocketObserver
    }

    /// The readers to resume.
    ///
    /// Performance: usually a single one, which needs no array.
    private struct Readers: Sendable {
        private var first: WebSocketObserver.Source.Reader?
        private var others: [WebSocketObserver.Source.Reader] = []

        mutating func append(_ reader: WebSocketObserver.Source.Reader) {
            if first == nil { first = reader } else { others.append(reader) }
        }

        func resume(with entry: WebSocketObserver.Entry) {
            first?.resume(returning: .success(entry))
            for reader in others { reader.resume(returning: .success(entry)) }
        }
    }

    /// The maximum number of messages delivered under one lock.
    private static let maximumBatchSize = 64

    private let state: Mutex<State>
    private let bounds: WebSocketBuffer
    /// Signals that an observer whose buffer was full has room again.
    private let room = AsyncSignal()

    package init(_ bounds: WebSocketBuffer) {
        self.bounds = bounds
        state = Mutex(State(prologue: Self.prologue(bounds)))
    }

    /// Returns the buffer for the first observer.
    ///
    /// It drops the oldest event instead of failing, because there is no stream to end yet.
    private static func prologue(_ bounds: WebSocketBuffer) -> WebSocketObserver {
        var bounds = bounds
        if bounds.overflow == .fail { bounds.overflow = .dropOldest }
        return WebSocketObserver(bounds)
    }

    /// The number of observers.
    package var count: Int { state.withLock { $0.observers.count } }

    /// Adds an observer that receives every event from now on; the first observer also receives the earlier events.
    ///
    /// Another observer's first event is `connected` if the connection is open, or the final event if it has ended.
    package func add(_ bounds: WebSocketBuffer?) -> Int {
        // The reader task may be waiting for the first observer.
        defer { room.ring() }
        return state.withLock { state in
            state.nextID += 1
            var observer = WebSocketObserver(bounds ?? self.bounds)
            if let prologue = state.prologue.take() {
                observer.takeOver(prologue)
            } else if let last = state.last {
                _ = observer.add(.init(last.event))
            } else if state.isConnected {
                _ = observer.add(.init(.connected))
            }
            if let last = state.last { observer.finish(last.failure) }
            state.observers.append(Registration(id: state.nextID, observer: observer))
            return state.nextID
        }
    }

    /// Removes an observer that stopped reading.
    package func remove(_ id: Int) {
        let wake = state.withLock { state -> WebSocketObserver.Source.Wake? in
            guard let index = state.index(of: id) else { return nil }
            var observer = state.observers.remove(at: index).observer
            return observer.cancel()
        }
        wake?.resume()
        room.ring()
    }

    /// Returns the number of events that were dropped for an observer.
    package func dropped(_ id: Int) -> Int {
        state.withLock { state in
            guard let index = state.index(of: id) else { return 0 }
            return state.observers[index].observer.dropped
        }
    }

    /// Returns the error of the last `reconnecting` event that an observer has read.
    package func reason(_ id: Int) -> WebSocketError? {
        state.withLock { state -> WebSocketError? in
            guard let index = state.index(of: id) else { return nil }
            return state.observers[index].observer.reason
        }
    }

    /// Delivers a message once all observers that suspend have room, together with some of the messages after it.
    ///
    /// An observer is woken once for all of these messages, and then reads them without contending for the lock each
    /// time.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - more: Removes and returns the next message of at most the given number of bytes if it has already arrived;
    ///     called under a lock. It is called only for messages that every observer can keep without dropping,
    ///     suspending or overflowing.
    /// - Throws: `CancellationError` if the task is cancelled; no message was delivered or taken then.
    package func deliver(
        _ message: WebSocketMessage, more: @Sendable (_ maximumSize: Int) -> WebSocketMessage? = { _ in nil }
    ) async throws {
        // Usually every buffer has room.
        if deliverImmediately(message, more: more) { return }
        while true {
            let count = room.count
            if deliverImmediately(message, more: more) { return }
            try await room.wait(after: count)
        }
    }

    /// Delivers a message to all observers if those that suspend have room.
    ///
    /// Also delivers as many of the following messages as fit.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - more: Removes and returns the next message, as in ``deliver(_:more:)``.
    /// - Returns: True if the message was delivered; otherwise no observer received it and no further message was
    ///   taken.
    package func deliverImmediately(
        _ message: WebSocketMessage, more: (_ maximumSize: Int) -> WebSocketMessage?
    ) -> Bool {
        let entry = WebSocketObserver.Entry(.message(message))
        let readers = state.withLock { state -> Readers? in
            let isFull = state.prologue?.suspends == true || state.observers.contains { $0.observer.suspends }
            guard state.ignoresCapacity || !isFull else { return nil }
            let readers = Self.broadcast(entry, in: &state)
            for _ in 1..<Self.maximumBatchSize {
                let remaining = state.remainingCapacity
                guard remaining > 0, let next = more(remaining) else { break }
                // Every waiting reader was taken out for the first message.
                _ = Self.broadcast(.init(.message(next)), in: &state)
            }
            return readers
        }
        guard let readers else { return false }
        readers.resume(with: entry)
        return true
    }

    /// Delivers an event without waiting for room.
    package func notify(_ event: WebSocketEvent, because reason: WebSocketError? = nil) {
        let entry = WebSocketObserver.Entry(event, because: reason)
        let readers = state.withLock { state in
            switch event {
            case .connected:
                state.isConnected = true
                state.connections += 1
                state.ignoresCapacity = false
            case .reconnecting, .disconnected: state.isConnected = false
            case .message, .pong: break
            }
            return Self.broadcast(entry, in: &state)
        }
        readers.resume(with: entry)
    }

    /// Stops waiting for full buffers until the next connection is open, because an observer must not delay the end.
    package func stopWaiting() {
        state.withLock { $0.ignoresCapacity = true }
        room.ring()
    }

    /// Stops waiting for full buffers at the end of the connection with this number.
    ///
    /// Does nothing if another connection has been opened in the meantime, or if this one is not open yet.
    ///
    /// - Parameter number: The number of connections that were opened, up to and including this one.
    package func stopWaiting(connection number: Int) {
        let isCurrent = state.withLock { state in
            guard state.connections == number else { return false }
            state.ignoresCapacity = true
            return true
        }
        if isCurrent { room.ring() }
    }

    /// Ends the streams: each observer receives its buffered events, this last event, and then the end or the error.
    package func finish(_ event: WebSocketEvent, failure: WebSocketError?) {
        let entry = WebSocketObserver.Entry(event)
        let readers = state.withLock { state in
            state.isConnected = false
            state.ignoresCapacity = true
            state.last = (event, failure)
            defer { for index in state.observers.indices { state.observers[index].observer.finish(failure) } }
            return Self.broadcast(entry, in: &state)
        }
        readers.resume(with: entry)
        room.ring()
    }

    /// Starts again after an end, for observers that are added from now on.
    package func begin() {
        state.withLock { state in
            state.last = nil
            state.ignoresCapacity = false
            state.prologue = Self.prologue(bounds)
        }
    }

    /// Waits for the next event of an observer.
    ///
    /// - Parameter id: The observer.
    /// - Returns: The event; `nil` at the end.
    /// - Throws: ``WebSocketError`` with the reason of the end, or because the task was cancelled.
    package func next(_ id: Int) async throws(WebSocketError) -> WebSocketEvent? {
        guard !Task.isCancelled else { throw .taskCancelled }
        let (early, hasRoom, wait) = state.withLock { state -> (WebSocketObserver.Source.Taken?, Bool, UInt64) in
            // Usually an event is buffered if events arrive quickly.
            guard let index = state.index(of: id) else { return (.failure(.taskCancelled), false, 0) }
            let (taken, hasRoom) = state.observers[index].observer.take()
            if taken == nil { state.lastWait += 1 }
            return (taken, hasRoom, state.lastWait)
        }
        if hasRoom { room.ring() }
        if let early { return try early.get()?.event }
        return try await waitForEvent(of: id, wait: wait).get()?.event
    }

    private func waitForEvent(of id: Int, wait: UInt64) async -> WebSocketObserver.Source.Taken {
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

    /// Adds an event to the buffer of every observer.
    ///
    /// - Returns: The waiting readers to resume with it.
    private static func broadcast(_ entry: WebSocketObserver.Entry, in state: inout State) -> Readers {
        _ = state.prologue?.add(entry)
        var readers = Readers()
        for index in state.observers.indices {
            if let reader = state.observers[index].observer.add(entry) { readers.append(reader) }
        }
        return readers
    }
}
