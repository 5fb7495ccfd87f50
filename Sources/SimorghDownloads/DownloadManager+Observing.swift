// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport
import Synchronization

extension DownloadManager {
    /// A snapshot of all downloads, in the order in which they were enqueued.
    public var tasks: [DownloadTask] { core.tasks }

    /// The list of downloads, now and after each change; a slow reader gets only the newest list.
    ///
    /// A list of more than 4096 downloads is sent at most ten times a second.
    public var taskLists: DownloadTaskLists { DownloadTaskLists(core: core) }

    /// The events from now on; a reader that is more than 1024 events behind loses the oldest.
    ///
    /// The first reader also receives the damage that was found when the manager was created.
    public var events: AsyncStream<DownloadEvent> { core.hub.events() }

    /// The number of events dropped for slow readers of ``events``, all readers together.
    public var droppedEvents: Int { core.hub.dropped }

    /// Returns the progress of a download: now, and then at most ten times a second.
    ///
    /// - Parameter id: The download.
    /// - Returns: The progress; the last element holds the outcome. Empty if there is no such download. If the manager
    ///   is closed before the end, the last element has a state that is not final, and the next manager of the folder
    ///   resumes the download.
    public func progress(for id: UUID) -> AsyncStream<DownloadProgress> { core.progress(id) {} }

    /// Returns the states of a download: now, and after each change.
    ///
    /// - Parameter id: The download.
    /// - Returns: The states; the last is the outcome, or the state when the manager was closed.
    public func states(for id: UUID) -> DownloadStates { DownloadStates(core: core, id: id) }
}

/// The list of downloads, now and after each change.
public struct DownloadTaskLists: AsyncSequence, Sendable {
    /// All downloads, in the order in which they were enqueued.
    public typealias Element = [DownloadTask]
    /// The sequence does not fail.
    public typealias Failure = Never

    let core: DownloadQueue

    /// Returns an iterator that starts with the current list.
    public func makeAsyncIterator() -> Iterator { Iterator(core: core) }

    /// An iterator that waits for the next list.
    public struct Iterator: AsyncIteratorProtocol {
        let core: DownloadQueue
        private var seen: Int?
        /// The time since the last list was made, if it was a long one.
        private var lastSnapshot: Stopwatch?

        /// The length from which a list is too expensive to be made after each event.
        private static let largeListCount = 4096
        private static let pause: Duration = .milliseconds(100)

        init(core: DownloadQueue) { self.core = core }

        /// Returns the next list; `nil` when the task is cancelled or the manager is closed.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The list.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [DownloadTask]? {
            if let seen {
                do {
                    try await core.hub.list.wait(after: seen)
                    if let lastSnapshot { try await core.time.sleep(for: Self.pause - lastSnapshot.elapsed) }
                } catch { return nil }
            }
            guard !core.hub.isClosed else { return nil }
            seen = core.hub.list.count
            let tasks = core.tasks
            lastSnapshot = tasks.count > Self.largeListCount ? core.time.stopwatch() : nil
            return tasks
        }
    }
}

/// The states of one download, now and after each change.
public struct DownloadStates: AsyncSequence, Sendable {
    /// A state; two consecutive elements always differ.
    public typealias Element = DownloadState
    /// The sequence does not fail.
    public typealias Failure = Never

    let core: DownloadQueue
    let id: UUID

    /// Returns an iterator that starts with the current state.
    public func makeAsyncIterator() -> Iterator { Iterator(base: core.progress(id) {}.makeAsyncIterator()) }

    /// An iterator that waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<DownloadProgress>.Iterator
        private var last: DownloadState?

        init(base: AsyncStream<DownloadProgress>.Iterator) { self.base = base }

        /// Returns the next state; `nil` after the last.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The state.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> DownloadState? {
            while let progress = await base.next(isolation: actor) {
                guard progress.state != last else { continue }
                last = progress.state
                return progress.state
            }
            return nil
        }
    }
}

extension DownloadQueue {
    /// Returns the progress of a download, starting with the current one.
    func progress(_ id: UUID, onCancel: @escaping @Sendable () -> Void) -> AsyncStream<DownloadProgress> {
        // Under the lock, so that no later progress is reported before the current one.
        state.withLock { state in
            guard let present = state.entries[id]?.progress else { return AsyncStream { $0.finish() } }
            return hub.progress(present, onCancel: onCancel)
        }
    }
}
