// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

#if canImport(Combine)
@preconcurrency import Combine
#else
@preconcurrency import OpenCombine
#endif

/// One subscriber's run of a ``WorkPublisher``.
final class WorkSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    /// The subscriber, reduced to its two doors.
    ///
    /// Unchecked, because Combine's subscribers are not `Sendable`. It is safe: the subscription hands the sink to exactly
    /// one caller (`take`, under the lock), which calls `value` and then `completion`, one after the other.
    struct Sink: @unchecked Sendable {
        let value: (Output) -> Void
        let completion: (Subscribers.Completion<Failure>) -> Void
    }

    private enum State: Sendable {
        case waiting(Sink)
        case running(Sink, Task<Void, Never>?)
        /// The sink has been taken out; the end follows the value unless somebody cancels in between.
        case delivering
        case over
    }

    private let state: Mutex<State>
    private let queue: CallbackQueue
    private let work: @Sendable () async -> Result<Output, Failure>

    init(queue: CallbackQueue, work: @escaping @Sendable () async -> Result<Output, Failure>, sink: Sink) {
        state = Mutex(.waiting(sink))
        self.queue = queue
        self.work = work
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, begin() else { return }
        let task = Task { [work, queue] in
            let result = await work()
            queue.run { self.deliver(result) }
        }
        let isLate = state.withLock { state in
            guard case .running(let sink, nil) = state else { return true }
            state = .running(sink, task)
            return false
        }
        // Cancelled, or even finished, between the start and here: cancelling what is finished does nothing.
        if isLate { task.cancel() }
    }

    func cancel() {
        // What is let go is let go after the lock: the last reference to a subscriber runs its code, which may cancel.
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .running(_, let task) = last { task?.cancel() }
    }

    /// Whether this is the first demand.
    private func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let sink) = state else { return false }
            state = .running(sink, nil)
            return true
        }
    }

    private func deliver(_ result: Result<Output, Failure>) {
        guard let sink = take() else { return }
        switch result {
        case .success(let value):
            sink.value(value)
            if end() { sink.completion(.finished) }
        case .failure(let error):
            if end() { sink.completion(.failure(error)) }
        }
    }

    /// The sink, for the one caller that comes first; nobody gets it after a cancellation.
    private func take() -> Sink? {
        state.withLock { state in
            guard case .running(let sink, _) = state else { return nil }
            state = .delivering
            return sink
        }
    }

    /// Whether the end may be told: not when the subscriber cancelled meanwhile, from inside its own closure perhaps.
    private func end() -> Bool {
        state.withLock { state in
            guard case .delivering = state else { return false }
            state = .over
            return true
        }
    }
}
