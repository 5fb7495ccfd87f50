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
    typealias Sink = SubscriberSink<Output, Failure>

    private enum State: Sendable {
        case waiting(Sink)
        case running(Sink, Task<Void, Never>?)
        /// The sink was taken; the completion follows the value unless the subscriber cancels in between.
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
        // Cancelled, or even finished, between the start and here: cancelling a finished task has no effect.
        if isLate { task.cancel() }
    }

    func cancel() {
        // Released outside the lock: releasing the last reference to a subscriber runs its code, which may cancel.
        let last = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .running(_, let task) = last { task?.cancel() }
    }

    /// Returns true for the first demand.
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
            _ = sink.value(value)
            if end() { sink.completion(.finished) }
        case .failure(let error):
            if end() { sink.completion(.failure(error)) }
        }
    }

    /// Returns the sink to the first caller; `nil` after that, or after a cancellation.
    private func take() -> Sink? {
        state.withLock { state in
            guard case .running(let sink, _) = state else { return nil }
            state = .delivering
            return sink
        }
    }

    /// Returns true if the completion may be delivered: not if the subscriber has cancelled, perhaps in its own
    /// closure.
    private func end() -> Bool {
        state.withLock { state in
            guard case .delivering = state else { return false }
            state = .over
            return true
        }
    }
}
