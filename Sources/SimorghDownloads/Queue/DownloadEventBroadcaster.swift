// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghSupport
import Synchronization

/// Broadcasts download events to all observers, each at its own pace.
///
/// Events are sent on one queue, so that all observers receive them in the same order. A slow observer loses the
/// oldest events beyond 1024, and all progress except the newest.
package final class DownloadEventBroadcaster: Sendable {
    private struct State {
        var nextID = 0
        var events: [Int: AsyncStream<DownloadEvent>.Continuation] = [:]
        var progress: [UUID: [Int: AsyncStream<DownloadProgress>.Continuation]] = [:]
        /// Events from before the first observer, which receives them.
        var early: [DownloadEvent] = []
        /// The number of events dropped for slow observers.
        var dropped = 0
        var isClosed = false
    }

    /// The largest number of events that an observer may be behind.
    private static let backlog = 1024

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "simorgh.downloads.events")
    /// Signals that the list of downloads changed.
    let list = AsyncSignal()

    package init() {}

    /// Performs work after all events so far have been sent.
    package func later(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Sends an event.
    func notify(_ event: DownloadEvent) {
        queue.async { [self] in
            for observer in state.withLock({ Array($0.events.values) }) {
                if case .dropped = observer.yield(event) { state.withLock { $0.dropped += 1 } }
            }
        }
        // Progress does not change the list; the queue signals it separately, at most once per second.
        if case .progress = event { return }
        list.ring()
    }

    /// Stores an event for the first observer, at a time when there can be no observer yet.
    func storeEarly(_ event: DownloadEvent) {
        state.withLock { if $0.early.count < Self.backlog { $0.early.append(event) } }
    }

    /// The number of events dropped for slow observers.
    var dropped: Int { state.withLock { $0.dropped } }

    /// The number of observers of the progress of downloads.
    package var observers: Int { state.withLock { $0.progress.values.reduce(0) { $0 + $1.count } } }

    /// Sends progress to the observers of this download; a final state finishes their streams.
    func notify(_ progress: DownloadProgress) {
        queue.async { [self] in
            let observers = state.withLock { state -> [AsyncStream<DownloadProgress>.Continuation] in
                let observers = state.progress[progress.taskId].map { Array($0.values) } ?? []
                if progress.state.isFinal { state.progress[progress.taskId] = nil }
                return observers
            }
            for observer in observers {
                observer.yield(progress)
                if progress.state.isFinal { observer.finish() }
            }
        }
    }

    /// Returns a stream of all events from now on.
    func events() -> AsyncStream<DownloadEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadEvent.self, bufferingPolicy: .bufferingNewest(Self.backlog))
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.nextID += 1
            state.events[state.nextID] = continuation
            for event in state.early { continuation.yield(event) }
            state.early = []
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.events.removeValue(forKey: id) } }
        return stream
    }

    /// Returns a stream of the progress of a download, starting with the current one.
    package func progress(
        _ present: DownloadProgress, onCancel: @escaping @Sendable () -> Void
    ) -> AsyncStream<DownloadProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
        let task = present.taskId
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let isOver = AtomicFlag()
        continuation.onTermination = { [weak self] reason in
            isOver.set()
            self?.state.withLock { state in
                state.progress[task]?[id] = nil
                if state.progress[task]?.isEmpty == true { state.progress[task] = nil }
            }
            if case .cancelled = reason { onCancel() }
        }
        queue.async { [self] in
            let isOpen = state.withLock { state in
                // An observer that was cancelled already would never be removed.
                guard !present.state.isFinal, !state.isClosed, !isOver.isSet else { return false }
                state.progress[task, default: [:]][id] = continuation
                return true
            }
            continuation.yield(present)
            if !isOpen { continuation.finish() }
        }
        return stream
    }

    /// Finishes all streams.
    func close() {
        queue.async { [self] in
            let (events, progress) = state.withLock { state in
                defer { state = State(isClosed: true) }
                return (Array(state.events.values), state.progress.values.flatMap(\.values))
            }
            for observer in events { observer.finish() }
            for observer in progress { observer.finish() }
            list.ring()
        }
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}
