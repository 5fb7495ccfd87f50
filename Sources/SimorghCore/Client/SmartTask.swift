// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Synchronization

/// A piece of work that runs at most once, and only while somebody holds it.
///
/// Nothing happens until ``start()`` or ``deferredStart(in:)``. Letting the last reference go cancels the work, and its
/// completion is never called; ``detach()`` lets it run on alone. ``cancel()`` ends it with a failure.
public final class SmartTask: Sendable {
    private enum State: Sendable {
        case idle
        case running(Task<Void, Never>)
        case over
    }

    /// What both the task and its work hold: whether the completion may still be called.
    private final class Once: Sendable {
        private let isOpen = Atomic(true)

        /// Whether the caller is the first to ask.
        func take() -> Bool { isOpen.exchange(false, ordering: .acquiringAndReleasing) }
    }

    private struct Work: Sendable {
        let run: @Sendable (Once) async -> Void
        let cancelled: @Sendable () -> Void
    }

    private let state = Mutex(State.idle)
    private let isDetached = Atomic(false)
    private let once = Once()
    private let work: Work

    /// Creates a task from work and what gets its result.
    ///
    /// - Parameters:
    ///   - queue: Where the completion is called.
    ///   - run: The work; it is cancelled as a task is.
    ///   - cancelled: The result of a task that was cancelled.
    ///   - completion: Gets the result, once.
    public init<Value: Sendable>(
        on queue: CallbackQueue = .main,
        run: @escaping @Sendable () async -> Value,
        cancelled: @escaping @Sendable () -> Value,
        completion: @escaping @Sendable (Value) -> Void
    ) {
        work = Work { once in
            let value = await run()
            queue.run {
                if once.take() { completion(value) }
            }
        } cancelled: {
            queue.run { completion(cancelled()) }
        }
    }

    /// Starts the work; a task that was started or cancelled before does nothing.
    ///
    /// - Returns: The task itself.
    @discardableResult
    public func start() -> Self {
        state.withLock { state in
            guard case .idle = state else { return }
            state = .running(Task { [once, work] in await work.run(once) })
        }
        return self
    }

    /// Starts the work at the next turn of a queue, so that the task can be stored first.
    ///
    /// - Parameter queue: The queue; the main queue by default.
    /// - Returns: The task itself.
    @discardableResult
    public func deferredStart(in queue: CallbackQueue = .main) -> Self {
        if isDetached.load(ordering: .acquiring) {
            queue.run { self.start() }
        } else {
            queue.run { [weak self] in _ = self?.start() }
        }
        return self
    }

    /// Lets the work run to its end when the last reference goes.
    ///
    /// - Returns: The task itself.
    @discardableResult
    public func detach() -> Self {
        isDetached.store(true, ordering: .releasing)
        return self
    }

    /// Cancels the work, and hands its completion a failure unless it was called already.
    ///
    /// Work that had not begun never runs.
    public func cancel() {
        guard once.take() else { return }
        end()
        work.cancelled()
    }

    /// Stops what runs, and bars what has not begun.
    private func end() {
        let running: Task<Void, Never>? = state.withLock { state in
            defer { state = .over }
            guard case .running(let task) = state else { return nil }
            return task
        }
        running?.cancel()
    }

    deinit {
        guard !isDetached.load(ordering: .acquiring) else { return }
        _ = once.take()
        end()
    }
}
