// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// What has come for one subscriber and was not taken yet, bounded.
package final class SubscriptionMailbox: SubscriptionSink {
    /// What is kept.
    package enum Item: BoundedItem {
        case payload(SubscriptionPayload)
        case notice(HubNotice)
        case missed(Int)
    }

    private typealias Source = BoundedSource<Item, SubscriptionError>

    private struct State {
        var source: Source
        var missed = 0
        var roomWaiters: [CheckedContinuation<Void, Never>] = []
        /// Whether the next wait for room is none.
        var isHurried = false
        /// The bytes of the events that were kept when there was no room.
        var excess = 0
    }

    private let state: Mutex<State>
    private let overflow: SubscriptionOptions.Overflow
    private let leaving = Mutex(Leaving())

    private struct Leaving {
        var action: (@Sendable () -> Void)?
        /// Whether the subscriber went before it was known what is to be done then.
        var isOwed = false
        var isOver = false
    }

    package init(_ options: SubscriptionOptions) {
        state = Mutex(State(source: Source(BoundedQueue(maximumCount: max(1, options.bufferSize)))))
        overflow = options.overflow
    }

    /// Sets what is done, once, when the subscriber goes before the end.
    package func onLeave(_ leave: @escaping @Sendable () -> Void) {
        let isOwed = leaving.withLock { leaving in
            guard !leaving.isOver else { return leaving.isOwed }
            leaving.action = leave
            return false
        }
        if isOwed { leave() }
    }

    /// Does what is done when the subscriber goes, once.
    private func depart() {
        let action: (@Sendable () -> Void)? = leaving.withLock { leaving in
            guard !leaving.isOver else { return nil }
            leaving.isOver = true
            leaving.isOwed = leaving.action == nil
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
                    // Changes are kept beyond the bound, one at a time: what comes next makes room for them, too.
                    while state.source.queue.isFull {
                        if case .payload = state.source.queue.popFirst() { state.missed += 1 }
                    }
                case .suspend: state.excess += payload.message.byteCount
                case .fail:
                    let capacity = state.source.queue.maximumCount
                    // What is kept is still handed out, so that no reader waits.
                    _ = state.source.finish(
                        SubscriptionError(
                            .bufferOverflow, "\(capacity) events were not taken before the next one came"))
                    return (nil, true, true)
                }
            }
            state.source.queue.append(.payload(payload))
            return (nil, overflow != .suspend || !state.source.queue.isFull, false)
        }
        reader?.resume(returning: .success(.payload(payload)))
        if isTooSlow { depart() }
        return hasRoom
    }

    package func tell(_ notice: HubNotice) {
        let reader = state.withLock { state -> Source.Reader? in
            guard !state.source.isOver else { return nil }
            if let reader = state.source.takeReader() { return reader }
            // An hour of interruptions is no reason to keep each of them, but none may push out an event.
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

    /// Ends it, and wakes all who wait.
    private func finish(_ end: (inout State) -> Source.Wake?) {
        let (wake, others) = state.withLock { state in
            let wake = end(&state)
            defer { state.roomWaiters = [] }
            return (wake, state.roomWaiters)
        }
        wake?.resume()
        for other in others { other.resume() }
    }

    package var space: SubscriptionSpace {
        state.withLock { state in
            guard !state.source.isOver, state.source.queue.isFull else { return .free }
            return state.source.queue.hasSlack(for: 0) && state.excess < Source.Queue.slackCost ? .slack : .full
        }
    }

    package func hurry() {
        let waiters = state.withLock { state in
            state.isHurried = state.roomWaiters.isEmpty
            defer { state.roomWaiters = [] }
            return state.roomWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func room() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.source.isOver, state.source.queue.isFull, !Task.isCancelled, !state.isHurried else {
                        state.isHurried = false
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

    /// Says that the subscriber has gone: nothing more is kept.
    package func leave(_ error: SubscriptionError? = nil) {
        finish { state in
            if let error {
                state.source.failure = error
            } else if !state.source.isOver {
                state.source.failure = SubscriptionError(.cancelled, "the subscription was cancelled")
            }
            state.missed = 0
            state.source.queue.removeAll()
            return state.source.finish()
        }
        depart()
    }

    /// Waits for the next thing.
    ///
    /// - Returns: The thing; `nil` at the good end, and for a second reader, which there should not be.
    /// - Throws: Why it ended; once, and then it is over.
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
