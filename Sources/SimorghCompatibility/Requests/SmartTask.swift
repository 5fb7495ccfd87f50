// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import Synchronization

/// A piece of work that runs at most once, and only while somebody holds it.
///
/// Nothing happens until ``start()`` or ``deferredStart(in:)``. Letting the last reference go cancels the work, and its
/// completion is never called; ``detach()`` lets it run on alone. ``cancel()`` ends it with a failure. Once it is over, it
/// holds neither its work nor its completion, so whoever keeps it may stand in both.
public final class SmartTask: Sendable {
    private struct Work: Sendable {
        let run: @Sendable (Core) async -> Void
        let cancelled: @Sendable () -> Void
    }

    /// What the task and its running work share; the work never holds the task itself.
    private final class Core: Sendable {
        private enum State: Sendable {
            case idle(Work)
            case running(Work, Task<Void, Never>)
            case over
        }

        private let state: Mutex<State>

        init(_ work: Work) { state = Mutex(.idle(work)) }

        func start() {
            state.withLock { state in
                guard case .idle(let work) = state else { return }
                state = .running(work, Task { await work.run(self) })
            }
        }

        /// Ends it, so that what has not begun never will.
        ///
        /// - Returns: What was to be done, for the first caller alone.
        func close() -> (work: Work, running: Task<Void, Never>?)? {
            // Closures are let go outside the lock: what they hold may cancel this very task when it goes.
            let last = state.withLock { state in
                defer { state = .over }
                return state
            }
            return switch last {
            case .idle(let work): (work, nil)
            case .running(let work, let task): (work, task)
            case .over: nil
            }
        }
    }

    private let core: Core
    private let isDetached = Atomic(false)

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
        core = Core(
            Work { core in
                let value = await run()
                queue.run {
                    if core.close() != nil { completion(value) }
                }
            } cancelled: {
                queue.run { completion(cancelled()) }
            })
    }

    /// Starts the work; a task that was started or cancelled before does nothing.
    ///
    /// - Returns: The task itself.
    @discardableResult
    public func start() -> Self {
        core.start()
        return self
    }

    /// Starts the work at the next turn of a queue, so that the task can be stored first.
    ///
    /// - Parameter queue: The queue; the main queue by default.
    /// - Returns: The task itself.
    @discardableResult
    public func deferredStart(in queue: CallbackQueue = .main) -> Self {
        // Not the task, which may be let go before, but what outlives it if it is detached, even after this call.
        queue.run { [core] in core.start() }
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
        guard let (work, running) = core.close() else { return }
        running?.cancel()
        work.cancelled()
    }

    deinit {
        guard !isDetached.load(ordering: .acquiring) else { return }
        core.close()?.running?.cancel()
    }
}
