// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport
import Synchronization

extension DownloadManager {
    /// All downloads as they stand, in the order in which they were asked for.
    public var tasks: [DownloadTask] { core.tasks }

    /// The list of downloads, now and whenever it is another; a slow reader gets the newest.
    ///
    /// One of more than 4096 downloads comes at most ten times a second.
    public var taskLists: DownloadTaskLists { DownloadTaskLists(core: core) }

    /// What happens from now on; a reader who is more than 1024 events behind loses the oldest.
    ///
    /// The first reader hears, too, what was found damaged when the manager was made.
    public var events: AsyncStream<DownloadEvent> { core.hub.events() }

    /// How many events were dropped because a reader of ``events`` was too slow, of all readers together.
    public var droppedEvents: Int { core.hub.dropped }

    /// How far a download is: now, and then at most ten times a second.
    ///
    /// - Parameter id: The download.
    /// - Returns: Progress; the last says how it ended. Nothing where there is no such download. Where the manager is closed before
    ///   the end, the last says how far it was, and its state is not final: the next manager of the folder goes on.
    public func progress(for id: UUID) -> AsyncStream<DownloadProgress> { core.progress(id) {} }

    /// How a download stands: now, and whenever that changes.
    ///
    /// - Parameter id: The download.
    /// - Returns: States; the last is how it ended, or how it stood when the manager was closed.
    public func states(for id: UUID) -> DownloadStates { DownloadStates(core: core, id: id) }
}

/// The list of downloads, now and whenever it is another.
public struct DownloadTaskLists: AsyncSequence, Sendable {
    /// All downloads, in the order in which they were asked for.
    public typealias Element = [DownloadTask]
    /// It does not fail.
    public typealias Failure = Never

    let core: DownloadCore

    /// Begins with the list of now.
    public func makeAsyncIterator() -> Iterator { Iterator(core: core) }

    /// Waits for the next list.
    public struct Iterator: AsyncIteratorProtocol {
        let core: DownloadCore
        private var seen: Int?
        /// When the last list was made, where it was a long one.
        private var made: Stopwatch?

        /// How long a list is that costs too much to be made whenever something happens.
        private static let long = 4096
        private static let pause: Duration = .milliseconds(100)

        init(core: DownloadCore) { self.core = core }

        /// The next list; `nil` when the task is cancelled, or the manager is gone.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The list.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> [DownloadTask]? {
            if let seen {
                do {
                    try await core.hub.list.wait(after: seen)
                    if let made { try await core.time.sleep(for: Self.pause - made.elapsed) }
                } catch { return nil }
            }
            guard !core.hub.isClosed else { return nil }
            seen = core.hub.list.count
            let tasks = core.tasks
            made = tasks.count > Self.long ? core.time.stopwatch() : nil
            return tasks
        }
    }
}

/// How one download stands, now and whenever that changes.
public struct DownloadStates: AsyncSequence, Sendable {
    /// A state, never the same twice in a row.
    public typealias Element = DownloadState
    /// It does not fail.
    public typealias Failure = Never

    let core: DownloadCore
    let id: UUID

    /// Begins with the state of now.
    public func makeAsyncIterator() -> Iterator { Iterator(base: core.progress(id) {}.makeAsyncIterator()) }

    /// Waits for the next state.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<DownloadProgress>.Iterator
        private var last: DownloadState?

        init(base: AsyncStream<DownloadProgress>.Iterator) { self.base = base }

        /// The next state; `nil` after the last.
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

extension DownloadCore {
    /// The progress of a download, beginning with what it stands at.
    func progress(_ id: UUID, onCancel: @escaping @Sendable () -> Void) -> AsyncStream<DownloadProgress> {
        // Under the lock, so that nothing that happens meanwhile is told before it.
        state.withLock { state in
            guard let present = state.entries[id]?.progress else { return AsyncStream { $0.finish() } }
            return hub.progress(present, onCancel: onCancel)
        }
    }
}
