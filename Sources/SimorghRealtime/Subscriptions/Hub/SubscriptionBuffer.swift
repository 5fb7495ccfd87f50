// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// The bounded buffer of one subscriber.
package final class SubscriptionBuffer: SubscriptionSink {
    /// A buffered item.
    package enum Item: BoundedItem {
        case payload(SubscriptionPayload)
        case notice(SubscriptionNotice)
        case missed(Int)
    }

    private typealias Source = BoundedSource<Item, SubscriptionError>

    private struct State {
        var source: Source
        var missed = 0
        var roomWaiters: [CheckedContinuation<Void, Never>] = []
        /// True if the next wait for room must return immediately.
        var skipsNextWait = false
        /// The bytes of the events that were buffered although there was no room.
        var excess = 0
    }

    private let state: Mutex<State>
    private let overflow: SubscriptionOptions.Overflow
    private let leaving = Mutex(Leaving())

    private struct Leaving {
        var action: (@Sendable () -> Void)?
        /// True if the subscriber left before the action for that was set.
        var isPending = false
        var isOver = false
    }

    package init(_ options: SubscriptionOptions) {
        state = Mutex(State(source: Source(BoundedQueue(maximumCount: max(1, options.bufferSize)))))
        overflow = options.overflow
    }

    /// Sets the action to perform once if the subscriber leaves before the end.
    package func onLeave(_ leave: @escaping @Sendable () -> Void) {
        let isPending = leaving.withLock { leaving in
            guard !leaving.isOver else { return leaving.isPending }
            leaving.action = leave
            return false
        }
        if isPending { leave() }
    }

    /// Performs the action for a subscriber that leaves, once.
    private func runLeaveAction() {
        let action: (@Sendable () -> Void)? = leaving.withLock { leaving in
            guard !leaving.isOver else { return nil }
            leaving.isOver = true
            leaving.isPending = leaving.action == nil
            return leaving.action.take()
        }
        action?()
    }

    package func deliver(_ payload: SubscriptionPayload) -> Bool {
        let (reader, hasRoom, isTooSlow) = state.withLock { state -> (Source.Reader?, Bool, Bool) in
            guard !state.source.isOver else { return (nil, true, false) }
            if let reader = state.source.takeReader() { return (reader, true, false) }
            if state.source.queue.isFull {
                switch overflow {
                case .dropOldest:
                    // Changes may exceed the capacity by one; the next event drops older items until it fits.
                    while state.source.queue.isFull {
                        if case .payload = state.source.queue.popFirst() { state.missed += 1 }
                    }
                case .suspend: state.excess += payload.message.byteCount
                case .fail:
                    let capacity = state.source.queue.maximumCount
                    // The buffered items can still be read, so no reader is waiting.
                    _ = state.source.finish(
                        SubscriptionError(
                            .bufferOverflow, message: "the buffer of \(capacity) events is full"))
                    return (nil, true, true)
                }
            }
            state.source.queue.append(.payload(payload))
            return (nil, overflow != .suspend || !state.source.queue.isFull, false)
        }
        reader?.resume(returning: .success(.payload(payload)))
        if isTooSlow { runLeaveAction() }
        return hasRoom
    }

    package func notify(_ notice: SubscriptionNotice) {
        let reader = state.withLock { state -> Source.Reader? in
            guard !state.source.isOver else { return nil }
            if let reader = state.source.takeReader() { return reader }
            // Repeated interruptions replace each other when the buffer is full, so that they never displace an
            // event.
            if case .notice = state.source.queue.last, state.source.queue.isFull { state.source.queue.popLast() }
            state.source.queue.append(.notice(notice))
            return nil
        }
        reader?.resume(returning: .success(.notice(notice)))
    }

    package func end(_ error: SubscriptionError?) {
        finish { $0.source.finish(error) }
        leaving.withLock { leaving in
            leaving.action = nil
            leaving.isOver = true
        }
    }

    /// Ends the stream, and resumes all waiting tasks.
    private func finish(_ end: (inout State) -> Source.Wake?) {
        let (wake, others) = state.withLock { state in
            let wake = end(&state)
            defer { state.roomWaiters = [] }
            return (wake, state.roomWaiters)
        }
        wake?.resume()
        for other in others { other.resume() }
    }

    package var capacity: BufferCapacity {
        state.withLock { state in
            guard !state.source.isOver, state.source.queue.isFull else { return .free }
            return state.source.queue.hasSlack(for: 0) && state.excess < Source.Queue.slackCost ? .slack : .full
        }
    }

    package func stopWaiting() {
        let waiters = state.withLock { state in
            state.skipsNextWait = state.roomWaiters.isEmpty
            defer { state.roomWaiters = [] }
            return state.roomWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func waitForRoom() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.source.isOver, state.source.queue.isFull, !Task.isCancelled, !state.skipsNextWait
                    else {
                        state.skipsNextWait = false
                        return true
                    }
                    state.roomWaiters.append(continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.roomWaiters = [] }
                return state.roomWaiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Handles that the subscriber has left: drops the buffered items.
    package func leave(_ error: SubscriptionError? = nil) {
        finish { state in
            if let error {
                state.source.failure = error
            } else if !state.source.isOver {
                state.source.failure = SubscriptionError(.cancelled, message: "the subscription was cancelled")
            }
            state.missed = 0
            state.source.queue.removeAll()
            return state.source.finish()
        }
        runLeaveAction()
    }

    /// Waits for the next item.
    ///
    /// - Returns: The item; `nil` at a regular end, and for a second concurrent reader, which is not supported.
    /// - Throws: The error that ended the subscription, once; later calls return `nil`.
    package func next() async throws(SubscriptionError) -> Item? {
        let taken = await Source.suspend { reader in
            let (taken, waiters) = state.withLock { state -> (Source.Taken?, [CheckedContinuation<Void, Never>]) in
                if state.missed > 0 {
                    defer { state.missed = 0 }
                    return (.success(.missed(state.missed)), [])
                }
                let taken = state.source.read(reader, busy: .success(nil))
                guard taken != nil, !state.source.queue.isFull else { return (taken, []) }
                state.excess = 0
                defer { state.roomWaiters = [] }
                return (taken, state.roomWaiters)
            }
            for waiter in waiters { waiter.resume() }
            return taken
        } onCancel: {
            leave()
            return nil
        }
        return try taken.get()
    }
}
