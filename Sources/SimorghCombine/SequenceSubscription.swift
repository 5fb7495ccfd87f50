// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Synchronization

#if canImport(Combine)
@preconcurrency import Combine
#else
@preconcurrency import OpenCombine
#endif

/// One subscriber's iteration of a ``SequencePublisher``.
///
/// A single task iterates: it takes an element, waits for demand, delivers it on the queue, and only then continues. So
/// elements keep their order on any queue, and nothing is delivered after a cancellation. One element is read ahead of
/// demand and held, because the completion needs no demand and cannot be detected otherwise. A cancellation ends the
/// task, and with it the iteration, without waiting for the queue.
final class SequenceSubscription<Base: AsyncSequence & Sendable>: Subscription, Sendable
where Base.Element: Sendable, Base.Failure: Sendable {
    private struct State {
        var sink: SubscriberSink<Base.Element, Base.Failure>?
        var demand = Subscribers.Demand.none
        var task: Task<Void, Never>?
        var hasBegun = false
        /// The task, if it waits for demand.
        var waiter: CheckedContinuation<Void, Never>?
        /// The task, if it waits for the queue.
        var delivery: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let queue: CallbackQueue
    private let sequence: Base

    init(queue: CallbackQueue, sequence: Base, sink: SubscriberSink<Base.Element, Base.Failure>) {
        state = Mutex(State(sink: sink))
        self.queue = queue
        self.sequence = sequence
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let (begins, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.sink != nil else { return (false, nil) }
            state.demand += demand
            defer { state.hasBegun = true }
            return (!state.hasBegun, state.waiter.take())
        }
        waiter?.resume()
        guard begins else { return }
        let task = Task { await self.run() }
        let isLate = state.withLock { state in
            if state.sink != nil { state.task = task }
            return state.sink == nil
        }
        if isLate { task.cancel() }
    }

    func cancel() {
        let last = state.withLock { state in
            defer {
                state.sink = nil
                state.task = nil
                state.waiter = nil
                state.delivery = nil
            }
            return state
        }
        last.task?.cancel()
        last.waiter?.resume()
        last.delivery?.resume()
    }

    private func run() async {
        var iterator = sequence.makeAsyncIterator()
        do throws(Base.Failure) {
            // The completion needs no demand, so one element is read ahead to see if there is one.
            while let element = try await iterator.next(isolation: nil) {
                guard await isWanted() else { return }
                guard await deliver(element) else { return }
            }
            await end(.finished)
        } catch {
            await end(.failure(error))
        }
    }

    /// Waits for demand; returns false after a cancellation.
    private func isWanted() async -> Bool {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.sink != nil, state.demand == .none else { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            guard state.sink != nil else { return false }
            state.demand -= 1
            return true
        }
    }

    /// Delivers an element; returns false after a cancellation.
    private func deliver(_ element: Base.Element) async -> Bool {
        await withCheckedContinuation { continuation in
            let isWanted = state.withLock { state in
                guard state.sink != nil else { return false }
                state.delivery = continuation
                return true
            }
            guard isWanted else { return continuation.resume() }
            queue.run { [self] in
                guard let sink = state.withLock({ $0.sink }) else { return }
                let more = sink.value(element)
                let delivery = state.withLock { state in
                    state.demand += more
                    return state.delivery.take()
                }
                delivery?.resume()
            }
        }
        return state.withLock { $0.sink != nil }
    }

    private func end(_ completion: Subscribers.Completion<Base.Failure>) async {
        await withCheckedContinuation { continuation in
            queue.run { [self] in
                let last = state.withLock { state in
                    defer {
                        state.sink = nil
                        state.task = nil
                    }
                    return state
                }
                last.sink?.completion(completion)
                continuation.resume()
            }
        }
    }
}
