// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghSupport
import Synchronization

/// Hands what happens to downloads to all who observe them, each at its own speed.
///
/// Told on one queue, so that all hear the same in the same order. An observer who is slow loses the oldest events past 1024,
/// and of progress all but the newest.
package final class DownloadHub: Sendable {
    private struct State {
        var nextID = 0
        var events: [Int: AsyncStream<DownloadEvent>.Continuation] = [:]
        var progress: [UUID: [Int: AsyncStream<DownloadProgress>.Continuation]] = [:]
        /// What happened before anybody could observe; for the first who does.
        var early: [DownloadEvent] = []
        /// How many events were dropped because their observer was too slow.
        var dropped = 0
        var isClosed = false
    }

    /// How many events an observer may be behind.
    private static let backlog = 1024

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "simorgh.downloads.events")
    /// Rung when the list of downloads is another.
    let list = Bell()

    package init() {}

    /// Does something after all that was told before.
    package func later(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Tells an event.
    func tell(_ event: DownloadEvent) {
        queue.async { [self] in
            for observer in state.withLock({ Array($0.events.values) }) {
                if case .dropped = observer.yield(event) { state.withLock { $0.dropped += 1 } }
            }
        }
        // What happens to one all the time does not change the list; see the manager's slower stroke.
        if case .progress = event { return }
        list.ring()
    }

    /// Tells an event of a time when nobody can observe yet to the first who does.
    func keep(_ event: DownloadEvent) {
        state.withLock { if $0.early.count < Self.backlog { $0.early.append(event) } }
    }

    /// How many events were dropped because their observer was too slow.
    var dropped: Int { state.withLock { $0.dropped } }

    /// How many observe the progress of a download.
    package var observers: Int { state.withLock { $0.progress.values.reduce(0) { $0 + $1.count } } }

    /// Tells progress to those who observe this download; what is over ends their streams.
    func tell(_ progress: DownloadProgress) {
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

    /// All events from now on.
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

    /// The progress of a download, beginning with what it stands at.
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
        let isOver = DownloadCore.Flag()
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
                // Whoever has left already would stay for ever.
                guard !present.state.isFinal, !state.isClosed, !isOver.isSet else { return false }
                state.progress[task, default: [:]][id] = continuation
                return true
            }
            continuation.yield(present)
            if !isOpen { continuation.finish() }
        }
        return stream
    }

    /// Ends all streams.
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
