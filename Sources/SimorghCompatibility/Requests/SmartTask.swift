// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import Synchronization

/// A unit of work that runs at most once, and is cancelled when its last reference is released.
///
/// Nothing runs until ``start()`` or ``deferredStart(in:)``. Releasing the last reference cancels the work without
/// calling the completion; ``detach()`` lets the work continue. ``cancel()`` ends it with a failure. After its end the
/// task retains neither the work nor the completion, so these may capture the task's owner.
public final class SmartTask: Sendable {
    private struct Work: Sendable {
        let run: @Sendable (Core) async -> Void
        let cancelled: @Sendable () -> Void
    }

    /// The state shared by the task and its running work, which does not retain the task.
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

        /// Ends the task, so that work that has not started never will.
        ///
        /// - Returns: The work, for the first caller only.
        func close() -> (work: Work, running: Task<Void, Never>?)? {
            // Closures are released outside the lock: releasing what they capture may cancel this task.
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

    /// Creates a task from work and a completion.
    ///
    /// - Parameters:
    ///   - queue: The queue that calls the completion.
    ///   - run: The work; it supports cooperative cancellation.
    ///   - cancelled: Returns the result of a cancelled task.
    ///   - completion: Called with the result, once.
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

    /// Starts the work; has no effect if the task was already started or cancelled.
    ///
    /// - Returns: The task itself.
    @discardableResult
    public func start() -> Self {
        core.start()
        return self
    }

    /// Starts the work asynchronously on a queue, so that the task can be stored first.
    ///
    /// - Parameter queue: The queue; the main queue by default.
    /// - Returns: The task itself.
    @discardableResult
    public func deferredStart(in queue: CallbackQueue = .main) -> Self {
        // Captures the core, not the task: the core outlives a task that is detached, even after this call.
        queue.run { [core] in core.start() }
        return self
    }

    /// Lets the work run to its end after the last reference is released.
    ///
    /// - Returns: The task itself.
    @discardableResult
    public func detach() -> Self {
        isDetached.store(true, ordering: .releasing)
        return self
    }

    /// Cancels the work, and calls the completion with a failure unless it was called already.
    ///
    /// Work that has not started never runs.
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
